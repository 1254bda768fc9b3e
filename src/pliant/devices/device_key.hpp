// SPDX-License-Identifier: MIT
// The secret that a bridge and we share: the environment variable PLIANT_DEVICE_KEY, else the file
// `pliant/device.key` of the user's configuration ($XDG_CONFIG_HOME or ~/.config), which is made, for
// the user alone to read, if it is not there. 32 hexadecimal digits.
#pragma once

#include <filesystem>
#include <string_view>

#include "pliant/devices/sip_hash.hpp"

namespace pliant::devices {

// Throws Error: not 32 hexadecimal digits. `name`: where it is from.
Key parse_key(std::string_view text, const std::string& name);
// Throws Error: it cannot be read or made.
Key device_key();
std::filesystem::path device_key_file();

}  // namespace pliant::devices
