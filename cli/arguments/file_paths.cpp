#include "arguments/file_paths.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include "console/console.hpp"
#include "quantiplan/error.hpp"
#include "quantiplan/formats.hpp"
#include "quantiplan/visible.hpp"

namespace quantiplan::cli {
namespace {

// Device and number tell files apart.
std::string identity(const struct stat& status) {
  if (!S_ISREG(status.st_mode)) return {};
  return fmt::format("{}:{}", status.st_dev, status.st_ino);
}

std::string file_at(const std::string& path, int standard) {
  namespace fs = std::filesystem;
  struct stat status {};
  if (path == "-") return ::fstat(standard, &status) == 0 ? identity(status) : std::string();
  if (::stat(path.c_str(), &status) == 0) return identity(status);
  // Only an absolute path is resolved from its first part on.
  std::error_code ignored;
  return fs::weakly_canonical(fs::absolute(path, ignored), ignored).string();
}

}  // namespace

std::string file_read_at(const std::string& path) { return file_at(path, STDIN_FILENO); }
std::string file_written_at(const std::string& path) { return file_at(path, STDOUT_FILENO); }

std::vector<InputFile> model_inputs(const std::string& path) {
  std::vector<InputFile> inputs;
  for (std::string& each : files_read(path)) {
    inputs.push_back({inputs.empty() ? "the model" : "a file of the model", std::move(each)});
  }
  return inputs;
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
  if (is_silent()) return;
  if (path.empty())
    throw Error(ErrorCode::bad_request, flag, "found an empty name, expected a file name");
  const std::string own = file_written_at(path);
  for (const InputFile& input : inputs) {
    if (own.empty() || own != file_read_at(input.path)) continue;
    throw Error(ErrorCode::bad_request,
                flag,
                fmt::format("{} would overwrite {}, expected another file name",
                            path == "-" ? "standard output" : fmt::format("'{}'", visible(path)),
                            input.what));
  }
  quantiplan::require_writable(path);
}

}  // namespace quantiplan::cli
