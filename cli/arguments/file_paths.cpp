#include "arguments/file_paths.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "console/console.hpp"
#include "quantiplan/error.hpp"
#include "quantiplan/formats.hpp"
#include "quantiplan/utility.hpp"
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

void add_utilities(const std::vector<std::string>& criteria,
                   const char* flag,
                   std::vector<InputFile>& inputs) {
  constexpr std::string_view kUtility = "utility:";
  for (const std::string& criterion : criteria) {
    if (!criterion.starts_with(kUtility)) continue;
    const std::string path = criterion.substr(kUtility.size());
    if (is_utility_name(path)) continue;
    if (path == "-" &&
        std::ranges::any_of(inputs, [](const InputFile& input) { return input.path == "-"; }))
      throw Error(ErrorCode::bad_request, flag, "only one of MODEL and the utilities may be -");
    inputs.push_back({"the utility", path});
  }
}

void require_one_standard_input(const std::string& model,
                                const std::string& policy,
                                const char* flag) {
  if (model == "-" && policy == "-")
    throw Error(ErrorCode::bad_request, flag, "only one of MODEL and POLICY may be -");
}

void require_apart(const std::string& path,
                   const char* flag,
                   const std::string& taken,
                   const char* other) {
  const std::string place = file_written_at(taken);
  const bool is_standard = path == "-" && taken == "-";
  if (!is_standard && (place.empty() || file_written_at(path) != place)) return;
  throw Error(ErrorCode::bad_request,
              flag,
              fmt::format("{} takes {} already, expected another file name",
                          path == "-" ? "standard output" : fmt::format("'{}'", visible(path)),
                          other));
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
