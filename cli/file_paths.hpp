// Paths on the command line, looked at before the work begins: what is read is not overwritten,
// what is to be written can be.
#pragma once

#include <string>
#include <vector>

namespace quantiplan::cli {

// A file that is read, with what a message calls it: "the model".
struct InputFile {
  const char* what;
  std::string path;
};

// Both paths lead to one regular file, or would; links are followed, "-" is no file.
bool is_same_file(const std::string& a, const std::string& b);
// Before hours are spent on its content: throws Error(io) unless a file could be made at `path`,
// Error(bad_request) if the path is empty or one of the inputs; `flag` is the place of the error.
void require_writable(const std::string& path,
                      const char* flag,
                      const std::vector<InputFile>& inputs);
// Throws Error(bad_request) if standard input would have to be read twice.
void require_one_standard_input(const std::string& model,
                                const std::string& policy,
                                const char* flag);

}  // namespace quantiplan::cli
