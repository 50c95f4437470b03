// A model as output: in which format, and where to.
#pragma once

#include <optional>
#include <string>

#include "quantiplan/formats.hpp"
#include "quantiplan/model.hpp"

namespace quantiplan::cli {

// What --to takes.
constexpr const char* kFormatNames = "json|csv|prism|tra|drn";

// The format that `to` names, else the one the path ends in. Throws Error(bad_request); `flag` is
// the place of the path.
Format model_format(const std::string& path,
                    const std::optional<std::string>& to,
                    const char* flag);
// All files that this format would write can be written. Throws Error(io).
void require_model_writable(const std::string& path, Format format, const char* flag);
// To a file, or to standard output for "-". What the format has no place for is a notice, unless
// quiet.
void write_model_as(const Model& model, Format format, const std::string& path, bool quiet);

}  // namespace quantiplan::cli
