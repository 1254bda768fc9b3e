// SPDX-License-Identifier: MIT
#include "pliant/serve/reader_process.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <new>
#include <optional>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <poll.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "pliant/base/file.hpp"
#include "pliant/base/parallel.hpp"
#include "pliant/base/tensor_file.hpp"

extern char** environ;

namespace pliant::serve {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
const std::uint64_t ReaderLimits::default_memory = 0;  // sanitizers map terabytes
#else
const std::uint64_t ReaderLimits::default_memory = std::uint64_t{2} << 30;
#endif

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

constexpr std::string_view call = "read-upload";
constexpr int arguments = 7;  // program, call, name, folder, three limits
// In the folder: what was sent, alone in a folder of its own, and what was read.
constexpr const char *given = "given/mesh", *surface_file = "surface", *asset_file = "asset";
constexpr std::size_t longest_message = 4096;

enum ExitCode : int { done = 0, bad_mesh = 1, no_memory = 2, not_stored = 3 };

// ---- the reader

// Hard by one more: of the time, the system first says which limit it was (SIGXCPU), then kills.
void limit(int resource, std::uint64_t most) {
  const rlimit value{most, most + 1};
  setrlimit(static_cast<__rlimit_resource>(resource), &value);
}

void write_result(const UploadedMesh& mesh, const fs::path& folder) {
  AtomicFile asset(folder / asset_file);
  asset.write(mesh.asset.bytes);
  asset.commit();
  TensorWriter writer;
  writer.add("V", mesh.surface.V);
  writer.add("F", mesh.surface.F);
  writer.set("upload",
             Json{{"id", mesh.id}, {"asset_id", mesh.asset_id}, {"notes", mesh.notes}}.dump(
                 -1, ' ', true, Json::error_handler_t::replace));
  writer.write(folder / surface_file);
}

void say(std::string_view message) {
  std::fwrite(message.data(), 1, message.size(), stdout);
  std::fflush(stdout);
}

// ---- the server

Refusal refused(std::string message, std::string advice) {
  return {422, "mesh", std::move(message), std::move(advice)};
}

[[noreturn]] void refuse_storing(std::string_view problem) {
  throw UploadRefused(
      {507, "disk", fmt::format("The server cannot store the file: {}.", problem),
       "Make room in the server's folder of temporary files (TMPDIR), then send the "
       "file again."});
}

// Not by AtomicFile: its errors name the path, which is none of the user's business.
void store(std::string_view bytes, const fs::path& path) {
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (file < 0) refuse_storing(std::strerror(errno));
  int problem = 0;
  while (!bytes.empty() && problem == 0) {
    const auto written = ::write(file, bytes.data(), bytes.size());
    if (written < 0 && errno != EINTR) problem = errno;
    if (written > 0) bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  if (::close(file) != 0 && problem == 0) problem = errno;
  if (problem != 0) refuse_storing(std::strerror(problem));
}

class Child {
 public:
  // What it prints comes through a pipe; it inherits nothing else.
  Child(const fs::path& program, std::vector<std::string> words) {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) fail(errno);
    output_ = ends[0];
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, ends[1], 1);
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addclosefrom_np(&actions, 3);
    std::vector<char*> argv;
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    // One thread: its stacks and the pools of others would count as memory.
    std::string one_thread = "OPENBLAS_NUM_THREADS=1", one_arena = "MALLOC_ARENA_MAX=1";
    std::vector<char*> environment{one_thread.data(), one_arena.data()};
    for (char** word = environ; *word != nullptr; ++word) environment.push_back(*word);
    environment.push_back(nullptr);
    const int problem =
        posix_spawn(&id_, program.c_str(), &actions, nullptr, argv.data(), environment.data());
    posix_spawn_file_actions_destroy(&actions);
    ::close(ends[1]);
    if (problem != 0) {
      ::close(output_);
      fail(problem);
    }
  }
  ~Child() {
    ::close(output_);
    if (ended_) return;
    ::kill(id_, SIGKILL);
    while (::waitpid(id_, nullptr, 0) < 0 && errno == EINTR) {
    }
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  // How it ended, and what it has said; none: not in time, or a stop came before.
  std::optional<int> wait(std::chrono::seconds patience, const std::stop_token& stop,
                          std::string& said) {
    constexpr int slice = 20;  // ms
    const auto end = std::chrono::steady_clock::now() + patience;
    pollfd output{output_, POLLIN, 0};
    while (std::chrono::steady_clock::now() < end && !stop.stop_requested()) {
      if (::poll(&output, 1, slice) > 0) {
        std::array<char, 1024> text{};
        const auto got = ::read(output_, text.data(), text.size());
        if (got <= 0) output.fd = -1;  // its end: poll() only sleeps from now on
        const auto room = longest_message - std::min(said.size(), longest_message);
        if (got > 0) said.append(text.data(), std::min(room, static_cast<std::size_t>(got)));
      }
      int status = 0;
      if (output.fd < 0 && ::waitpid(id_, &status, WNOHANG) == id_) {
        ended_ = true;
        return status;
      }
    }
    return std::nullopt;
  }

 private:
  [[noreturn]] static void fail(int problem) {
    throw UploadRefused(
        {503, "mesh", fmt::format("The server cannot start a reader: {}.", std::strerror(problem)),
         "Try again later."});
  }

  pid_t id_ = 0;
  int output_ = -1;
  bool ended_ = false;
};

constexpr const char* coarser = "Send a coarser mesh, or one in another format.";

Refusal too_slow(const std::string& name, const ReaderLimits& limits) {
  return refused(fmt::format("{}: it takes more than {} s to read", name, limits.seconds), coarser);
}

// Why a reader that did not succeed has ended.
Refusal explain(int status, std::string said, const std::string& name, const ReaderLimits& limits) {
  if (WIFEXITED(status)) {
    switch (WEXITSTATUS(status)) {
      case bad_mesh:
        return refused(std::move(said), "Repair the file, or export it again.");
      case no_memory:
        return refused(fmt::format("{}: it takes more than {} MiB of memory to read", name,
                                   limits.memory >> 20),
                       coarser);
      case not_stored:
        refuse_storing("there is no room for the mesh");
      default:
        break;
    }
  }
  const int signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  if (signal == SIGXCPU) return too_slow(name, limits);
  const std::string how = signal != 0 ? fmt::format("signal {}", signal)
                                      : fmt::format("exit code {}", WEXITSTATUS(status));
  return refused(fmt::format("{}: its reader broke off ({})", name, how),
                 "Export the mesh again, or in another format.");
}

// A reader that a file has taken over may have written anything.
UploadedMesh take_result(const std::string& name, const fs::path& folder) {
  UploadedMesh mesh;
  mesh.name = name;
  const TensorFile file(folder / surface_file);
  mesh.surface.V = file.matrix<double>("V", 3);
  mesh.surface.F = file.matrix<int>("F", 3);
  const int points = mesh.surface.vertex_count();
  if (points == 0 || mesh.surface.face_count() == 0 || !mesh.surface.V.allFinite() ||
      mesh.surface.F.minCoeff() < 0 || mesh.surface.F.maxCoeff() >= points) {
    throw Error("the surface is not sound");
  }
  const Json about = Json::parse(file.metadata().at("upload"));
  mesh.id = about.at("id");
  mesh.asset_id = about.at("asset_id");
  mesh.notes = about.at("notes");
  const auto asset = std::make_shared<const MappedFile>(folder / asset_file);
  mesh.asset = {asset, asset->bytes()};
  return mesh;
}

}  // namespace

UploadedMesh read_upload_apart(std::string_view bytes, const std::string& name,
                               const fs::path& program, const fs::path& folder,
                               const ReaderLimits& limits, const std::stop_token& stop) {
  const std::string shown = printable(name);
  try {
    fs::create_directories((folder / given).parent_path());
  } catch (const fs::filesystem_error& error) {
    refuse_storing(error.code().message());
  }
  store(bytes, folder / given);
  Child child(program, {program.string(), std::string(call), name, folder.string(),
                        std::to_string(limits.memory), std::to_string(limits.file),
                        std::to_string(limits.seconds)});
  std::string said;
  const auto status = child.wait(std::chrono::seconds(2 * limits.seconds), stop, said);
  if (!status) throw UploadRefused(too_slow(shown, limits));
  if (!WIFEXITED(*status) || WEXITSTATUS(*status) != done) {
    throw UploadRefused(explain(*status, std::move(said), shown, limits));
  }
  try {
    return take_result(shown, folder);
  } catch (const std::exception&) {
    throw UploadRefused(explain(0, "", shown, limits));
  }
}

bool is_reader_call(int argc, char** argv) {
  return argc == arguments && argv[1] == call;
}

int reader_main(int, char** argv) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);  // not longer than the server
  signal(SIGXFSZ, SIG_IGN);          // a file that grows too large is an error of writing
  const std::string name = argv[2];
  const fs::path folder = argv[3];
  UploadedMesh mesh;
  try {
    if (const auto memory = std::stoull(argv[4]); memory > 0) limit(RLIMIT_AS, memory);
    limit(RLIMIT_FSIZE, std::stoull(argv[5]));
    limit(RLIMIT_CPU, std::stoull(argv[6]));
    limit(RLIMIT_CORE, 0);
    set_threads(1);
    mesh = read_upload(folder / given, name);
  } catch (const std::bad_alloc&) {
    return no_memory;
  } catch (const std::exception& error) {
    say(error.what());
    return bad_mesh;
  }
  try {
    write_result(mesh, folder);
  } catch (const std::bad_alloc&) {
    return no_memory;
  } catch (const std::exception&) {
    return not_stored;
  }
  return done;
}

}  // namespace pliant::serve
