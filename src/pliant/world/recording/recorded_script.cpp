// SPDX-License-Identifier: MIT
// The loads of a recording as a script. A row tells what acted in the step that led to it, so its
// commands come before that step; a command is given where something changed.
#include <string>

#include "pliant/base/error.hpp"
#include "pliant/asset/asset.hpp"
#include "pliant/world/recording/script.hpp"

namespace pliant {
namespace {

constexpr int slots = WorldState::slots;
using Kind = PullState::Kind;

class Loads {
 public:
  Loads(const TensorFile& file, const World& world)
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
        point_(rows<int>("hand/point", slots)) {}

  std::vector<TimedCommand> script() {
    for (row_ = 0; row_ < time_.size(); ++row_) {
      before_ = time_[row_] - world_.dt();
      if (!(before_ >= -0.5 * world_.dt()) || (row_ > 0 && !(time_[row_] > time_[row_ - 1]))) {
        fail("time", "times must ascend: the world was reset while it was recorded");
      }
      if (changed(gravity_)) add(Command::Kind::gravity, gravity_.col(row_));
      if (changed(wind_)) add(Command::Kind::wind, wind_.col(row_));
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

  void add(Command::Kind kind, const Vector3d& vector) {
    if (!vector.allFinite()) fail("vectors", "a value is not finite");
    script_.push_back({std::max(before_, 0.0), {.kind = kind, .vector = vector}});
  }

  void add_hand(int slot) {
    const auto kind = static_cast<Kind>(kind_(slot, row_));
    const auto was = row_ > 0 ? static_cast<Kind>(kind_(slot, row_ - 1)) : Kind::none;
    const bool same = row_ > 0 && kind == was && body_(slot, row_) == body_(slot, row_ - 1) &&
                      point_(slot, row_) == point_(slot, row_ - 1) &&
                      stiffness_(slot, row_) == stiffness_(slot, row_ - 1);
    const auto hand = static_cast<std::uint8_t>(slot);
    if (!same && was != Kind::none) {
      add(Command::Kind::release, Vector3d::Zero());
      script_.back().command.slot = hand;
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
    add(kind == Kind::spring ? Command::Kind::pull : Command::Kind::force, vector);
    Command& command = script_.back().command;
    command.slot = hand;
    command.body = body;
    command.index = point;
    command.values[0] = stiffness_(slot, row_);
  }

  const TensorFile& file_;
  const World& world_;
  VectorXd time_;
  MatrixXd target_, force_, stiffness_, gravity_, wind_;
  MatrixXi kind_, body_, point_;
  Index row_ = 0;
  double before_ = 0.0;
  std::vector<TimedCommand> script_;
};

}  // namespace

std::vector<TimedCommand> recorded_script(const TensorFile& recording, const World& world) {
  const auto format = recording.metadata().find("format");
  if (format == recording.metadata().end() || format->second != "pliant recording") {
    throw Error({recording.name(), 0, ""}, "not a recording: `pliant run --out FILE` makes one");
  }
  for (const AssetBody& body : world.head().bodies) {
    if (recording.contains(body.name + "/position")) continue;
    throw Error({recording.name(), 0, body.name},
                "it is a recording of another scene: this body is not in it");
  }
  return Loads(recording, world).script();
}

}  // namespace pliant
