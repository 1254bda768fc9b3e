// SPDX-License-Identifier: MIT
// Reads a text as a file of one format, in the tests of that format's reader.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>

#include "pliant/mesh/io/any_mesh.hpp"
#include "pliant/mesh/io/report.hpp"
#include "pliant/mesh/io/source.hpp"

namespace pliant::test {

using Files = std::map<std::string, std::string>;

// `read`: the reader. The report and the files beside the text may be left out.
template <auto read>
struct TextAs {
  const char* name;  // shown in errors

  auto any(std::string_view text, ReadReport* report = nullptr, const Files& files = {}) const {
    ReadReport own;
    ReadReport& used = report != nullptr ? *report : own;
    const auto load = [&](const std::string& file) {
      if (!files.contains(file)) throw Error("no such file");
      return files.at(file);
    };
    if constexpr (std::is_invocable_v<decltype(read), io::Source, io::Load, ReadReport&>) {
      return read({name, text}, load, used);
    } else {
      return read({name, text}, used);
    }
  }

  VolumeMesh operator()(std::string_view text, ReadReport* report = nullptr,
                        const Files& files = {}) const {
    auto mesh = any(text, report, files);
    if constexpr (std::is_same_v<decltype(mesh), VolumeMesh>) {
      return mesh;
    } else {
      return std::get<VolumeMesh>(std::move(mesh));
    }
  }
};

}  // namespace pliant::test
