// Paths on the command line, looked at before the work begins: what is read is not overwritten,
// nothing is written twice to one place, and what is to be written can be.
#pragma once

#include <string>
#include <vector>

namespace quantiplan::cli {

// A file that is read, with what a message calls it: "the model".
struct InputFile {
  const char* what;
  std::string path;
};
// A model with all files that belong to it.
std::vector<InputFile> model_inputs(const std::string& path);
// Adds the tables of utilities that criteria, such as "utility:FILE", are read from. Throws
// Error(bad_request) if standard input would have to be read twice; `flag` is the place of the criteria.
void add_utilities(const std::vector<std::string>& criteria,
                   const char* flag,
                   std::vector<InputFile>& inputs);

// Which regular file a path leads to, or would: equal for equal files, whatever links and names
// lead there. "-" is standard input, and standard output, where these are redirected. Empty where
// there is no such file: a terminal, a pipe, a device.
std::string file_read_at(const std::string& path);
std::string file_written_at(const std::string& path);

// Before hours are spent on its content: throws Error(io) unless a file could be made at `path`,
// Error(bad_request) if the path is empty or one of the inputs; `flag` is the place of the error.
void require_writable(const std::string& path,
                      const char* flag,
                      const std::vector<InputFile>& inputs);
// Throws Error(bad_request) if both would be written to one place, which `other` calls, as "the report",
// what it takes already.
void require_apart(const std::string& path,
                   const char* flag,
                   const std::string& taken,
                   const char* other);
// Throws Error(bad_request) if standard input would have to be read twice.
void require_one_standard_input(const std::string& model,
                                const std::string& policy,
                                const char* flag);

}  // namespace quantiplan::cli
