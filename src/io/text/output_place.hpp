// What a path leads to, for whoever writes there.
//
//     report.txt               a file, new or to be replaced
//     link -> report.txt       the file behind it; the link stays
//     link -> nowhere          refused: whoever made the link meant another place, or it is gone
//     link -> link             refused
//     /dev/null, a pipe        a device: written to, never replaced
//     /dev/stdout, /dev/fd/3   a descriptor of this process, whatever it is redirected to
#pragma once

#include <sys/stat.h>

#include <optional>
#include <string>

namespace quantiplan {

struct OutputPlace {
  enum class Kind { file, device, descriptor };
  Kind kind = Kind::file;
  std::string path;            // behind all links
  std::optional<mode_t> mode;  // permissions of a file that is there
  int descriptor = -1;
};

// Throws Error(io) where nothing can be written: a folder, a link to nowhere or to itself.
OutputPlace output_place(const std::string& path);

// "." for a bare name.
std::string folder_of(const std::string& path);

}  // namespace quantiplan
