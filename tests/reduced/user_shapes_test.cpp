// SPDX-License-Identifier: MIT
#include "pliant/reduced/bake/user_shapes.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "pliant/base/tensor_file.hpp"
#include "pliant/mesh/block.hpp"
#include "pliant/mesh/io/mesh_file.hpp"
#include "support/error_of.hpp"
#include "support/temporary_folder.hpp"

namespace pliant {
namespace {

using test::expect_error;

const VolumeMesh& rest() {
  static const VolumeMesh mesh = block(ElementType::tet4, {2, 1, 1}, {2, 1, 1});
  return mesh;
}

TEST(UserShapes, ComeFromATensorFileOfEitherTypeAndShape) {
  const Index nodes = rest().vertex_count();
  const MatrixXd shapes = MatrixXd::Random(3 * nodes, 4);
  const test::TemporaryFolder folder;
  const auto path = folder / "shapes.safetensors";
  write_shapes(path, shapes);
  EXPECT_TRUE(read_shapes(path, rest()) == shapes);

  TensorWriter points;
  points.add("shapes", Dtype::f64, {4, nodes, 3}, shapes.data());
  points.write(path);
  EXPECT_TRUE(read_shapes(path, rest()) == shapes);

  const Eigen::MatrixXf single = shapes.cast<float>();
  TensorWriter floats;
  floats.add("shapes", single);
  floats.write(path);
  EXPECT_TRUE(read_shapes(path, rest()) == single.cast<double>());
}

TEST(UserShapes, ATensorThatDoesNotFitIsRefused) {
  const Index nodes = rest().vertex_count();
  MatrixXd shapes = MatrixXd::Random(3 * nodes, 2);
  const test::TemporaryFolder folder;
  const auto path = folder / "shapes.safetensors";
  expect_error([&] { read_shapes(path, rest()); }, "shapes.safetensors");
  write_shapes(path, shapes.topRows(3 * nodes - 3));
  expect_error([&] { read_shapes(path, rest()); }, "for the 12 nodes of the mesh");
  TensorWriter turned;
  turned.add("shapes", Dtype::f64, {2, 3, nodes}, shapes.data());
  turned.write(path);
  expect_error([&] { read_shapes(path, rest()); }, "[2, 3, 12]");
  shapes(7, 1) = INFINITY;
  write_shapes(path, shapes);
  expect_error([&] { read_shapes(path, rest()); }, "shape 1: the displacement of node 2");
  TensorWriter whole;
  const Eigen::Matrix<std::int32_t, Eigen::Dynamic, Eigen::Dynamic> integers =
      shapes.leftCols(1).cast<std::int32_t>();
  whole.add("shapes", Dtype::i32, {1, 3 * nodes}, integers.data());
  whole.write(path);
  expect_error([&] { read_shapes(path, rest()); }, "F64 or F32");
  TensorWriter other;
  other.add("modes", shapes);
  other.write(path);
  expect_error([&] { read_shapes(path, rest()); }, "shapes");
}

TEST(UserShapes, ComeFromTheMeshDeformed) {
  VolumeMesh deformed = rest();
  deformed.V.row(1) += 0.25 * rest().V.row(0);
  const test::TemporaryFolder folder;
  write_mesh(folder / "bent.msh", deformed);
  const MatrixXd shapes = read_shapes(folder / "bent.msh", rest());
  ASSERT_EQ(shapes.cols(), 1);
  EXPECT_LT((shapes.col(0) - (deformed.V - rest().V).reshaped()).norm(), 1e-15);
}

TEST(UserShapes, AnotherMeshIsRefused) {
  const VolumeMesh hexes = block(ElementType::hex8, {2, 1, 1}, {2, 1, 1});
  expect_error([&] { displacement(rest(), hexes); }, "not that of the body");
  VolumeMesh renumbered = rest();
  renumbered.E.col(3).swap(renumbered.E.col(4));
  expect_error([&] { displacement(rest(), renumbered); }, "element 3");
  const test::TemporaryFolder folder;
  write_mesh(folder / "hexes.msh", hexes);
  expect_error([&] { read_shapes(folder / "hexes.msh", rest()); }, "hexes.msh");
}

}  // namespace
}  // namespace pliant
