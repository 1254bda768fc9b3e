// SPDX-License-Identifier: MIT
#include "pliant/world/recording/cycle_replay.hpp"

#include <cstring>

#include "pliant/base/error.hpp"

namespace pliant {

// Gives the samples that it is told.
class CycleReplay::SampleDevice final : public Device {
 public:
  explicit SampleDevice(DeviceFacts facts) : facts_(std::move(facts)) {}

  const DeviceFacts& facts() const noexcept override { return facts_; }
  DeviceHealth health() const noexcept override {
    return sample_ ? DeviceHealth::ready : DeviceHealth::absent;
  }
  bool read(DeviceSample& sample) noexcept override {
    if (sample_) sample = *sample_;
    return sample_.has_value();
  }
  void write(const DeviceForce&) noexcept override {}
  void set(const std::optional<DeviceSample>& sample) noexcept { sample_ = sample; }

 private:
  DeviceFacts facts_;
  std::optional<DeviceSample> sample_;
};

CycleReplay::CycleReplay(CycleFile file, World& world) : file_(std::move(file)), world_(world) {
  const auto fail = [&](std::int64_t row, const std::string& message) {
    throw Error({file_.name(), 0, row < 0 ? "" : "row " + std::to_string(row)}, message);
  };
  if (file_.scene() != scene_hash(world)) fail(-1, "it is a recording of another scene");
  for (std::int64_t k = 0; k < file_.size(); ++k) {
    const auto row = file_.row(k);
    if (row[row_lost] != 0) fail(k, "cycles are missing before it: they cannot be done again");
    if (row[row_kind] == 0) {
      ++cycles_;
      if (!budget_of(row)) fail(k, "the budget of contact is a whole number of nodes");
    } else if (!command_of(row)) {
      fail(k, "not a command");
    }
  }
  if (!file_.device()) return;
  auto device = std::make_unique<SampleDevice>(file_.device()->facts);
  device_ = device.get();
  world.attach(std::move(device), file_.device()->link);
}

CycleReplay::~CycleReplay() {
  world_.set_contact_budget({});
  if (device_ != nullptr) world_.attach(nullptr, {});
}

bool CycleReplay::step() noexcept {
  for (; next_ < file_.size(); ++next_) {
    const auto row = file_.row(next_);
    if (row[row_kind] == 0) break;
    if (const auto command = command_of(row)) world_.apply(*command);
  }
  if (next_ >= file_.size()) return false;
  const auto row = file_.row(next_++);
  if (device_ != nullptr) device_->set(sample_of(row));
  world_.set_contact_budget(budget_of(row));
  world_.step();
  const CycleRow now = row_of(world_.data(), nullptr, false);
  if (std::memcmp(&now[row_felt], &row[row_felt], row_wrenches * sizeof(double)) != 0) {
    if (different_++ == 0) first_different_ = done_;
  }
  ++done_;
  return true;
}

}  // namespace pliant
