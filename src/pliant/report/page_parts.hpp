// SPDX-License-Identifier: MIT
// What the reports have in common: one HTML file that needs nothing else, light and dark.
#pragma once

#include <string>

namespace pliant {

// Up to the first element of <main>; `extra_style`: CSS rules besides.
std::string page_begin(const std::string& title, const std::string& extra_style = {});
std::string page_end();

std::string percent_text(double part);      // "0.31 %"
std::string duration_text(double seconds);  // "3.1 µs"
std::string short_number(double value);

}  // namespace pliant
