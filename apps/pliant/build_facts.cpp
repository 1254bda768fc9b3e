// SPDX-License-Identifier: MIT
#include "build_facts.hpp"

#include <Eigen/Core>
#include <fmt/format.h>

namespace pliant::app {
namespace {

#ifdef __clang__
constexpr const char* compiler = "clang " __clang_version__;
#else
constexpr const char* compiler = "g++ " __VERSION__;
#endif

#if PLIANT_WITH_CHOLMOD
constexpr const char* cholesky = "CHOLMOD (GPL) on OpenBLAS";
#else
constexpr const char* cholesky = "Eigen's own; without CHOLMOD and BLAS";
#endif

}  // namespace

std::string build_facts() {
  const std::string arch = PLIANT_ARCH;
  return fmt::format(
      "pliant {}\ncompiler         {}, {}{}{}\nprocessor        {} (Eigen {}.{}.{} uses {})\n"
      "sparse Cholesky  {}",
      PLIANT_VERSION, compiler, PLIANT_BUILD_TYPE, PLIANT_SANITIZE[0] ? ", -fsanitize=" : "",
      PLIANT_SANITIZE, arch.empty() ? "the compiler's default" : "-march=" + arch,
      EIGEN_WORLD_VERSION, EIGEN_MAJOR_VERSION, EIGEN_MINOR_VERSION,
      Eigen::SimdInstructionSetsInUse(), cholesky);
}

}  // namespace pliant::app
