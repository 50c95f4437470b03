// Texts under limits: the whole of a file as it is read, a model as it is written.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/work_watch.hpp"
#include "io/text/file_bytes.hpp"

namespace quantiplan {

// What has no size of its own, a pipe or a device, may have no end either: up to this many bytes of
// it are read. What is made of a text takes several times as much, and so does a text that grows:
// a sixteenth of the memory is far from its end, and beyond every limit of a few megabytes that
// memory itself sets.
constexpr std::uint64_t most_of_a_stream(std::uint64_t memory_limit) {
  constexpr std::uint64_t kLeast = std::uint64_t{256} << 20U;
  constexpr std::uint64_t kMost = std::uint64_t{4} << 30U;
  return std::clamp(memory_limit / 16, kLeast, kMost);
}

// As read_text(path) of formats.hpp, unpacked if it was packed (unpacked.hpp); Error(refused) at a limit of `watch`, which is asked for the
// memory of the text before it is taken.
std::string read_text(const std::string& path, WorkWatch& watch);
// The same for what may be an archive instead, which is no text: mapped, if it is a plain one.
FileBytes read_text_or_archive(const std::string& path, WorkWatch& watch);
// Whether a file that begins so is a tar archive or a compressed one.
bool is_archive(std::string_view beginning);

// As a text grows, after each piece of a few lines. Throws Error(refused) at a limit of `watch`, if
// there is one.
inline void look_at_text(const std::string& text, WorkWatch* watch) {
  if (watch == nullptr) return;
  constexpr std::uint64_t kPiece = 65536;
  watch->step(64);
  // Soon it will be copied to a place of twice its size.
  if (text.capacity() - text.size() < kPiece) watch->ask_if_large(text.capacity());
}

}  // namespace quantiplan
