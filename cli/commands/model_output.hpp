// A model as output: in which format, and where to.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "arguments/file_paths.hpp"
#include "quantiplan/formats.hpp"
#include "quantiplan/model.hpp"

namespace quantiplan::cli {

// The format that `to` names, else the one the path ends in. Throws Error(bad_request); `flag` is
// the place of the path.
Format model_format(const std::string& path,
                    const std::optional<std::string>& to,
                    const char* flag);
// All files that this format would write can be written, and none of them is one that is read or
// another of them. Throws Error(io), Error(bad_request).
void require_model_writable(const std::string& path,
                            Format format,
                            const char* flag,
                            const std::vector<InputFile>& inputs);
// To a file, or to standard output for "-". What the format has no place for is a notice, unless
// quiet.
void write_model_as(
    const Model& model, Format format, const std::string& path, bool quiet, const Options& limits);

}  // namespace quantiplan::cli
