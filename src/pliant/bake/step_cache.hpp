// SPDX-License-Identifier: MIT
// Results of finished bake steps, on disk: one tensor file each, named by the key of its inputs.
// Several processes and users may use one folder at a time. An entry appears whole or not at all; one
// that was damaged later, or is another key's, is found out by its hashes and the key in it, removed
// and made anew. A folder that cannot be written to serves as long as all entries are there.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "pliant/base/progress.hpp"
#include "pliant/base/tensor_file.hpp"

namespace pliant {

class StepCache {
 public:
  // $XDG_CACHE_HOME/pliant, or ~/.cache/pliant.
  static std::filesystem::path default_folder();

  // Makes the folder if it is not there, and removes what killed processes left half-written.
  // Throws Error if it cannot be used.
  explicit StepCache(std::filesystem::path folder);

  const std::filesystem::path& folder() const { return folder_; }

  // The entry of this key, if there is a sound one.
  std::optional<TensorFile> find(const std::string& key) const;

  struct Entry {
    TensorFile file;
    bool made;  // or found
  };
  // The entry, filled in by `make` if it is not there; its metadata get the "seconds" that it took
  // and its "key". Whoever else wants an entry that is being made waits for it, in
  // this process or another; the wait can be cancelled.
  Entry find_or_make(const std::string& key, const std::function<void(TensorWriter&)>& make,
                     const Progress& progress) const;

  // Removes the entries that were not used for longest, until the others take at most `bytes`.
  void trim(std::uintmax_t bytes) const;

 private:
  std::filesystem::path path_of(const std::string& key) const;

  std::filesystem::path folder_;
};

}  // namespace pliant
