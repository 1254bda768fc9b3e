// SPDX-License-Identifier: MIT
// The loads of a recording as a script. A row tells what acted in the step that led to it, so its
// commands come before that step; a command is given where something changed.
#include <string>

#include "pliant/asset/asset_head.hpp"
#include "pliant/base/error.hpp"
#include "pliant/world/recording/script.hpp"

namespace pliant {
namespace {

constexpr int slots = WorldState::slots;
using Kind = PullState::Kind;

class Loads {
 public:
  Loads(const TensorView& file, const World& world)
      : file_(file),
        world_(world),
        time_(file.matrix<double>("time")),
        target_(rows<double>("hand/target", 3 * slots)),
        force_(rows<double>("force", 3 * slots)),
        stiffness_(rows<double>("hand/stiffness", slots)),
        gravity_(rows<double>("gravity", 3)),
        wind_(rows<double>("wind", 3)),
        kind_(rows<int>("hand/kind", slots)),
        body_(rows<int>("hand/body", slots)),
        point_(rows<int>("hand/point", slots)) {
    for (int b = 0; b < world.body_count(); ++b) {
      if (!world.model(b).edits.pose) continue;
      const std::string& name = world.body(b).name;
      moved_.push_back({b, rows<double>((name + "/position").c_str(), 3),
                        rows<double>((name + "/rotation").c_str(), 4)});
    }
  }

  std::vector<TimedCommand> script() {
    for (row_ = 0; row_ < time_.size(); ++row_) {
      before_ = time_[row_] - world_.dt();
      if (!(before_ >= -0.5 * world_.dt()) || (row_ > 0 && !(time_[row_] > time_[row_ - 1]))) {
        fail("time", "times must ascend: the world was reset while it was recorded");
      }
      if (changed(gravity_)) add(command::Gravity{finite(gravity_.col(row_))});
      if (changed(wind_)) add(command::Wind{finite(wind_.col(row_))});
      for (const Moved& moved : moved_) {
        if (!changed(moved.position) && !changed(moved.rotation)) continue;
        command::Move move{moved.body, finite(moved.position.col(row_))};
        for (int i = 0; i < 4; ++i) {
          move.rotation[static_cast<std::size_t>(i)] = moved.rotation(i, row_);
        }
        add(move);
      }
      for (int slot = 0; slot < slots; ++slot) add_hand(slot);
    }
    return std::move(script_);
  }

 private:
  [[noreturn]] void fail(const std::string& item, const std::string& message) const {
    throw Error({file_.name(), 0, item + ", row " + std::to_string(row_)}, message);
  }

  template <class T>
  Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic> rows(const char* name, Index columns) const {
    Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic> all = file_.matrix<T>(name, columns);
    if (all.cols() != time_.size()) {
      throw Error({file_.name(), 0, name}, "not a row for each time", std::to_string(all.cols()),
                  std::to_string(time_.size()));
    }
    return all;
  }

  bool changed(const MatrixXd& values) const {
    return row_ == 0 || values.col(row_) != values.col(row_ - 1);
  }

  Vector3d finite(const Vector3d& vector) const {
    if (!vector.allFinite()) fail("vectors", "a value is not finite");
    return vector;
  }
  void add(const Command& command) { script_.push_back({std::max(before_, 0.0), command}); }

  void add_hand(int slot) {
    const auto kind = static_cast<Kind>(kind_(slot, row_));
    const auto was = row_ > 0 ? static_cast<Kind>(kind_(slot, row_ - 1)) : Kind::none;
    const bool same = row_ > 0 && kind == was && body_(slot, row_) == body_(slot, row_ - 1) &&
                      point_(slot, row_) == point_(slot, row_ - 1) &&
                      stiffness_(slot, row_) == stiffness_(slot, row_ - 1);
    const auto hand = static_cast<std::uint8_t>(slot);
    if (!same && was != Kind::none) {
      add(command::Release{hand});
    }
    if (kind == Kind::none) return;
    if (kind != Kind::spring && kind != Kind::force) fail("hand/kind", "a kind that is not known");
    const int body = body_(slot, row_), point = point_(slot, row_);
    if (body < 0 || body >= world_.body_count() || point < 0 || point >= world_.point_count(body)) {
      fail("hand/point", "a point that this scene does not have: it is a recording of another one");
    }
    const MatrixXd& vectors = kind == Kind::spring ? target_ : force_;
    const Vector3d vector = vectors.block<3, 1>(3 * slot, row_);
    if (same && vector == vectors.block<3, 1>(3 * slot, row_ - 1)) return;
    if (kind == Kind::spring) {
      add(command::Pull{hand, body, point, finite(vector), stiffness_(slot, row_)});
    } else {
      add(command::Force{hand, body, point, finite(vector)});
    }
  }

  const TensorView& file_;
  const World& world_;
  VectorXd time_;
  MatrixXd target_, force_, stiffness_, gravity_, wind_;
  MatrixXi kind_, body_, point_;
  struct Moved {  // a kinematic body and where it was
    int body;
    MatrixXd position, rotation;
  };
  std::vector<Moved> moved_;
  Index row_ = 0;
  double before_ = 0.0;
  std::vector<TimedCommand> script_;
};

}  // namespace

std::vector<TimedCommand> recorded_script(const TensorView& recording, const World& world) {
  const auto format = recording.metadata().find("format");
  if (format == recording.metadata().end() || format->second != "pliant recording") {
    throw Error({recording.name(), 0, ""}, "not a recording: `pliant run --out FILE` makes one");
  }
  for (int b = 0; b < world.body_count(); ++b) {
    const std::string& name = world.body(b).name;
    if (recording.contains(name + "/position")) continue;
    throw Error({recording.name(), 0, name},
                "it is a recording of another scene: this body is not in it");
  }
  return Loads(recording, world).script();
}

}  // namespace pliant
