// SPDX-License-Identifier: MIT
// All that `pliant play` does but the network itself: who watches, who steers, which scene is open,
// what is being baked. Commands of viewers go to the world, its states to the viewers. One thread
// calls everything here.
#pragma once

#include <deque>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "pliant/serve/access.hpp"
#include "pliant/serve/bake_job.hpp"
#include "pliant/serve/gallery.hpp"
#include "pliant/serve/reader_process.hpp"
#include "pliant/serve/reaper.hpp"
#include "pliant/serve/upload.hpp"
#include "pliant/serve/viewer.hpp"

namespace pliant::serve {

struct HubOptions {
  std::filesystem::path cache;    // folder of finished bake steps
  std::filesystem::path work;     // an empty folder for assets and uploads, as long as the hub
  std::filesystem::path gallery;  // folder of scene files; empty: none
  std::filesystem::path pictures;
  std::filesystem::path own;  // folder that keeps scenes of dropped meshes; empty: none are kept
  // Whose main() gives its arguments to reader_main(): it reads uploads. Empty: there are none.
  std::filesystem::path reader = {};
  ReaderLimits reader_limits = {};
  bool real_time = true;
  int cpu = -1;                     // that the loop runs on; below 0: any
  std::filesystem::path mesh = {};  // that the page is to prepare; empty: none
  // Where every cycle is recorded; of the next scenes with a number. Empty: nowhere.
  std::filesystem::path record = {};
  // Told of what viewers are told too: a scene or a bake that failed.
  std::function<void(const std::string&)> on_failure = {};
  // Told once: what the system does not let the loop have.
  std::function<void(const std::string&)> on_missing_rights = {};
};

class Hub {
 public:
  static constexpr std::size_t most_viewers = 16;
  static constexpr int ticks_a_second = 60;

  explicit Hub(HubOptions options);
  ~Hub();  // says good-bye to nobody: the network has ended. Waits for simulations

  // Bakes a scene file if needed and opens it, or opens a ready asset (.pliant).
  void open_file(const std::filesystem::path& path);

  // ---- viewers. The number of a new one; none: there are too many.
  std::optional<int> join(Link link);
  void leave(int viewer);
  void hear(int viewer, std::string_view text);
  // Every sixtieth of a second: frames, settings, progress.
  void tick();
  // Ends all connections.
  void close_all();

  // ---- what HTTP asks for
  const Gallery& gallery() const { return gallery_; }
  const HubOptions& options() const { return options_; }
  std::optional<Blob> asset(const std::string& id) const;
  // The open scene as a scene file; none: an asset was opened.
  std::optional<std::string> scene_file() const;
  // A file that the open scene names.
  std::optional<std::filesystem::path> scene_input(const std::string& name) const;
  void add_upload(UploadedMesh mesh);
  // Of a scene of the user's own mesh. Throws Error.
  void add_picture(const std::string& id, std::string_view bytes);
  // A scene of the user's own mesh goes, with its files. Throws Error: there is none, or it is open.
  void forget(const std::string& id);
  RateLimit::Verdict may_upload();

  OpenScene* scene() { return scene_.get(); }
  std::size_t viewers() const { return viewers_.size(); }
  bool baking() const { return job_ != nullptr; }
  // What went wrong with the last bake; empty: nothing.
  const std::string& last_failure() const { return last_failure_; }

 private:
  // --- messages
  void obey(Viewer& viewer, const TypedMessage& typed);
  void greet(Viewer& viewer, const HelloMessage& hello);
  void steer(Viewer& viewer, const SteerMessage& wish);
  void command(Viewer& viewer, const std::string& type, const Command& command);
  void change_material(Viewer& viewer, const MaterialMessage& wish);
  void open(Viewer& viewer, const OpenMessage& wish);
  void sketch(Viewer& viewer, const SketchMessage& wish);
  void bake(Viewer& viewer, const BakeMessage& wish);
  void measure(Viewer& viewer);
  bool allowed(Viewer& viewer, const std::string& type);
  static std::string type_of(std::uint8_t command);  // an alternative of Command

  // --- sending
  void send(Viewer& viewer, const std::string& text);
  void broadcast(const std::string& text);
  void error(Viewer& viewer, const std::string& code, const std::string& message,
             const std::string& advice, const std::string& about = "");
  void close(Viewer& viewer, CloseCode code, const std::string& reason);
  void send_scene(Viewer& viewer);
  void send_steering();
  void send_frames();
  void send_settings();
  void send_refusals();
  void send_recording_problem();
  void tell_missing_rights();

  // --- scenes
  bool refuse_while_baking(Viewer& viewer, const std::string& about);
  void require_own(const std::string& id) const;  // throws Error
  SceneFiles new_files() const;                   // of the next job
  void start_job(std::string title, std::optional<std::string> id, bool quiet, SceneFiles files,
                 BakeJob::MakeScene make, Figures quality = Figures::if_known);
  void follow_job();
  void keep(const Scene& scene, const std::string& id);
  void send_failure(Viewer& viewer);
  void show(std::unique_ptr<OpenScene> scene);
  void record();
  void carry_over(const WorldState& before);
  void release_hands();
  void forget_steering();

  double now() const { return clock_.seconds(); }
  Viewer* find(int viewer);

  HubOptions options_;
  Timer clock_;
  Gallery gallery_;
  std::map<int, Viewer> viewers_;
  int next_viewer_ = 1;
  std::optional<int> steering_;

  Reaper reaper_;
  std::unique_ptr<OpenScene> scene_;
  std::uint32_t epoch_ = 0;
  std::deque<std::pair<std::string, Blob>> assets_;  // of the last scenes
  std::deque<UploadedMesh> uploads_;
  RateLimit uploading_{6};

  struct Job {
    int id;
    std::unique_ptr<BakeJob> bake;
    bool quiet;         // not told of unless it takes long
    bool keep_changes;  // of the settings of the scene before
    std::string own;    // what the scene is kept as; empty: not at all
    double last_told;
  };
  std::unique_ptr<Job> job_;
  int next_job_ = 1;
  std::string last_failure_;

  std::int64_t ticks_ = 0, last_step_ = -1;
  double last_change_ = 0, last_settings_ = -1, last_frame_ = -1;
  std::string settings_text_;  // as it was last sent
  std::int64_t refusals_told_ = 0;
  int recordings_ = 0;
  bool recording_failed_ = false;  // and it was said
  bool rights_told_ = false;
};

}  // namespace pliant::serve
