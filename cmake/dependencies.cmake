# SPDX-License-Identifier: MIT
# Every third-party library, found once. Licences and purposes are in README.md.
find_package(Eigen3 3.4 REQUIRED NO_MODULE)
find_package(TBB REQUIRED)
find_package(fmt REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(CLI11 REQUIRED)
find_package(pugixml REQUIRED)
find_path(TOMLPLUSPLUS_INCLUDE_DIR toml++/toml.h REQUIRED)  # its headers alone: no library to load
find_package(ZLIB REQUIRED)
find_package(Boost 1.74 REQUIRED)  # Beast and Asio, headers alone
# In all files alike, as the layout of Beast's classes depends on it.
target_compile_definitions(Boost::headers INTERFACE BOOST_BEAST_USE_STD_STRING_VIEW)
if(PLIANT_SANITIZE STREQUAL "thread")
  # The sanitizer does not know fences; Asio's own locks order what it runs.
  target_compile_definitions(Boost::headers INTERFACE BOOST_ASIO_DISABLE_FENCED_BLOCK)
endif()
if(PLIANT_ROWS)
  find_package(benchmark REQUIRED)
endif()
if(PLIANT_TESTS)
  find_package(GTest REQUIRED)
endif()

# Sparse Cholesky. CHOLMOD's modules Supernodal and Modify are under the GPL; without them Eigen's
# own code serves.
option(PLIANT_CHOLMOD "Sparse Cholesky by CHOLMOD (GPL) and OpenBLAS" ON)
if(PLIANT_CHOLMOD)
  find_path(CHOLMOD_INCLUDE_DIR cholmod.h PATH_SUFFIXES suitesparse REQUIRED)
  find_library(CHOLMOD_LIBRARY cholmod REQUIRED)
  find_library(OPENBLAS_LIBRARY openblas REQUIRED)
endif()
