// Text to model and back, policy to text and back. Readers name file, line, place, found, expected.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "quantiplan/model.hpp"
#include "quantiplan/policy.hpp"

namespace quantiplan {

enum class Format { json, csv };

struct ReadModel {
  Model model;
  std::vector<std::string> notices;  // "file:line: where: what was mended"
};

// By content of the text: `source` is the name shown in messages. Throws Error(bad_model).
ReadModel parse_model(std::string_view text, Format format, const std::string& source);
// From a file, or standard input if path is "-". The format is that of the ending (.json, .csv),
// else of the first character that is no white space ('{' or '[' is JSON). Throws Error(io) or
// Error(bad_model).
ReadModel read_model(const std::string& path);

// Lossless in value; a CSV cannot hold name, horizon, discount, initial state or states without
// choices and transitions: `lost` says which of them this model has.
std::string format_model(const Model& model,
                         Format format,
                         std::vector<std::string>* lost = nullptr);
// The ending of the path decides. Written to a temporary file and renamed.
void write_model(const Model& model,
                 const std::string& path,
                 std::vector<std::string>* lost = nullptr);

Policy parse_policy(std::string_view text, const Model& model, const std::string& source);
Policy read_policy(const std::string& path, const Model& model);
std::string format_policy(const Policy& policy, const Model& model);
void write_policy(const Policy& policy, const Model& model, const std::string& path);

// The whole of a file, or of standard input for "-". Throws Error(io).
std::string read_text(const std::string& path);
// All or nothing: a temporary file in the same folder, renamed over `path`. Throws Error(io).
void write_text(const std::string& path, std::string_view text);

}  // namespace quantiplan
