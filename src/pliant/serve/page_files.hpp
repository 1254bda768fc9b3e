// SPDX-License-Identifier: MIT
// The files of the page, web/, compiled into the program: a fixed table, so that no path can lead
// out of it. Empty if the program was built without Node.js.
#pragma once

#include <span>
#include <string_view>

namespace pliant::serve {

struct PageFile {
  std::string_view path;  // "/index.html"
  std::string_view bytes;
};

// Made by cmake/embed_page.cmake.
std::span<const PageFile> page_files();

}  // namespace pliant::serve
