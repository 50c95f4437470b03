// A folder in which a call keeps its passes, to go on from there after whatever ended it.
//
//     FOLDER/manifest               what is being solved: version and digest; by rank 0
//     FOLDER/DIGEST.done            the outcome of a pass that is over
//     FOLDER/DIGEST.at              where a pass stands, and which of the other files count
//     FOLDER/DIGEST.T1-T2.rules     what was recorded at times T1 down to T2
//     FOLDER/DIGEST.T.R-OF-P.part   the layer of time T, the levels of rank R of P
//
// Every file is written under another name, forced to the disk and renamed, says which problem it
// belongs to, and ends with a digest of its name and bytes: it is whole and ours, or refused with an
// Error that names it. `.at` is renamed after all that it counts on.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "quantiplan/options.hpp"

namespace quantiplan {

// Nothing of what is asked would be kept: throws Error(bad_request) that names it, if a folder was
// given.
void refuse_checkpoints(const Options& options, std::string_view with, std::string_view expected);

class CheckpointFolder {
 public:
  explicit CheckpointFolder(const Options& options);

  // What the call is about, before anything else. Throws Error(io) if the folder cannot be used, is of
  // another problem or holds part of a checkpoint only, Error(refused) if it holds one or part of one
  // and the call does not resume.
  void begin(std::uint64_t problem);
  [[nodiscard]] bool has_begun() const noexcept { return has_begun_; }

  // Time for the next checkpoint, by this process's clock.
  [[nodiscard]] bool is_due() const;
  void restart_clock() { last_ = std::chrono::steady_clock::now(); }
  [[nodiscard]] double interval_seconds() const noexcept { return interval_seconds_; }

  // A file as it was written; nothing if there is none. Throws Error(io) if it is damaged or of another
  // problem.
  [[nodiscard]] std::optional<std::vector<std::byte>> read(const std::string& name) const;
  // Throws Error(io).
  void write(const std::string& name, const std::vector<std::byte>& bytes) const;
  // Files whose names begin and end like this, but for those to be kept.
  void remove(const std::string& prefix,
              const std::string& suffix,
              const std::vector<std::string>& kept) const noexcept;
  [[noreturn]] void refuse(const std::string& name, const std::string& why) const;

 private:
  // Whether files of a checkpoint are there; what was not written to its end is removed.
  [[nodiscard]] bool tidy() const;
  [[nodiscard]] std::string path(const std::string& name) const { return folder_ + "/" + name; }

  std::string folder_;
  double interval_seconds_;
  bool resumes_;
  bool is_first_;  // rank 0, or alone
  bool has_begun_ = false;
  std::uint64_t problem_ = 0;
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

}  // namespace quantiplan
