// SPDX-License-Identifier: MIT
#include "pliant/world/contact_distances.hpp"

#include <string>

#include "pliant/base/error.hpp"
#include "pliant/contact/query.hpp"

namespace pliant {
namespace {

const ContactField& field_of(const World& world, int body) {
  if (body < 0 || body >= world.body_count()) {
    throw Error({"", 0, "distances"}, "there is no such body", std::to_string(body),
                "0 to " + std::to_string(world.body_count() - 1));
  }
  const ContactData& contact = world.data().contact;
  const auto model = static_cast<std::size_t>(world.body(body).model);
  if (!contact.on || !contact.models[model].field) {
    throw Error({"", 0, "distances"}, "the body has no distance field", world.body(body).name,
                "a body that others feel, with contact.role = \"field\" or \"both\"");
  }
  return *contact.models[model].field;
}

}  // namespace

BodyDistances distances(const World& world, int body, const Matrix3Xd& places) {
  const ContactField& field = field_of(world, body);
  if (!places.allFinite()) throw Error({"", 0, "distances"}, "a place is not finite");
  const Motion& motion = world.body(body).motion;
  const Matrix3d R = motion.pose.rotation.toRotationMatrix();
  const Vector3d t = motion.pose.position;
  const Matrix3Xf own = (R.transpose() * (places.colwise() - t)).cast<float>();
  DistanceAnswers answers(places.cols());
  if (std::optional<DomainField> deformed = deformed_field(field)) {
    deformed->update(motion.c);
    query(*deformed, own, answers);
  } else if (const auto* grid = std::get_if<DistanceField>(&field.rest)) {
    query(*grid, own, answers);
  } else {
    query(std::get<AnalyticField>(field.rest), own, answers);
  }
  return {answers.distance.cast<double>(), answers.error.cast<double>(),
          R * answers.gradient.cast<double>(), (R * answers.witness.cast<double>()).colwise() + t};
}

}  // namespace pliant
