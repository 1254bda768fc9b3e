# SPDX-License-Identifier: MIT
# Every third-party library, found once. Licences and purposes are in README.md.
find_package(Eigen3 3.4 REQUIRED NO_MODULE)
find_package(TBB REQUIRED)
find_package(fmt REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(CLI11 REQUIRED)
find_package(pugixml REQUIRED)
find_package(ZLIB REQUIRED)
find_package(benchmark REQUIRED)
if(PLIANT_TESTS)
  find_package(GTest REQUIRED)
endif()
