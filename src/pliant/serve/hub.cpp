// SPDX-License-Identifier: MIT
#include "pliant/serve/hub.hpp"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "pliant/base/error.hpp"
#include "pliant/scene/canonical.hpp"
#include "pliant/scene/read_scene.hpp"
#include "pliant/scene/write_scene.hpp"
#include "pliant/serve/server_message.hpp"

namespace pliant::serve {
namespace {

namespace fs = std::filesystem;

constexpr double hello_within = 30, heard_of_at_least = 2;           // s
constexpr double settings_interval = 0.05, progress_interval = 0.1;  // s
constexpr double quiet_bake = 0.3;       // s: a scene from the cache opens without a word
constexpr double still_interval = 0.25;  // s between frames of a world that stands still
constexpr int histogram_interval = 30;   // ticks
constexpr std::size_t slow_bytes = std::size_t{1} << 20, slow_messages = 4;
constexpr std::size_t hopeless_bytes = std::size_t{16} << 20;
constexpr const char* closed_message = R"({"type":"closed"})";
// The asset that is shown, and the one before, which a viewer may be fetching.
constexpr std::size_t kept_assets = 2;
constexpr std::size_t kept_uploads = 8, kept_upload_bytes = std::size_t{512} << 20;
constexpr std::size_t most_ending = 2;  // scenes at their last step: the next one waits for them

}  // namespace

Hub::Hub(HubOptions options)
    : options_(std::move(options)), gallery_(options_.gallery, options_.pictures, options_.own) {}

Hub::~Hub() {
  if (scene_) reaper_.take(std::move(scene_));
}

// ---- viewers

Viewer* Hub::find(int viewer) {
  const auto found = viewers_.find(viewer);
  return found == viewers_.end() || found->second.closing ? nullptr : &found->second;
}

std::optional<int> Hub::join(Link link) {
  if (viewers_.size() >= most_viewers) return std::nullopt;
  const int id = next_viewer_++;
  Viewer& viewer = viewers_[id];
  viewer.id = id;
  viewer.link = std::move(link);
  viewer.joined = viewer.last_sent = now();
  // Once there is a scene, the mesh was prepared, or another was chosen.
  const bool idle = !scene_ && !job_;
  send(viewer, hello_message(id, idle ? options_.mesh.filename().string() : ""));
  send_scene(viewer);
  if (job_ && !job_->quiet) {
    send(viewer, bake_message(job_->id, job_->bake->title(), job_->bake->status()));
  }
  return id;
}

void Hub::leave(int viewer) {
  if (viewers_.erase(viewer) == 0) return;
  if (steering_ == viewer) forget_steering();
  send_steering();
}

void Hub::forget_steering() {
  steering_.reset();
  release_hands();
}

void Hub::release_hands() {
  if (!scene_) return;
  for (int slot = 0; slot < WorldState::slots; ++slot) {
    scene_->simulation().post(command::Release{static_cast<std::uint8_t>(slot)});
  }
  if (scene_->world().data().hold.body >= 0) scene_->simulation().post(command::LetGo{});
}

void Hub::close_all() {
  for (auto& [id, viewer] : viewers_) close(viewer, CloseCode::going_away, "The server ends.");
}

// ---- sending

void Hub::send(Viewer& viewer, const std::string& text) {
  if (viewer.closing) return;
  if (viewer.link.unsent_bytes() > hopeless_bytes) {
    close(viewer, CloseCode::policy, "The viewer does not read what it is sent.");
    return;
  }
  viewer.last_sent = now();
  viewer.link.send_text(std::make_shared<const std::string>(text));
}

void Hub::broadcast(const std::string& text) {
  for (auto& [id, viewer] : viewers_) send(viewer, text);
}

void Hub::error(Viewer& viewer, const std::string& code, const std::string& message,
                const std::string& advice, const std::string& about) {
  if (viewer.errors.take(now()) != RateLimit::Verdict::allowed) return;
  send(viewer, error_message(code, message, advice, about));
}

void Hub::close(Viewer& viewer, CloseCode code, const std::string& reason) {
  if (viewer.closing) return;
  viewer.closing = true;
  viewer.link.close(code, reason);
}

void Hub::send_scene(Viewer& viewer) {
  if (!scene_) {
    if (job_) return;  // the first scene is on its way
    send(viewer, closed_message);
    if (!last_failure_.empty()) send_failure(viewer);
    return;
  }
  nlohmann::json message = scene_->message();
  message["epoch"] = epoch_;
  send(viewer, text_of(message));
  send(viewer, settings_message(epoch_, scene_->simulation().state(), scene_->world()));
}

void Hub::send_failure(Viewer& viewer) {
  // Files as the gallery names them: a viewer may be on another machine.
  std::string told = last_failure_;
  const std::string folder = options_.gallery.empty() ? "" : options_.gallery.string() + "/";
  for (std::size_t at = 0; !folder.empty() && (at = told.find(folder, at)) != std::string::npos;) {
    told.erase(at, folder.size());
  }
  send(viewer, error_message("bake", told,
                             "Mend what it says, or choose another scene, resolution, material or "
                             "held region.",
                             ""));
}

void Hub::send_steering() {
  const auto count = static_cast<std::size_t>(std::count_if(
      viewers_.begin(), viewers_.end(), [](const auto& v) { return v.second.greeted; }));
  for (auto& [id, viewer] : viewers_) {
    if (viewer.greeted) send(viewer, steering_message(steering_ == id, steering_, count));
  }
}

// When they changed.
void Hub::send_settings() {
  if (!scene_ || now() - last_settings_ < settings_interval) return;
  last_settings_ = now();
  std::string text = settings_message(epoch_, scene_->simulation().state(), scene_->world());
  if (text == settings_text_) return;
  settings_text_ = std::move(text);
  broadcast(settings_text_);
}

// Commands that the world did not obey.
void Hub::send_refusals() {
  if (!scene_) return;
  const WorldState& state = scene_->simulation().state();
  Viewer* viewer = steering_ ? find(*steering_) : nullptr;
  for (const RefusedCommand& refused : state.refusals) {
    if (refused.number <= refusals_told_ || viewer == nullptr) continue;
    error(*viewer, "refused", words_of(refused.reason), "Choose another body or value.",
          type_of(refused.kind));
  }
  refusals_told_ = std::max(refusals_told_, state.refused_commands);
}

void Hub::send_frames() {
  if (!scene_) return;
  Simulation& simulation = scene_->simulation();
  simulation.fetch();
  const WorldState& state = simulation.state();
  const bool still = state.step == last_step_ && now() - last_change_ > still_interval;
  if (still && now() - last_frame_ < still_interval) return;
  last_step_ = state.step;
  last_frame_ = now();
  const CycleFigures figures = simulation.figures();
  const auto sections = std::make_shared<std::string>();
  encode_sections(state, scene_->dense_points(),
                  ticks_ % histogram_interval == 0 ? &simulation.histogram() : nullptr, *sections);
  for (auto& [id, viewer] : viewers_) {
    if (!viewer.greeted || viewer.closing) continue;
    viewer.credit += viewer.rate;
    if (viewer.credit < ticks_a_second && !still) continue;
    viewer.credit = 0;
    const std::uint32_t sequence = viewer.sequence++;
    if (viewer.link.unsent_bytes() > slow_bytes || viewer.link.unsent_messages() > slow_messages) {
      ++viewer.skipped;
      continue;
    }
    viewer.last_sent = now();
    viewer.link.send_frame(encode_head(sequence, epoch_, state), sections,
                           encode_counters(figures, viewer.skipped));
  }
}

void Hub::tick() {
  ++ticks_;
  if (job_) follow_job();
  send_frames();
  send_settings();
  send_refusals();
  send_recording_problem();
  tell_missing_rights();
  for (auto& [id, viewer] : viewers_) {
    if (!viewer.greeted && now() - viewer.joined > hello_within) {
      close(viewer, CloseCode::policy, "No hello came within 30 s.");
    } else if (viewer.greeted && now() - viewer.last_sent > heard_of_at_least) {
      send(viewer, steering_message(steering_ == id, steering_, viewers_.size()));
    }
  }
}

// ---- scenes

void Hub::open_file(const fs::path& path) {
  if (path.extension() == ".pliant") {
    show(std::make_unique<OpenScene>(path, SceneOrigin{}, options_.real_time, options_.cpu));
    return;
  }
  std::optional<std::string> id;
  std::error_code ignored;
  for (const GalleryEntry& entry : gallery_.entries()) {
    if (fs::equivalent(entry.scene, path, ignored)) id = entry.id;
  }
  start_job(path.stem().string(), id, /*quiet=*/true, new_files(),
            [path](Progress&) { return read_scene(path); });
}

SceneFiles Hub::new_files() const {
  return {
      std::make_shared<const ScratchFolder>(options_.work / ("scene" + std::to_string(next_job_)))};
}

void Hub::start_job(std::string title, std::optional<std::string> id, bool quiet, SceneFiles files,
                    BakeJob::MakeScene make, Figures quality) {
  const int number = next_job_++;
  BakeJob::Options options{options_.cache,
                           std::move(files),
                           options_.real_time,
                           quality,
                           scene_ ? scene_->origin().steps : std::vector<BakeStepReport>{},
                           options_.cpu};
  job_ = std::make_unique<Job>(Job{number,
                                   std::make_unique<BakeJob>(std::move(title), std::move(id),
                                                             std::move(options), std::move(make)),
                                   quiet, false, "", now()});
  last_failure_.clear();
}

void Hub::follow_job() {
  Job& job = *job_;
  const JobStatus status = job.bake->status();
  const bool running = status.state == JobStatus::State::running;
  if (status.state == JobStatus::State::done && reaper_.waiting() >= most_ending) return;
  if (job.quiet && (status.seconds > quiet_bake && running)) job.quiet = false;
  if (running && now() - job.last_told < progress_interval) return;
  job.last_told = now();
  if (!job.quiet || status.state == JobStatus::State::failed) {
    broadcast(bake_message(job.id, job.bake->title(), status));
  }
  if (running) return;
  if (status.state == JobStatus::State::done) {
    std::optional<WorldState> before;
    if (job.keep_changes && scene_) before = scene_->simulation().state();
    std::unique_ptr<OpenScene> scene = job.bake->take();
    if (!job.own.empty()) keep(*scene->origin().scene, job.own);
    show(std::move(scene));
    if (before) carry_over(*before);
  } else if (status.state == JobStatus::State::failed) {
    last_failure_ = status.error;
    if (options_.on_failure) options_.on_failure(last_failure_);
    for (auto& [id, viewer] : viewers_) send_failure(viewer);
  }
  if (!job.own.empty() && status.state != JobStatus::State::done) {
    forget_meshes(options_.own, job.own);
  }
  job_.reset();
  if (!scene_) broadcast(closed_message);
}

// In the gallery from now on. A disk that is full is no reason not to show it.
void Hub::keep(const Scene& scene, const std::string& id) {
  try {
    keep_scene(options_.own, id, scene);
    gallery_ = Gallery(options_.gallery, options_.pictures, options_.own);
  } catch (const Error& problem) {
    broadcast(error_message("bake", std::string("The scene is not kept: ") + problem.what(),
                            "Make room, or choose another folder with --meshes.", ""));
  }
}

void Hub::show(std::unique_ptr<OpenScene> scene) {
  if (scene_) reaper_.take(std::move(scene_));
  scene_ = std::move(scene);
  ++epoch_;
  last_step_ = -1;
  last_change_ = now();
  refusals_told_ = 0;
  assets_.emplace_back(scene_->asset_id(), scene_->asset_bytes());
  if (assets_.size() > kept_assets) assets_.pop_front();
  if (!options_.record.empty()) record();
  scene_->simulation().start();
  for (auto& [id, viewer] : viewers_) send_scene(viewer);
}

void Hub::record() {
  fs::path path = options_.record;
  if (++recordings_ > 1) {
    path.replace_filename(path.stem().string() + "-" + std::to_string(recordings_) +
                          path.extension().string());
  }
  recording_failed_ = false;
  try {
    scene_->simulation().record(path);
  } catch (const Error& problem) {
    recording_failed_ = true;
    if (options_.on_failure) options_.on_failure(problem.what());
  }
}

// Once; the simulation goes on.
void Hub::send_recording_problem() {
  if (!scene_ || recording_failed_) return;
  const std::string problem = scene_->simulation().recording_problem();
  if (problem.empty()) return;
  recording_failed_ = true;
  broadcast(error_message("recording", "The recording has ended, the simulation goes on.",
                          "Make room on the disk, and open the scene again.", ""));
  if (options_.on_failure) options_.on_failure(problem);
}

void Hub::tell_missing_rights() {
  if (!scene_ || rights_told_ || !options_.on_missing_rights) return;
  const std::string missing = scene_->simulation().missing_rights();
  if (missing.empty()) return;
  rights_told_ = true;
  options_.on_missing_rights(missing);
}

// Gravity, wind and, of bodies that are the same, materials and damping.
void Hub::carry_over(const WorldState& before) {
  Simulation& simulation = scene_->simulation();
  const World& world = scene_->world();
  simulation.post(command::Gravity{before.gravity});
  simulation.post(command::Wind{before.wind});
  const std::size_t bodies =
      std::min(before.bodies.size(), static_cast<std::size_t>(world.body_count()));
  for (std::size_t b = 0; b < bodies; ++b) {
    const auto index = static_cast<int>(b);
    const Edits& edits = world.model(index).edits;
    const BodySettings& body = before.bodies[b].settings;
    if (edits.damping) {
      simulation.post(command::ChangeDamping{index, body.damping.alpha, body.damping.beta});
    }
    const auto& regions = world.asset_body(index).regions;
    for (std::size_t g = 0; g < std::min(body.regions.size(), regions.size()); ++g) {
      if (!edits.material || !fem::has_lame(regions[g].material)) continue;
      simulation.post(command::Material{index, static_cast<int>(g), body.regions[g]});
    }
  }
}

// ---- what HTTP asks for

std::optional<Blob> Hub::asset(const std::string& id) const {
  for (const auto& [known, blob] : assets_) {
    if (known == id) return blob;
  }
  for (const UploadedMesh& mesh : uploads_) {
    if (mesh.asset_id == id) return mesh.asset;
  }
  return std::nullopt;
}

std::optional<std::string> Hub::scene_file() const {
  if (!scene_ || !scene_->origin().scene) return std::nullopt;
  return scene_text(*scene_->origin().scene);
}

std::optional<fs::path> Hub::scene_input(const std::string& name) const {
  if (!scene_ || !scene_->origin().scene) return std::nullopt;
  for (const fs::path& file : input_files(*scene_->origin().scene)) {
    if (file.filename() == name) return file;
  }
  return std::nullopt;
}

void Hub::require_own(const std::string& id) const {
  const GalleryEntry* entry = gallery_.find(id);
  if (entry == nullptr || !entry->own) {
    throw Error({"", 0, ""}, "there is no such scene of an own mesh", printable(id));
  }
}

void Hub::forget(const std::string& id) {
  require_own(id);
  if (job_ || (scene_ && scene_->origin().id == id)) {
    throw Error("a scene that is open, or any while a bake runs, cannot be removed");
  }
  forget_scene(options_.own, id);
  gallery_ = Gallery(options_.gallery, options_.pictures, options_.own);
}

void Hub::add_picture(const std::string& id, std::string_view bytes) {
  require_own(id);
  keep_picture(options_.own, id, bytes);
  gallery_ = Gallery(options_.gallery, options_.pictures, options_.own);
}

void Hub::add_upload(UploadedMesh mesh) {
  std::erase_if(uploads_, [&](const UploadedMesh& known) { return known.id == mesh.id; });
  uploads_.push_back(std::move(mesh));
  const auto bytes = [this] {
    std::size_t sum = 0;
    for (const UploadedMesh& known : uploads_) sum += known.asset.bytes.size();
    return sum;
  };
  while (uploads_.size() > 1 && (uploads_.size() > kept_uploads || bytes() > kept_upload_bytes)) {
    uploads_.pop_front();
  }
}

RateLimit::Verdict Hub::may_upload() {
  return uploading_.take(now() / 60);
}

}  // namespace pliant::serve
