// The files of a tar archive that lies in memory, by their paths, and such an archive written.
//
//     header (512 bytes: name, size, checksum, type, "ustar")   content   zeros up to 512   ...
//
// Trusts nothing: a checksum that is wrong, a size beyond the end, a path that is absolute or climbs
// ("..", "//"), a path twice, links, devices, sparse files and more than kMostEntries entries are
// refused, each by what it is. Extended headers are skipped where they change neither path nor size.
// Nothing is copied: the files are views of the archive.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "base/work_watch.hpp"

namespace quantiplan {

class TarArchive {
 public:
  // Throws Error(bad_model) at `source`.
  TarArchive(std::string_view bytes, const std::string& source);

  // Nullptr if there is no such file.
  [[nodiscard]] const std::string_view* find(std::string_view path) const;
  [[nodiscard]] const std::map<std::string, std::string_view, std::less<>>& files() const {
    return files_;
  }
  static constexpr std::size_t kMostEntries = 100000;

 private:
  std::map<std::string, std::string_view, std::less<>> files_;
};

// Whether these bytes begin as a tar archive does.
bool is_tar(std::string_view bytes);

// One file after the other; the same content gives the same bytes.
class TarWriter {
 public:
  // A path of at most 100 characters, or one that can be cut at a '/' into at most 155 and 100.
  // Throws Error(refused) beyond that.
  void add(std::string_view path, std::string_view content);
  // With the two empty blocks at the end.
  std::string take();
  [[nodiscard]] const std::string& so_far() const { return bytes_; }

 private:
  std::string bytes_;
};

}  // namespace quantiplan
