// SPDX-License-Identifier: MIT
// Uploads are read by a process of their own, with limits that the system keeps: a file may make its
// reader use up memory or time, or crash, and the server, whose memory the 1 kHz loop shares, goes
// on.
//
//   server                                        reader
//   writes the bytes to a folder, starts it  ->   sets its limits, reads and mends the mesh,
//   waits, and takes what it has written     <-   writes it to the folder; or says what is wrong
#pragma once

#include <cstdint>
#include <filesystem>
#include <stop_token>
#include <string>
#include <string_view>

#include "pliant/base/error.hpp"
#include "pliant/serve/access.hpp"
#include "pliant/serve/upload.hpp"

namespace pliant::serve {

struct ReaderLimits {
  static const std::uint64_t default_memory;

  std::uint64_t memory = default_memory;          // bytes of its address space; 0: any
  std::uint64_t file = std::uint64_t{512} << 20;  // bytes of a file that it writes
  int seconds = 60;                               // of a processor, and twice as many of the clock
};

// An upload that gave no mesh, and how that is answered.
class UploadRefused : public Error {
 public:
  explicit UploadRefused(Refusal refusal) : Error(refusal.message), refusal_(std::move(refusal)) {}
  const Refusal& refusal() const { return refusal_; }

 private:
  Refusal refusal_;
};

// In the server. `program`: its main() gives its arguments to reader_main(). `folder`: empty, or not
// there yet. Throws UploadRefused; a stop ends the reader, and is a refusal too.
UploadedMesh read_upload_apart(std::string_view bytes, const std::string& name,
                               const std::filesystem::path& program,
                               const std::filesystem::path& folder, const ReaderLimits& limits,
                               const std::stop_token& stop = {});

// In the program: is this a call of read_upload_apart()? Then main() returns reader_main().
bool is_reader_call(int argc, char** argv);
int reader_main(int argc, char** argv);

}  // namespace pliant::serve
