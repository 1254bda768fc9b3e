// SPDX-License-Identifier: MIT
#include "pliant/serve/frame.hpp"

#include <gtest/gtest.h>

#include "frames.hpp"
#include "pliant/base/tensor_file.hpp"

namespace pliant::serve {
namespace {

using test::decode;
using test::DecodedFrame;
using test::read_at;

constexpr int dense_points = 7;

// Points that are the nodes themselves, at the origin when at rest.
const PointSet& nodes_as_points() {
  static const PointSet points = [] {
    TensorWriter writer;
    writer.keep("shape/X", Eigen::Matrix3Xf(Eigen::Matrix3Xf::Zero(3, dense_points)));
    writer.keep("shape/N", Eigen::Matrix3Xf(Eigen::Matrix3Xf::Ones(3, dense_points)));
    MatrixXi nodes = MatrixXi::Zero(2, dense_points);
    MatrixXd weights = MatrixXd::Zero(2, dense_points);
    for (int p = 0; p < dense_points; ++p) nodes(0, p) = p;
    weights.row(0).setOnes();
    writer.keep("embedding/nodes", nodes);
    writer.keep("embedding/weights", weights);
    writer.keep("embedding/gradients", Eigen::MatrixXf(Eigen::MatrixXf::Zero(6, dense_points)));
    static const std::string bytes = writer.bytes();
    return PointSet(TensorView(bytes, "points"), "shape/", "embedding/", 3 * dense_points);
  }();
  return points;
}

WorldState two_bodies() {
  WorldState state;
  state.step = 123456789012;
  state.time = 123456789.012;
  BodyState reduced, dense;
  reduced.pose = {{1, 2, 3}, Eigen::Quaterniond(0.5, 0.5, -0.5, 0.5)};
  reduced.c = Eigen::Vector4f(0.1F, -0.2F, 0.3F, 9.0F);
  reduced.settings.active = 3;
  reduced.energy = {4, 5};
  reduced.controls.resize(2);
  reduced.controls[1] = {
      true, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}, {13, 14, 15}, {16, 17, 18}, {19, 20, 21}};
  dense.c = VectorXf::Random(3 * dense_points) * 0.02F;
  state.bodies = {reduced, dense};
  state.pulls[3] = {PullState::Kind::spring, 1, 5, {1, 2, 3}, {4, 5, 6}, {7, 8, 9}, 30, 20};
  return state;
}

DecodedFrame frame_of(const WorldState& state, const CycleHistogram* histogram) {
  std::string sections;
  encode_sections(state, {nullptr, &nodes_as_points()}, histogram, sections);
  const FrameHead head = encode_head(17, 3, state);
  const FrameCounters counters = encode_counters({1, 2, 3, 4, 5, 6, 7, 9, 10}, 8);
  return decode(std::string(head.data(), head.size()) + sections +
                std::string(counters.data(), counters.size()));
}

TEST(Frame, HoldsTheWorldAsTheProtocolSays) {
  const WorldState state = two_bodies();
  const DecodedFrame frame = frame_of(state, nullptr);
  EXPECT_EQ(frame.sequence, 17U);
  EXPECT_EQ(frame.epoch, 3U);
  EXPECT_EQ(frame.step, 123456789012U);
  EXPECT_EQ(frame.time, state.time);

  const std::string& body = frame.section(1);
  EXPECT_EQ(read_at<std::uint16_t>(body, 0), 0);
  const float expected[] = {1, 2, 3, 0.5F, 0.5F, -0.5F, 0.5F, 4, 5};
  for (std::size_t i = 0; i < 9; ++i) EXPECT_EQ(read_at<float>(body, 4 + 4 * i), expected[i]);
  EXPECT_EQ(test::coefficients(body), (std::vector<float>{0.1F, -0.2F, 0.3F})) << "the active ones";

  const std::string& pulls = frame.section(3);
  ASSERT_EQ(pulls.size(), 44U);
  EXPECT_EQ(read_at<std::uint16_t>(pulls, 0), 3);
  EXPECT_EQ(read_at<std::uint16_t>(pulls, 2), 1);
  EXPECT_EQ(read_at<std::uint32_t>(pulls, 4), 5U);
  for (std::size_t i = 0; i < 9; ++i) {
    EXPECT_EQ(read_at<float>(pulls, 8 + 4 * i), static_cast<float>(i + 1));
  }
  const std::string& springs = frame.section(8);
  ASSERT_EQ(springs.size(), 12U);
  EXPECT_EQ(read_at<std::uint16_t>(springs, 0), 3);
  EXPECT_EQ(read_at<float>(springs, 4), 20.0F);
  EXPECT_EQ(read_at<float>(springs, 8), 30.0F);
  const std::string& controls = frame.section(10);
  ASSERT_EQ(controls.size(), 2 * 92U);
  EXPECT_EQ(read_at<std::uint32_t>(controls, 4), 0U) << "it is not driven";
  EXPECT_EQ(read_at<std::uint16_t>(controls, 92), 0);
  EXPECT_EQ(read_at<std::uint16_t>(controls, 94), 1);
  EXPECT_EQ(read_at<std::uint32_t>(controls, 96), 1U);
  for (std::size_t i = 0; i < 21; ++i) {
    EXPECT_EQ(read_at<float>(controls, 100 + 4 * i), static_cast<float>(i + 1));
  }
  const std::string& counters = frame.section(6);
  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_EQ(read_at<float>(counters, 4 * i), static_cast<float>(i + 1));
  }
  for (std::size_t i = 5; i < 10; ++i) EXPECT_EQ(read_at<std::uint32_t>(counters, 4 * i), i + 1);
}

TEST(Frame, TellsWhatContactsTook) {
  WorldState state = two_bodies();
  EXPECT_EQ(frame_of(state, nullptr).sections.count(11), 0U);
  state.contact = {.pairs = 2,
                   .visited = 300,
                   .asleep = 70000,
                   .contacts = 41,
                   .levels_left_out = 1,
                   .budget = 5000,
                   .deepest = 0.5};
  const std::string meeting = frame_of(state, nullptr).section(11);
  ASSERT_EQ(meeting.size(), 28U);
  const std::uint32_t expected[] = {2, 300, 70000, 41, 1, 5000};
  for (std::size_t i = 0; i < 6; ++i)
    EXPECT_EQ(read_at<std::uint32_t>(meeting, 4 * i), expected[i]);
  EXPECT_EQ(read_at<float>(meeting, 24), 0.5F);
}

TEST(Frame, HoldsThePressureImage) {
  WorldState state = two_bodies();
  EXPECT_EQ(frame_of(state, nullptr).sections.count(12), 0U);
  state.bodies[1].image = PressureImage(PressureLayout{3, 2, {}, {}, {}});
  for (Index i = 0; i < 6; ++i) state.bodies[1].image.taxels[i] = static_cast<float>(i + 1);
  state.bodies[1].image.outside = 0.5F;
  const std::string image = frame_of(state, nullptr).section(12);
  ASSERT_EQ(image.size(), 12 + 4 * 6U);
  EXPECT_EQ(read_at<std::uint16_t>(image, 0), 1);
  EXPECT_EQ(read_at<std::uint16_t>(image, 2), 3);
  EXPECT_EQ(read_at<std::uint16_t>(image, 4), 2);
  EXPECT_EQ(read_at<float>(image, 8), 0.5F);
  for (std::size_t i = 0; i < 6; ++i) {
    EXPECT_EQ(read_at<float>(image, 12 + 4 * i), static_cast<float>(i + 1));
  }
}

TEST(Frame, RoundsTheDisplacementsOfADenseBodyToAQuantum) {
  const WorldState state = two_bodies();
  const std::string dense = frame_of(state, nullptr).section(2);
  const VectorXf& u = state.bodies[1].c;
  EXPECT_EQ(read_at<std::uint16_t>(dense, 0), 1);
  EXPECT_EQ(read_at<std::uint32_t>(dense, 4), 7U);
  const float quantum = read_at<float>(dense, 44);
  EXPECT_FLOAT_EQ(quantum, u.cwiseAbs().maxCoeff() / 32767);
  for (Index i = 0; i < u.size(); ++i) {
    const auto value = read_at<std::int16_t>(dense, 48 + 2 * static_cast<std::size_t>(i));
    EXPECT_NEAR(quantum * value, u.data()[i], 0.51 * quantum);
  }
  // A body at rest, and one that was lost.
  WorldState other = state;
  other.bodies[1].c.setZero();
  EXPECT_EQ(read_at<float>(frame_of(other, nullptr).section(2), 44), 0.0F);
  other.bodies[1].c[7] = std::nanf("");
  EXPECT_EQ(read_at<std::int16_t>(frame_of(other, nullptr).section(2), 48 + 2 * 7), 0);
}

TEST(Frame, TheHistogramCountsCyclesInItsBins) {
  CycleHistogram histogram;
  for (const double us : {0.1, 1.05, 1.3, 2.0 * 1.05, 1e9}) histogram.add(us);
  EXPECT_EQ(histogram.counts[0], 2U);
  EXPECT_EQ(histogram.counts[1], 1U);
  EXPECT_EQ(histogram.counts[4], 1U) << "twice as long is four bins further";
  EXPECT_EQ(histogram.counts.back(), 1U);
  const std::string section = frame_of(two_bodies(), &histogram).section(7);
  ASSERT_EQ(read_at<std::uint32_t>(section, 0), 64U);
  EXPECT_EQ(read_at<std::uint32_t>(section, 12), 2U);
  EXPECT_EQ(section.size(), 12U + 4 * 64);
}

}  // namespace
}  // namespace pliant::serve
