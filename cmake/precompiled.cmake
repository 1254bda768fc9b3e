# SPDX-License-Identifier: MIT
# The headers of other projects that most files include, compiled once for all files with the same
# flags. Headers of our own stay out, so that a change of one builds only what includes it. A file
# must still include what it uses: CI also compiles without this.
option(PLIANT_PCH "Compile the common headers of other projects once" ON)

set(pliant_headers
    <algorithm> <array> <atomic> <bit> <charconv> <chrono> <cmath> <cstdint> <cstring> <filesystem>
    <functional> <limits> <map> <memory> <mutex> <numbers> <numeric> <optional> <set> <span>
    <stdexcept> <string> <string_view> <thread> <tuple> <utility> <variant> <vector> <Eigen/Dense>
    <fmt/format.h> <fmt/ranges.h>)

# pliant_precompile(name HEADERS ... LIBRARIES ...): a target that holds the compiled headers.
# Targets with the same flags take them by pliant_use_precompiled(target name).
function(pliant_precompile name)
  cmake_parse_arguments(arg "" "" "HEADERS;LIBRARIES" ${ARGN})
  if(NOT PLIANT_PCH)
    return()
  endif()
  set(source ${CMAKE_CURRENT_BINARY_DIR}/${name}.cpp)
  file(CONFIGURE OUTPUT ${source} CONTENT "// A target needs a source; this one has only headers.\n")
  add_library(${name} OBJECT ${source})
  target_link_libraries(${name} PRIVATE pliant_options Eigen3::Eigen fmt::fmt ${arg_LIBRARIES})
  if(PLIANT_ARCH)
    target_compile_options(${name} PRIVATE -march=${PLIANT_ARCH})
  endif()
  target_precompile_headers(${name} PRIVATE ${arg_HEADERS})
endfunction()

function(pliant_use_precompiled target name)
  if(PLIANT_PCH)
    target_precompile_headers(${target} REUSE_FROM ${name})
  endif()
endfunction()
