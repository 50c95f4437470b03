// The way from a file to a model and back, whatever its format.
#include <filesystem>

#include "io/explicit/tra_files.hpp"
#include "io/format_of.hpp"
#include "io/prism/prism_reader.hpp"
#include "io/text/checked_text.hpp"
#include "io/text/model_formats.hpp"
#include "io/text/watched_text.hpp"

namespace quantiplan {
namespace {

constexpr std::string_view kBlanks = " \t\r\n";

struct FormatWords {
  const char* title;
  const char* expected;  // of an empty text
};

constexpr const char* kOurModel =
    "a model: a JSON object, or CSV with the header "
    "idstatefrom,idaction,idstateto,probability,reward";

// In the order of Format.
constexpr FormatWords kWords[] = {
    {"JSON", kOurModel},
    {"CSV", kOurModel},
    {"a PRISM program", "a program in the PRISM language"},
    {"a .tra", "'states choices transitions' and rows"},
    {"a .drn", "'@type: MDP' and states"},
};

const FormatWords& words_of(Format format) { return kWords[static_cast<std::size_t>(format)]; }

void check_options(Format format, const ReadOptions& options) {
  const std::string found = std::string("found with ") + words_of(format).title + ", ";
  if (!options.constants.empty() && format != Format::prism) {
    throw Error(ErrorCode::bad_request,
                "--const",
                found + "expected only with a program in the PRISM language");
  }
  if (options.reward && (format == Format::json || format == Format::csv)) {
    throw Error(ErrorCode::bad_request,
                "--reward",
                found +
                    "expected only where a model may have several reward structures: a PRISM "
                    "program, a .tra or a .drn");
  }
}

WorkWatch watch_of(const std::string& source, const ReadOptions& options) {
  return {{source, "reading " + source, "read"}, options};
}

WorkWatch watch_of_writing(const Options& options) {
  return {{"the model", "writing the model", "written"}, options};
}

ReadModel parse(std::string_view text,
                Format format,
                const std::string& source,
                const ReadOptions& options,
                const TraCompanions& beside,
                WorkWatch& watch) {
  check_options(format, options);
  ModelBuilder builder(source);
  builder.watched_by(&watch);
  PrismFacts facts;
  if (const auto fault = check_text(text)) {
    builder.problem(fault->line, fault->message);
  } else if (text.find_first_not_of(kBlanks) == std::string_view::npos) {
    builder.problem(0, std::string("the text is empty, must be ") + words_of(format).expected);
  } else if (format == Format::json) {
    if (const auto only = read_json_model(text, builder)) {
      builder = ModelBuilder(source);
      builder.problem(only->line, only->message);
    }
  } else if (format == Format::csv) {
    read_csv_model(text, builder);
  } else if (format == Format::tra) {
    facts.notices = read_tra_model(text, source, beside, options, builder);
  } else if (format == Format::drn) {
    facts.notices = read_drn_model(text, source, options, builder);
  } else {
    facts = read_prism_model(text, source, options, watch, builder);
  }
  Model model = builder.build();
  facts.notices.insert(facts.notices.end(), builder.notices().begin(), builder.notices().end());
  return {std::move(model), std::move(facts.notices), std::move(facts.definitions)};
}

}  // namespace

ReadModel parse_model(std::string_view text,
                      Format format,
                      const std::string& source,
                      const ReadOptions& options) {
  WorkWatch watch = watch_of(source, options);
  return parse(text, format, source, options, {}, watch);
}

ReadModel read_model(const std::string& path, const ReadOptions& options) {
  const std::string source = path == "-" ? "standard input" : path;
  WorkWatch watch = watch_of(source, options);
  const std::string text = read_text(path, watch);
  const Format format = format_of_ending(path).value_or(format_of_text(text));
  const bool has_companions = path != "-" && format == Format::tra;
  return parse(text,
               format,
               source,
               options,
               has_companions ? companions_of(path, watch) : TraCompanions{},
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
  switch (format) {
    case Format::json:
      return format_json_model(model, &watch);
    case Format::csv:
      return format_csv_model(model, missing, &watch);
    case Format::drn:
      return format_drn_model(model, missing, &watch);
    case Format::tra:
      throw Error(ErrorCode::refused,
                  "",
                  "a .tra is several files, cannot be one text: give a file that ends in .tra");
    default:
      return format_prism_model(model, missing, &watch);
  }
}

void write_model(const Model& model, const std::string& path, std::vector<std::string>* lost) {
  const auto format = path == "-" ? Format::json : format_of_ending(path);
  if (!format) {
    throw Error(ErrorCode::bad_request,
                path,
                "the ending says no format, must be .json, .csv, .prism, .tra or .drn");
  }
  write_model(model, path, *format, lost);
}

void write_model(const Model& model,
                 const std::string& path,
                 Format format,
                 std::vector<std::string>* lost,
                 const Options& options) {
  if (format == Format::tra && path != "-") {
    std::vector<std::string> unasked;
    WorkWatch watch = watch_of_writing(options);
    write_tra_model(model, path, lost == nullptr ? unasked : *lost, &watch);
  } else {
    write_text(path, format_model(model, format, lost, options));
  }
}

std::vector<std::string> files_read(const std::string& path) {
  std::vector<std::string> paths{path};
  // Where the ending says nothing the content decides, which may be that of a .tra.
  if (path == "-" || format_of_ending(path).value_or(Format::tra) != Format::tra) return paths;
  for (std::string& beside : companion_paths(path)) {
    if (std::filesystem::exists(beside)) paths.push_back(std::move(beside));
  }
  return paths;
}

std::vector<std::string> files_written(const std::string& path, Format format) {
  std::vector<std::string> paths{path};
  if (path == "-" || format != Format::tra) return paths;
  const std::string base = base_of_tra(path);
  for (const char* ending : {".lab", ".sta", ".srew", ".trew"}) paths.push_back(base + ending);
  return paths;
}

}  // namespace quantiplan
