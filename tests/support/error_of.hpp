// SPDX-License-Identifier: MIT
// What the Error says that a piece of work throws.
#pragma once

#include <string>

#include <gmock/gmock.h>

#include "pliant/base/error.hpp"

namespace pliant::test {

template <class Work>
std::string error_of(const Work& work) {
  try {
    work();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

template <class Work>
void expect_error(const Work& work, const char* text) {
  EXPECT_THAT(error_of(work), testing::HasSubstr(text));
}

}  // namespace pliant::test
