// SPDX-License-Identifier: MIT
#include "pliant/reduced/reduced_materials.hpp"

#include <gtest/gtest.h>

#include "pliant/base/error.hpp"

namespace pliant {
namespace {

constexpr Index r = 3;

ReducedMaterials example() {
  ReducedMaterials materials;
  for (int p = 0; p < 3; ++p) {
    materials.parts.push_back({VectorXd::LinSpaced(pair_count(r), p, 1),
                               VectorXd::LinSpaced(triple_count(r), p, 2),
                               VectorXd::LinSpaced(quadruple_count(r), p, 3)});
  }
  materials.meanings = {{0, ReducedMaterials::Constant::lambda},
                        {0, ReducedMaterials::Constant::mu},
                        {1, ReducedMaterials::Constant::stiffness}};
  materials.coefficients = Vector3d(2, 3, 1);
  materials.masses = {MatrixXd::Identity(r, r), MatrixXd::Constant(r, r, 0.5)};
  materials.densities = Eigen::Vector2d(1000, 500);
  return materials;
}

TEST(ReducedMaterials, AreReadAsTheyWereWritten) {
  const ReducedMaterials materials = example();
  TensorWriter writer;
  materials.write(writer, "body/");
  const std::string bytes = writer.bytes();
  const ReducedMaterials read(TensorFile(bytes, "test"), "body/");
  ASSERT_EQ(read.parts.size(), 3u);
  EXPECT_EQ(read.parts[2].quartic, materials.parts[2].quartic);
  EXPECT_EQ(read.parts[1].cubic, materials.parts[1].cubic);
  EXPECT_EQ(read.parts[0].quadratic, materials.parts[0].quadratic);
  EXPECT_EQ(read.meanings[1].constant, ReducedMaterials::Constant::mu);
  EXPECT_EQ(read.meanings[2].region, 1);
  EXPECT_EQ(read.coefficients, materials.coefficients);
  EXPECT_EQ(read.mass(), materials.mass());
}

TEST(ReducedMaterials, ThatDoNotAgreeAreRefused) {
  const auto refused = [](auto&& spoil) {
    ReducedMaterials materials = example();
    spoil(materials);
    TensorWriter writer;
    materials.write(writer, "");
    const std::string bytes = writer.bytes();
    EXPECT_THROW(ReducedMaterials(TensorFile(bytes, "test"), ""), Error);
  };
  refused([](ReducedMaterials& m) { m.meanings[1].region = 2; });
  refused([](ReducedMaterials& m) { m.meanings[0].region = -1; });
  refused([](ReducedMaterials& m) { m.coefficients.conservativeResize(2); });
  refused([](ReducedMaterials& m) { m.densities.conservativeResize(1); });
  refused([](ReducedMaterials& m) {
    for (auto& part : m.parts) part.cubic.conservativeResize(4);
  });
}

}  // namespace
}  // namespace pliant
