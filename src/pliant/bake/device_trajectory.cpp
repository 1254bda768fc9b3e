// SPDX-License-Identifier: MIT
#include "pliant/bake/device_trajectory.hpp"

#include <algorithm>
#include <charconv>

#include "pliant/base/error.hpp"
#include "pliant/base/file.hpp"
#include "pliant/base/tensor_file.hpp"
#include "pliant/haptics/hand_motion.hpp"

namespace pliant {
namespace {

constexpr Index columns = 10;

MatrixXd matrix_of(const HandTrajectory& trajectory) {
  MatrixXd out(columns, static_cast<Index>(trajectory.points().size()));
  for (Index k = 0; k < out.cols(); ++k) {
    const HandPoint& p = trajectory.points()[static_cast<std::size_t>(k)];
    const Eigen::Quaterniond& q = p.pose.rotation;
    out.col(k) << p.time, p.pose.position, q.w(), q.x(), q.y(), q.z(), p.buttons, p.gripper;
  }
  return out;
}

// Columns are found by the names that the file gives them.
HandTrajectory of_cycles(const TensorFile& file) {
  const std::string& names = file.need_metadata("columns");
  const auto rows = file.matrix<double>("cycles");
  const auto column = [&](const std::string& name) -> Index {
    const std::string all = "," + names + ",";
    const std::size_t at = all.find("," + name + ",");
    const Index index =
        at == std::string::npos
            ? rows.rows()
            : std::count(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(at), ',');
    if (index >= rows.rows()) throw Error({file.name(), 0, name}, "the column is missing");
    return index;
  };
  const std::string& text = file.need_metadata("rate");
  double rate = 0.0;
  std::from_chars(text.data(), text.data() + text.size(), rate);
  if (!(rate > 0)) throw Error({file.name(), 0, "rate"}, "not a rate", text, "a number above 0");
  const Index kind = column("kind"), there = column("there"), cycle = column("cycle"),
              x = column("x"), qw = column("qw"), buttons = column("buttons"),
              gripper = column("gripper");
  std::vector<HandPoint> points;
  for (Index k = 0; k < rows.cols(); ++k) {
    const auto row = rows.col(k);
    if (row[kind] != 0 || row[there] != 1 || !(row[buttons] >= 0 && row[buttons] < 4294967296.0))
      continue;
    points.push_back({.time = row[cycle] / rate,
                      .pose = {row.segment<3>(x),
                               Eigen::Quaterniond(row[qw], row[qw + 1], row[qw + 2], row[qw + 3])},
                      .buttons = static_cast<std::uint32_t>(row[buttons]),
                      .gripper = row[gripper]});
  }
  if (points.empty()) {
    throw Error({file.name(), 0, ""}, "no device was there while it was recorded");
  }
  return HandTrajectory(std::move(points));
}

}  // namespace

MatrixXd read_trajectory(const std::filesystem::path& path) {
  if (path.extension() == ".pliant" || path.extension() == ".safetensors") {
    return matrix_of(of_cycles(TensorFile(path)));
  }
  const MappedFile file(path);
  return matrix_of(HandTrajectory::read(std::string(file.bytes()), path.string()));
}

}  // namespace pliant
