// A model as output: in which format, and where to.
#pragma once

#include <optional>
#include <string>

#include "quantiplan/formats.hpp"
#include "quantiplan/model.hpp"

namespace quantiplan::cli {

// The format that `to` names, else the one the path ends in. Throws Error(bad_request); `flag` is
// the place of the path.
Format model_format(const std::string& path,
                    const std::optional<std::string>& to,
                    const char* flag);
// To a file, or to standard output for "-". What a CSV has no place for is a notice, unless quiet.
void write_model_as(const Model& model, Format format, const std::string& path, bool quiet);

}  // namespace quantiplan::cli
