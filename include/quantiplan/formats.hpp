// Text to model and back, policy to text and back. Readers name file, line, place, found, expected.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "quantiplan/model.hpp"
#include "quantiplan/options.hpp"
#include "quantiplan/policy.hpp"

namespace quantiplan {

// json   quantiplan-model/1         csv   one outcome a row        (docs/model-format.md)
// prism  the PRISM language
// tra    PRISM's explicit files: .tra, and beside it .lab, .srew, .trew, .sta
// drn    Storm's explicit format                                    (docs/model-checkers.md)
// umb    unified Markov binary, of PRISM, Storm and Modest: an archive of arrays
// jani   the JANI exchange format; read, not written
// tra_decimals, storm_tra   tra with decimals instead of fractions, and in the variant that Storm
//        reads; written, and read as tra
enum class Format { json, csv, prism, tra, drn, umb, jani, tra_decimals, storm_tra };

// What is to be known of a format from outside.
struct FormatInfo {
  Format format;
  std::string_view name;   // "tra"
  std::string_view title;  // "PRISM's explicit format"
  // Of file names; the first is a dot and the name. None: a variant, which has to be asked for.
  std::span<const std::string_view> endings;
  std::span<const std::string_view> beside;  // endings of files of the same name that go with it
  bool is_written = true;
};
// Each once, in the order of Format.
const std::vector<FormatInfo>& model_formats();
// The names of those that can be written, in a row: ("", ", ", " or ") gives "json, csv, prism, ...
// or storm-tra"; before which a dot stands: those that are endings.
std::string format_names(std::string_view before,
                         std::string_view between,
                         std::string_view before_last);

// A name of a PRISM program that an expression may use: a constant with its value, or a formula.
struct Definition {
  std::string name;
  std::string text;  // an expression of the PRISM language
};

// How a model is read. Where a format has nothing of the kind, giving it is an Error(bad_request).
struct ReadOptions {
  // Constants of a PRISM program that it leaves undefined, each with an expression: "N" and "3".
  std::vector<Definition> constants;
  // The reward structure: its name, or its position from 1. Absent: the first, with a notice if
  // there are others.
  std::optional<std::string> reward;
  // Keeps the others, too, for writing: a reward of each outcome in each of them.
  bool all_rewards = false;
  // Of the text, the model and all that is held on the way; 0: 80 % of the memory that is free.
  std::uint64_t memory_limit_bytes = 0;
  double time_limit_seconds = 0;  // 0: none
  std::uint32_t threads = 0;      // 0: one per core; the model is the same
  // Called while states are explored, at most some times a second.
  std::function<void(const Progress&)> progress;
  // Set to true from another thread or a signal handler: Error(refused), with no model.
  const std::atomic<bool>* stop = nullptr;
  // How far from 1 probabilities may sum, and the decimals that rewards are rounded to (model.hpp).
  std::optional<Rational> tolerance = std::nullopt;
  std::optional<std::uint32_t> round_rewards = std::nullopt;
};

struct ReadModel {
  Model model;
  std::vector<std::string> notices;  // "file:line: where: what was mended"
  std::vector<Definition> definitions = {};
  // How far from 1 probabilities may sum and be normalised, also those of initial states that a
  // query brings (normalise).
  Rational tolerance = usual_tolerance();
};

// By content of the text: `source` is the name shown in messages. Of tra, the text of the .tra
// alone. Throws Error(bad_model).
ReadModel parse_model(std::string_view text,
                      Format format,
                      const std::string& source,
                      const ReadOptions& options = {});
// From a file, or standard input if path is "-". The format is that of the ending (model_formats),
// else that of the content; a .tra is read with the files of the same name beside it. Throws Error(io), Error(bad_model), Error(bad_request) or Error(refused).
ReadModel read_model(const std::string& path, const ReadOptions& options = {});

// The states that a text names, ascending: names of states or labels with commas between them, or
// else a condition in the PRISM language over the variables of states "(x=1,b=true)", labels
// ("done", with its quotation marks) and definitions. Throws Error(bad_request); `flag` is its
// place.
std::vector<State> states_where(const ReadModel& read, const std::string& text, const char* flag);

// Lossless in value; what a format has no place for is named in `lost` ("the horizon"). Throws
// Error(refused) where the format cannot hold the model at all, for tra, which is several files,
// and beyond the limits of the options, which hold for the text alone.
std::string format_model(const Model& model,
                         Format format,
                         std::vector<std::string>* lost = nullptr,
                         const Options& options = {});
// The ending of the path decides; "-" is standard output, and JSON. Each file is written to a
// temporary one and renamed; tra writes all its files, those of the same name beside it.
void write_model(const Model& model,
                 const std::string& path,
                 std::vector<std::string>* lost = nullptr);
// In this format, whatever the path ends in.
void write_model(const Model& model,
                 const std::string& path,
                 Format format,
                 std::vector<std::string>* lost = nullptr,
                 const Options& options = {});

Policy parse_policy(std::string_view text, const Model& model, const std::string& source);
// The limits of the options hold for reading the file.
Policy read_policy(const std::string& path, const Model& model, const Options& options = {});
// As for models, the limits of the options hold for the text alone.
std::string format_policy(const Policy& policy, const Model& model, const Options& options = {});
void write_policy(const Policy& policy, const Model& model, const std::string& path);

// The whole of a file, or of standard input for "-". Throws Error(io), also where it is no text, or
// a pipe that never ends, and Error(refused) where it needs more than 80 % of the memory that
// is free.
std::string read_text(const std::string& path);
// All or nothing: a temporary file in the same folder, brought to the disk, renamed over `path`.
// Behind a link the file it leads to is replaced; devices, pipes and descriptors of this process
// (/dev/stdout) are written to. Throws Error(io), also for links that lead nowhere or to
// themselves.
void write_text(const std::string& path, std::string_view text);
// Throws the Error(io) that write_text would, as far as that can be told before there is a text.
void require_writable(const std::string& path);

// The files that read_model would read: with a .tra, also those beside it that there are.
std::vector<std::string> files_read(const std::string& path);
// The files that write_model would write or remove: with tra, also those beside it.
std::vector<std::string> files_written(const std::string& path, Format format);

}  // namespace quantiplan
