// SPDX-License-Identifier: MIT
#include "pliant/devices/device_key.hpp"

#include <cctype>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <random>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include "pliant/base/error.hpp"
#include "pliant/base/file.hpp"

namespace pliant::devices {
namespace {

namespace fs = std::filesystem;

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr ? value : "";
}

// The first to come makes it; who comes second reads it.
void make_key_file(const fs::path& path) {
  std::error_code ignored;
  fs::create_directories(path.parent_path(), ignored);
  std::random_device random;  // the system's, not a sequence
  std::string text;
  for (int i = 0; i < 4; ++i) text += fmt::format("{:08x}", random());
  text += "\n";
  const fs::path made = path.string() + fmt::format(".{}", ::getpid());
  const int file = ::open(made.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  bool good = file >= 0;
  good = good && ::write(file, text.data(), text.size()) == static_cast<ssize_t>(text.size());
  if (file >= 0) good = ::close(file) == 0 && good;
  good = good && (::link(made.c_str(), path.c_str()) == 0 || errno == EEXIST);
  const int error = errno;
  ::unlink(made.c_str());
  if (!good) {
    throw Error({path.string(), 0, ""}, "the key of network devices cannot be made",
                std::strerror(error), "a folder to write to, or PLIANT_DEVICE_KEY");
  }
}

}  // namespace

Key parse_key(std::string_view text, const std::string& name) {
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back())))
    text.remove_suffix(1);
  bool sound = text.size() == 32;
  for (const char c : text) sound = sound && std::isxdigit(static_cast<unsigned char>(c));
  // The value itself is not shown: it is a secret, or nearly one.
  if (!sound) throw Error({name, 0, ""}, "not a key", "", "32 hexadecimal digits");
  Key key{};
  for (std::size_t i = 0; i < 16; ++i) {  // bytes in their order, as SipHash takes them
    const std::string byte(text.substr(2 * i, 2));
    key[i / 8] |= std::strtoull(byte.c_str(), nullptr, 16) << (8 * (i % 8));
  }
  return key;
}

fs::path device_key_file() {
  const fs::path config = variable("XDG_CONFIG_HOME"), home = variable("HOME");
  if (config.is_absolute()) return config / "pliant" / "device.key";
  return home / ".config" / "pliant" / "device.key";
}

Key device_key() {
  if (const std::string given = variable("PLIANT_DEVICE_KEY"); !given.empty()) {
    return parse_key(given, "PLIANT_DEVICE_KEY");
  }
  const fs::path path = device_key_file();
  std::error_code ignored;
  if (!fs::exists(path, ignored)) make_key_file(path);
  return parse_key(MappedFile(path).bytes(), path.string());
}

}  // namespace pliant::devices
