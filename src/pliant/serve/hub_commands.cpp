// SPDX-License-Identifier: MIT
// What viewers ask for, and why it may be refused.
#include <algorithm>

#include <fmt/format.h>

#include "pliant/base/error.hpp"
#include "pliant/base/match.hpp"
#include "pliant/scene/read_scene.hpp"
#include "pliant/serve/hub.hpp"
#include "pliant/serve/server_message.hpp"
#include "pliant/serve/sketch_scene.hpp"

namespace pliant::serve {
namespace {

constexpr double idle_steering = 5;  // s after which another may take over

// Of a Command's alternatives, as messages call them.
constexpr const char* types[] = {"reset",   "pull",      "force",  "release", "material",
                                 "damping", "active",    "linear", "move",    "handle",
                                 "control", "gravity",   "wind",   "pause",   "advance",
                                 "speed",   "workspace", "grasp",  "grip",    "let go"};
static_assert(std::size(types) == std::variant_size_v<Command>);

}  // namespace

std::string Hub::type_of(std::uint8_t command) {
  return command < std::size(types) ? types[command] : "";
}

bool Hub::allowed(Viewer& viewer, const std::string& type) {
  const bool hand = type == "pull" || type == "force" || type == "control";
  const bool rare =
      type == "open" || type == "sketch" || type == "bake" || type == "measure" || type == "steer";
  RateLimit& limit = hand ? viewer.hands : rare ? viewer.rare : viewer.others;
  switch (limit.take(now())) {
    case RateLimit::Verdict::allowed:
      return true;
    case RateLimit::Verdict::first_dropped:
      error(viewer, "rate", "Too many messages of this kind in a second; some were dropped.",
            "Wait a moment.", type);
      return false;
    case RateLimit::Verdict::dropped:
      return false;
    case RateLimit::Verdict::excessive:
      break;
  }
  close(viewer, CloseCode::policy, "Far too many messages.");
  return false;
}

void Hub::hear(int id, std::string_view text) {
  Viewer* viewer = find(id);
  if (viewer == nullptr) return;
  // Before anything is read: long messages are costly to read.
  if (text.size() > longest_short_message) {
    if (!viewer->greeted) {
      return close(*viewer, CloseCode::policy, "The first message is no hello.");
    }
    const auto verdict = viewer->long_messages.take(now());
    if (verdict == RateLimit::Verdict::excessive) {
      return close(*viewer, CloseCode::policy, "Far too many long messages.");
    }
    if (verdict != RateLimit::Verdict::allowed) return;
  }
  TypedMessage typed;
  try {
    typed = parse_client_message(text);
  } catch (const MessageTooLong& problem) {
    return close(*viewer, CloseCode::too_large, problem.what());
  } catch (const std::exception& problem) {
    if (!viewer->greeted)
      return close(*viewer, CloseCode::policy, "The first message is no hello.");
    if (allowed(*viewer, "")) {
      error(*viewer, "command", problem.what(), "Reload the page: it may be of another version.");
    }
    return;
  }
  if (!viewer->greeted) {
    const auto* hello = std::get_if<HelloMessage>(&typed.message);
    if (hello == nullptr) {
      return close(*viewer, CloseCode::policy, "The first message is no hello.");
    }
    return greet(*viewer, *hello);
  }
  if (allowed(*viewer, typed.type)) obey(*viewer, typed);
}

void Hub::greet(Viewer& viewer, const HelloMessage& hello) {
  if (hello.protocol != protocol_version) {
    return close(viewer, CloseCode::policy,
                 fmt::format("The page speaks version {} of the protocol, the server {}.",
                             hello.protocol, protocol_version));
  }
  viewer.greeted = true;
  viewer.rate = hello.rate;
  viewer.last_command = now();
  if (!steering_) steering_ = viewer.id;
  last_change_ = now();  // a frame for the new one, even if the world stands still
  send_steering();
}

void Hub::steer(Viewer& viewer, const SteerMessage& wish) {
  if (!wish.take) {
    if (steering_ == viewer.id) forget_steering();
    return send_steering();
  }
  const Viewer* other = steering_ ? find(*steering_) : nullptr;
  if (other != nullptr && other != &viewer && now() - other->last_command < idle_steering) {
    return error(viewer, "steering", "Somebody else is steering.",
                 "Try again when nothing was done for 5 seconds.", "steer");
  }
  if (other != &viewer) release_hands();
  steering_ = viewer.id;
  viewer.last_command = now();
  send_steering();
}

void Hub::obey(Viewer& viewer, const TypedMessage& typed) {
  if (const auto* wish = std::get_if<SteerMessage>(&typed.message)) return steer(viewer, *wish);
  if (std::holds_alternative<HelloMessage>(typed.message)) return;
  if (steering_ != viewer.id) {
    return error(viewer, "steering", steering_ ? "Somebody else is steering." : "Nobody steers.",
                 "Take over first.", typed.type);
  }
  viewer.last_command = last_change_ = now();
  std::visit(Match{[&](const WorldMessage& m) { command(viewer, typed.type, m.command); },
                   [&](const MaterialMessage& m) { change_material(viewer, m); },
                   [&](const OpenMessage& m) { open(viewer, m); },
                   [&](const SketchMessage& m) { sketch(viewer, m); },
                   [&](const BakeMessage& m) { bake(viewer, m); },
                   [&](const MeasureMessage&) { measure(viewer); },
                   [&](const CancelMessage& m) {
                     if (job_ && job_->id == m.job) job_->bake->cancel();
                   },
                   [](const auto&) {}},
             typed.message);
}

void Hub::command(Viewer& viewer, const std::string& type, const Command& command) {
  if (!scene_) {
    return error(viewer, "refused", "No scene is open.", "Open one first.", type);
  }
  if (!scene_->simulation().post(command)) {
    return error(viewer, "rate", "Too many commands are waiting.", "Wait a moment.", type);
  }
}

void Hub::change_material(Viewer& viewer, const MaterialMessage& wish) {
  const fem::Lame lame = fem::lame(wish.young, wish.poisson);
  command(viewer, "material",
          command::Material{wish.body, wish.region, {lame.lambda, lame.mu, wish.density}});
}

bool Hub::refuse_while_baking(Viewer& viewer, const std::string& about) {
  if (!job_) return false;
  error(viewer, "bake", "Another bake is running.", "Wait for it, or cancel it.", about);
  return true;
}

void Hub::open(Viewer& viewer, const OpenMessage& wish) {
  const GalleryEntry* entry = gallery_.find(wish.scene);
  if (entry == nullptr) {
    return error(viewer, "absent", "There is no scene " + printable(wish.scene) + ".",
                 "Choose another.", "open");
  }
  if (refuse_while_baking(viewer, "open")) return;
  start_job(entry->title, entry->id, /*quiet=*/true, new_files(),
            [path = entry->scene](Progress&) { return read_scene(path); });
}

void Hub::sketch(Viewer& viewer, const SketchMessage& wish) {
  if (refuse_while_baking(viewer, "sketch")) return;
  if (!scene_ || !scene_->can_sketch(wish.body)) {
    return error(viewer, "refused", "This body's basis cannot be sketched.",
                 "Choose a body with a basis that is held somewhere.", "sketch");
  }
  // The mesh may be a file of the scene that is open, whose own sketch is replaced.
  const SceneFiles& open = scene_->origin().files;
  const SceneFiles files{new_files().own, open.before ? open.before : open.own};
  const std::filesystem::path file = files.own->path() / "sketch.safetensors";
  start_job("Basis from sketch", scene_->origin().id, /*quiet=*/false, files,
            [scene = *scene_->origin().scene, asset = scene_->shared_asset(),
             own = scene_->world().asset_body(wish.body), wish,
             file](Progress&) { return sketched_scene(scene, *asset, own, wish, file); });
  job_->keep_changes = true;
}

void Hub::bake(Viewer& viewer, const BakeMessage& wish) {
  if (refuse_while_baking(viewer, "bake")) return;
  const auto find_upload = [&](const std::string& id) {
    return std::find_if(uploads_.begin(), uploads_.end(),
                        [&](const UploadedMesh& m) { return m.id == id; });
  };
  const auto mesh = find_upload(wish.mesh), volume = find_upload(wish.volume);
  if (mesh == uploads_.end() || (!wish.volume.empty() && volume == uploads_.end())) {
    return error(viewer, "absent", "The mesh is no longer there.", "Drop the file again.", "bake");
  }
  const std::string id = own_scene_id(wish.name, mesh->id);
  std::error_code problem;
  if (!options_.own.empty()) std::filesystem::create_directories(options_.own, problem);
  if (problem) {
    error(viewer, "bake", "The scene will not be kept: its folder cannot be made.",
          "Choose another folder with --meshes.", "bake");
  }
  const bool kept = !options_.own.empty() && !problem;
  std::optional<UploadedMesh> elements;
  if (volume != uploads_.end()) elements = *volume;
  const SceneFiles files = new_files();
  start_job(wish.name, kept ? std::optional(id) : std::nullopt, /*quiet=*/false, files,
            [mesh = *mesh, elements, wish, id,
             folder = kept ? options_.own : files.own->path()](Progress&) {
              return scene_of_upload(mesh, elements ? &*elements : nullptr, wish, folder, id);
            });
  if (kept) job_->own = id;
}

// The same scene again, of whose bake no more than the figures is left to do.
void Hub::measure(Viewer& viewer) {
  if (refuse_while_baking(viewer, "measure")) return;
  if (!scene_ || !scene_->origin().scene) {
    return error(viewer, "refused", "There is no scene file to measure this by.",
                 "Bake its scene file with `pliant bake`, which measures it.", "measure");
  }
  // It refers to the same files as the open one.
  start_job(
      "How good it is", scene_->origin().id, /*quiet=*/false, scene_->origin().files,
      [scene = *scene_->origin().scene](Progress&) { return scene; }, Figures::make);
  job_->keep_changes = true;
}

}  // namespace pliant::serve
