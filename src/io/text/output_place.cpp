#include "io/text/output_place.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "base/quoted.hpp"
#include "base/whole_text.hpp"
#include "quantiplan/error.hpp"

namespace quantiplan {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse(const std::string& path, const std::string& why) {
  throw Error(ErrorCode::io, path, "cannot write: " + why);
}

// N, if the path is /proc/self/fd/N by whatever way.
std::optional<int> own_descriptor(const fs::path& path) {
  std::error_code problem;
  const fs::path own = fs::canonical("/proc/self/fd", problem);
  if (problem || fs::canonical(folder_of(path.string()), problem) != own) return std::nullopt;
  const auto number = number_in<int>(path.filename().string());
  return number && *number >= 0 ? number : std::nullopt;
}

}  // namespace

std::string folder_of(const std::string& path) {
  const fs::path folder = fs::path(path).parent_path();
  return folder.empty() ? "." : folder.string();
}

OutputPlace output_place(const std::string& path) {
  constexpr int kMostLinks = 40;  // as the system has it
  OutputPlace place;
  fs::path at = path;
  std::error_code problem;
  for (int links = 0; fs::is_symlink(fs::symlink_status(at, problem)); ++links) {
    if (const auto number = own_descriptor(at)) {
      place.kind = OutputPlace::Kind::descriptor;
      place.descriptor = *number;
      return place;
    }
    if (links == kMostLinks) refuse(path, "it is a link that leads to itself, expected a file");
    const fs::path next = fs::read_symlink(at, problem);
    if (problem) refuse(path, problem.message());
    at = next.is_absolute() ? next : at.parent_path() / next;
  }
  struct stat status {};
  // The path itself: a link in /proc leads where its text does not.
  if (::stat(path.c_str(), &status) != 0) {
    if (errno == ENOENT && at != fs::path(path)) {
      refuse(path,
             "it is a link to " + quantiplan::in_quotes(at.string()) +
                 ", which does not exist; expected a file, or a name that is free");
    }
    if (errno != ENOENT) refuse(path, std::strerror(errno));
    place.path = path;
    return place;
  }
  if (S_ISDIR(status.st_mode)) refuse(path, "it is a folder, expected a file name");
  if (S_ISREG(status.st_mode)) {
    constexpr mode_t kPermissions = 0777;
    place.path = at.string();
    place.mode = status.st_mode & kPermissions;
  } else {
    place.kind = OutputPlace::Kind::device;
    place.path = path;
  }
  return place;
}

}  // namespace quantiplan
