// The way from a file to a model and back, whatever its format.
#include <filesystem>

#include "io/explicit/tra_files.hpp"
#include "io/format_of.hpp"
#include "io/format_table.hpp"
#include "io/prism/prism_reader.hpp"
#include "io/text/checked_text.hpp"
#include "io/text/other_formats.hpp"
#include "io/text/unpacked.hpp"
#include "io/text/watched_text.hpp"

namespace quantiplan {
namespace {

constexpr std::string_view kBlanks = " \t\r\n";

void check_options(const FormatRow& row, const ReadOptions& options) {
  const std::string found = "found with " + std::string(row.article) + ", ";
  if (!options.constants.empty() && !row.has_constants) {
    throw Error(ErrorCode::bad_request,
                "--const",
                found + "expected only with a program in the PRISM language or a JANI model");
  }
  if (options.reward && !row.has_reward_structures) {
    throw Error(ErrorCode::bad_request,
                "--reward",
                found +
                    "expected only where a model may have several reward structures: a PRISM "
                    "program, a JANI model, a .tra, a .drn or a .umb");
  }
}

WorkWatch watch_of(const std::string& source, const ReadOptions& options) {
  return {{source, "reading " + source, "read"}, options};
}

WorkWatch watch_of_writing(const Options& options) {
  return {{"the model", "writing the model", "written"}, options};
}

ReadModel parse(std::string_view text,
                const FormatRow& row,
                const std::string& source,
                const ReadOptions& options,
                const TraCompanions& beside,
                WorkWatch& watch) {
  check_options(row, options);
  ModelBuilder builder(source);
  builder.watched_by(&watch);
  if (options.tolerance) builder.tolerance(*options.tolerance);
  if (options.round_rewards) builder.round_rewards(*options.round_rewards);
  PrismFacts facts;
  const auto fault = row.is_text ? check_text(text) : std::nullopt;
  if (fault) {
    builder.problem(fault->line, fault->message);
  } else if (text.find_first_not_of(kBlanks) == std::string_view::npos) {
    builder.problem(0, "the text is empty, must be " + std::string(row.expected));
  } else {
    facts = row.read({text, source, options, beside, watch, builder});
  }
  Model model = builder.build();
  facts.notices.insert(facts.notices.end(), builder.notices().begin(), builder.notices().end());
  return {std::move(model),
          std::move(facts.notices),
          std::move(facts.definitions),
          options.tolerance.value_or(usual_tolerance())};
}

}  // namespace

ReadModel parse_model(std::string_view text,
                      Format format,
                      const std::string& source,
                      const ReadOptions& options) {
  WorkWatch watch = watch_of(source, options);
  return parse(text, row_of(format), source, options, {}, watch);
}

ReadModel read_model(const std::string& path, const ReadOptions& options) {
  const std::string source = path == "-" ? "standard input" : path;
  WorkWatch watch = watch_of(source, options);
  const FileBytes bytes = read_text_or_archive(path, watch);
  const std::string_view text = bytes.view();
  const std::string named = without_packing(path);
  const auto format = format_of_ending(named);
  if (!format) refuse_other_ending(named, text, source);
  const FormatRow& row = row_of(format.value_or(format_of_text(text)));
  const bool has_companions = path != "-" && !row.info.beside.empty();
  return parse(text,
               row,
               source,
               options,
               has_companions ? companions_of(named, watch) : TraCompanions{},
               watch);
}

std::string format_model(const Model& model,
                         Format format,
                         std::vector<std::string>* lost,
                         const Options& options) {
  std::vector<std::string> unasked;
  std::vector<std::string>& missing = lost == nullptr ? unasked : *lost;
  missing.clear();
  WorkWatch watch = watch_of_writing(options);
  const FormatRow& row = row_of(format);
  if (!row.info.is_written)
    throw Error(ErrorCode::refused,
                "",
                std::string(row.info.title) + " is read, not written; expected " +
                    format_names(".", ", ", " or "));
  if (row.format == nullptr) {
    throw Error(ErrorCode::refused,
                "",
                std::string(row.article) + " is several files, cannot be one text: give a file " +
                    "that ends in " + std::string(row.info.endings.front()));
  }
  return row.format(model, missing, &watch);
}

void write_model(const Model& model, const std::string& path, std::vector<std::string>* lost) {
  const auto format = path == "-" ? Format::json : format_of_ending(path);
  if (!format) {
    throw Error(ErrorCode::bad_request,
                path,
                "the ending says no format, must be " + format_names(".", ", ", " or "));
  }
  write_model(model, path, *format, lost);
}

void write_model(const Model& model,
                 const std::string& path,
                 Format format,
                 std::vector<std::string>* lost,
                 const Options& options) {
  const FormatRow& row = row_of(format);
  if (row.write_files != nullptr && path != "-") {
    std::vector<std::string> unasked;
    WorkWatch watch = watch_of_writing(options);
    row.write_files(model, path, lost == nullptr ? unasked : *lost, &watch);
  } else {
    write_text(path, format_model(model, format, lost, options));
  }
}

std::vector<std::string> files_read(const std::string& path) {
  std::vector<std::string> paths{path};
  if (path == "-") return paths;
  // Where the ending says nothing the content decides, which may be of any format.
  const std::string named = without_packing(path);
  const auto format = format_of_ending(named);
  for (const FormatRow& row : format_table()) {
    if (row.info.beside.empty() || format.value_or(row.info.format) != row.info.format) continue;
    for (std::string& beside : companion_paths(named)) {
      if (std::filesystem::exists(beside)) paths.push_back(std::move(beside));
    }
  }
  return paths;
}

std::vector<std::string> files_written(const std::string& path, Format format) {
  std::vector<std::string> paths{path};
  if (path == "-") return paths;
  for (const std::string_view ending : row_of(format).info.beside)
    paths.push_back(base_of_tra(path) + std::string(ending));
  return paths;
}

}  // namespace quantiplan
