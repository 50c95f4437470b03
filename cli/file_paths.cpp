#include "file_paths.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "quantiplan/error.hpp"

namespace quantiplan::cli {

bool is_same_file(const std::string& a, const std::string& b) {
  namespace fs = std::filesystem;
  if (a == "-" || b == "-") return false;
  std::error_code ignored;
  const fs::file_status status = fs::status(a, ignored);
  if (fs::exists(status) && !fs::is_regular_file(status)) return false;
  if (fs::exists(status) && fs::exists(b, ignored)) return fs::equivalent(a, b, ignored);
  // Only an absolute path is resolved from its first part on.
  return fs::weakly_canonical(fs::absolute(a, ignored), ignored) ==
         fs::weakly_canonical(fs::absolute(b, ignored), ignored);
}

void require_one_standard_input(const std::string& model,
                                const std::string& policy,
                                const char* flag) {
  if (model == "-" && policy == "-")
    throw Error(ErrorCode::bad_request, flag, "only one of MODEL and POLICY may be -");
}

void require_writable(const std::string& path,
                      const char* flag,
                      const std::vector<InputFile>& inputs) {
  namespace fs = std::filesystem;
  if (path == "-") return;
  if (path.empty())
    throw Error(ErrorCode::bad_request, flag, "found an empty name, expected a file name");
  for (const InputFile& input : inputs) {
    if (!is_same_file(path, input.path)) continue;
    throw Error(
        ErrorCode::bad_request,
        flag,
        fmt::format("'{}' would overwrite {}, expected another file name", path, input.what));
  }
  const auto fail = [&](const char* why) {
    throw Error(ErrorCode::io, path, fmt::format("cannot write: {}", why));
  };
  std::error_code ignored;
  const fs::file_status status = fs::status(path, ignored);
  if (fs::is_directory(status)) fail("it is a folder, expected a file name");
  // A regular file is replaced, so its folder must take a new one; a device or a pipe is written
  // to.
  const bool replaced = !fs::exists(status) || fs::is_regular_file(status);
  const fs::path folder = fs::path(path).has_parent_path() ? fs::path(path).parent_path() : ".";
  const int needed = replaced ? W_OK | X_OK : W_OK;
  if (access(replaced ? folder.c_str() : path.c_str(), needed) != 0) fail(std::strerror(errno));
}

}  // namespace quantiplan::cli
