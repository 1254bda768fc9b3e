// SPDX-License-Identifier: MIT
#include "pliant/world/divided_step.hpp"

#include <chrono>

namespace pliant {

DividedStep::DividedStep(const EngineOps& ops, const void* model, void* state, int divider,
                         Load empty, Motion motion, std::unique_ptr<Worker> worker)
    : divider_(divider),
      job_(std::make_unique<Job>(
          Job{&ops, model, state, empty, StepStatus::ok, 0, std::move(worker)})),
      sum_(std::move(empty)),
      from_(motion),
      to_(std::move(motion)) {}

DividedStep::~DividedStep() {
  if (job_) job_->worker->wait();
}

StepStatus DividedStep::step(std::int64_t n, const Load& load, bool wait, Motion& shown) noexcept {
  sum_.add(load);
  ++summed_;
  StepStatus status = StepStatus::ok;
  const auto phase = static_cast<int>(n % divider_);
  if (phase == 0) {
    if (running_ && wait) job_->worker->wait();
    const bool late = running_ && !job_->worker->done();
    from_.pose = to_.pose;
    from_.velocity = to_.velocity;
    from_.angular_velocity = to_.angular_velocity;
    from_.c.swap(to_.c);  // to_ is written whole below, or is the same
    from_.dc.swap(to_.dc);
    if (late) {
      status = StepStatus::late;
      to_.c = from_.c;
      to_.dc = from_.dc;
    } else {
      if (running_ && !discard_) {
        status = job_->status;
        last_step_ns_ = job_->ns;
        ++steps_;
      }
      if (discard_) job_->ops->reset(job_->model, job_->state);
      discard_ = false;
      if (!see_motion(*job_->ops, job_->model, job_->state, to_)) status |= StepStatus::not_finite;
      energy_ = job_->ops->energy(job_->model, job_->state);
      job_->load.set_zero();
      job_->load.add(sum_);
      const double part = 1.0 / summed_;
      job_->load.force *= part;
      job_->load.torque *= part;
      job_->load.Q *= part;
      sum_.set_zero();
      summed_ = 0;
      running_ = true;
      job_->worker->start(
          [](void* context) noexcept {
            Job& job = *static_cast<Job*>(context);
            const auto begin = std::chrono::steady_clock::now();
            job.status = job.ops->step(job.model, job.load, job.state);
            const auto took = std::chrono::steady_clock::now() - begin;
            job.ns = std::chrono::duration_cast<std::chrono::nanoseconds>(took).count();
          },
          job_.get());
    }
  }
  blend(from_, to_, static_cast<double>(phase + 1) / divider_, shown);
  return status;
}

void DividedStep::reset(const Motion& rest) noexcept {
  if (at_rest()) {
    job_->ops->reset(job_->model, job_->state);
    running_ = false;
  } else {
    discard_ = true;
  }
  sum_.set_zero();
  summed_ = 0;
  energy_ = {};
  for (Motion* motion : {&from_, &to_}) {
    motion->pose = rest.pose;
    motion->velocity.setZero();
    motion->angular_velocity.setZero();
    motion->c.setZero();
    motion->dc.setZero();
  }
}

void blend(const Motion& from, const Motion& to, double t, Motion& out) noexcept {
  const double s = 1.0 - t;
  out.pose.position = s * from.pose.position + t * to.pose.position;
  out.pose.rotation = from.pose.rotation.slerp(t, to.pose.rotation);
  out.velocity = s * from.velocity + t * to.velocity;
  out.angular_velocity = s * from.angular_velocity + t * to.angular_velocity;
  const auto a = static_cast<float>(s), b = static_cast<float>(t);
  out.c = a * from.c + b * to.c;
  out.dc = a * from.dc + b * to.dc;
}

}  // namespace pliant
