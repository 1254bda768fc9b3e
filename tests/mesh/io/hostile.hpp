// SPDX-License-Identifier: MIT
// Systematic damage to a good file, for the tests of every reader: cut off, bytes flipped, removed
// and repeated, numbers replaced by hostile ones. A reader must return or throw pliant::Error.
#pragma once

#include <cctype>
#include <functional>
#include <initializer_list>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "pliant/base/error.hpp"
#include "pliant/base/random.hpp"

namespace pliant::test {

struct HostileCounts {
  int tried = 0, refused = 0;
};

// Gives `read` damaged versions of `good`, a few hundred for a file of some hundred bytes.
// Anything but a return or an Error fails the test.
inline HostileCounts read_damaged(const std::string& good,
                                  const std::function<void(std::string_view)>& read) {
  HostileCounts counts;
  const auto attempt = [&](const std::string& bytes) {
    ++counts.tried;
    try {
      read(bytes);
    } catch (const Error& error) {
      ++counts.refused;
      EXPECT_FALSE(std::string_view(error.what()).empty());
    } catch (const std::exception& error) {
      ADD_FAILURE() << "not an Error but: " << error.what() << "\nfor:\n" << bytes.substr(0, 2000);
    }
  };

  const std::size_t stride = good.size() / 200 + 1;
  for (std::size_t end = 0; end < good.size(); end += stride) attempt(good.substr(0, end));

  Random random(7);
  for (int i = 0; i < 200; ++i) {
    std::string bytes = good;
    const int edits = 1 + static_cast<int>(random.bits() % 4);
    for (int k = 0; k < edits && !bytes.empty(); ++k) {
      const std::size_t at = random.bits() % bytes.size();
      const std::size_t length = random.bits() % 16;
      switch (random.bits() % 5) {
        case 0:
          bytes[at] = static_cast<char>(random.bits());
          break;
        case 1:
          bytes[at] = static_cast<char>(bytes[at] ^ (1 << random.bits() % 8));
          break;
        case 2:
          bytes.erase(at, length);
          break;
        case 3:
          bytes.insert(at, bytes.substr(at, length));
          break;
        default:
          bytes.insert(at, 1, "\n\0 ,-#*9"[random.bits() % 8]);
      }
    }
    attempt(bytes);
  }

  // Each of the first numbers in the text becomes a hostile one.
  int numbers = 0;
  for (std::size_t at = 0; at < good.size() && numbers < 60; ++at) {
    const auto is_digit = [&](std::size_t i) {
      return i < good.size() && std::isdigit(static_cast<unsigned char>(good[i])) != 0;
    };
    if (!is_digit(at)) continue;
    std::size_t end = at;
    while (is_digit(end)) ++end;
    for (const char* value : {"0", "-1", "2147483647", "2147483648", "9223372036854775807",
                              "99999999999999999999", "1e300", "nan", "x"}) {
      attempt(good.substr(0, at) + value + good.substr(end));
    }
    at = end;
    ++numbers;
  }

  // Bytes that never were such a file.
  for (const std::size_t size : {1, 2, 7, 64, 1000}) {
    std::string noise(size, ' ');
    for (char& c : noise) c = static_cast<char>(random.bits());
    attempt(noise);
    attempt(good + noise);
  }
  return counts;
}

// `text` with the first `what` in it, which must be there, replaced.
inline std::string replaced(std::string text, const std::string& what, const std::string& with) {
  const std::size_t at = text.find(what);
  EXPECT_NE(at, text.npos) << what;
  return text.replace(at, what.size(), with);
}

// The text of the error that `read` throws; empty if it throws none.
template <class Read>
std::string refusal_of(const Read& read) {
  try {
    read();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

// A bad file, where its error must say that it is bad, and why.
struct BadFile {
  std::string file, place, reason;
};

// `read` must refuse each of them.
template <class Read>
void expect_refusals(std::initializer_list<BadFile> files, const Read& read) {
  for (const BadFile& bad : files) {
    const std::string refusal = refusal_of([&] { read(bad.file); });
    EXPECT_TRUE(refusal.starts_with(bad.place) && refusal.find(bad.reason) != refusal.npos)
        << "expected " << bad.place << " .. " << bad.reason << "\nsaid " << refusal;
  }
}

}  // namespace pliant::test
