#include "io/format_table.hpp"

#include <array>

#include "io/explicit/explicit_writing.hpp"
#include "io/explicit/tra_files.hpp"
#include "io/prism/jani/jani_reader.hpp"
#include "io/text/model_formats.hpp"
#include "io/umb/umb_model.hpp"

namespace quantiplan {
namespace {

using namespace std::string_view_literals;

constexpr std::array kJsonEndings{".json"sv};
constexpr std::array kCsvEndings{".csv"sv};
constexpr std::array kPrismEndings{".prism"sv, ".nm"sv, ".pm"sv, ".mdp"sv, ".dtmc"sv};
constexpr std::array kTraEndings{".tra"sv};
constexpr std::array kBesideTra{".lab"sv, ".sta"sv, ".srew"sv, ".trew"sv};
constexpr std::array kDrnEndings{".drn"sv};
constexpr std::array kUmbEndings{".umb"sv};
constexpr std::array kJaniEndings{".jani"sv};

constexpr std::string_view kOurModel =
    "a model: a JSON object, or CSV with the header "
    "idstatefrom,idaction,idstateto,probability,reward";

PrismFacts read_json(const ReadTask& task) {
  if (const auto only = read_json_model(task.text, task.builder)) {
    task.builder = ModelBuilder(task.source);
    task.builder.problem(only->line, only->message);
  }
  return {};
}
PrismFacts read_csv(const ReadTask& task) {
  read_csv_model(task.text, task.builder);
  return {};
}
PrismFacts read_prism(const ReadTask& task) {
  return read_prism_model(task.text, task.source, task.options, task.watch, task.builder);
}
PrismFacts read_tra(const ReadTask& task) {
  return {read_tra_model(task.text, task.source, task.beside, task.options, task.builder), {}};
}
PrismFacts read_drn(const ReadTask& task) {
  return {read_drn_model(task.text, task.source, task.options, task.builder), {}};
}

PrismFacts read_umb(const ReadTask& task) {
  return {read_umb_model(task.text, task.source, task.options, task.watch, task.builder), {}};
}
PrismFacts read_jani(const ReadTask& task) {
  return read_jani_model(task.text, task.source, task.options, task.watch, task.builder);
}

std::string format_json(const Model& model, std::vector<std::string>& lost, WorkWatch* watch) {
  if (const std::string others = other_rewards_lost(model); !others.empty()) lost.push_back(others);
  return format_json_model(model, watch);
}
template <TraStyle style>
void write_tra(const Model& model,
               const std::string& path,
               std::vector<std::string>& lost,
               WorkWatch* watch) {
  write_tra_model(model, path, lost, watch, style);
}

constexpr std::array<FormatRow, 9> kFormats{{
    {.info = {Format::json, "json", "JSON", kJsonEndings, {}},
     .article = "JSON",
     .expected = kOurModel,
     .is_text = true,
     .has_constants = false,
     .has_reward_structures = false,
     .read = read_json,
     .format = format_json,
     .write_files = nullptr},
    {.info = {Format::csv, "csv", "CSV", kCsvEndings, {}},
     .article = "CSV",
     .expected = kOurModel,
     .is_text = true,
     .has_constants = false,
     .has_reward_structures = false,
     .read = read_csv,
     .format = format_csv_model,
     .write_files = nullptr},
    {.info = {Format::prism, "prism", "the PRISM language", kPrismEndings, {}},
     .article = "a PRISM program",
     .expected = "a program in the PRISM language",
     .is_text = true,
     .has_constants = true,
     .has_reward_structures = true,
     .read = read_prism,
     .format = format_prism_model,
     .write_files = nullptr},
    {.info = {Format::tra, "tra", "PRISM's explicit format", kTraEndings, kBesideTra},
     .article = "a .tra",
     .expected = "'states choices transitions' and rows",
     .is_text = true,
     .has_constants = false,
     .has_reward_structures = true,
     .read = read_tra,
     .format = nullptr,
     .write_files = write_tra<TraStyle::prism>},
    {.info = {Format::drn, "drn", "DRN", kDrnEndings, {}},
     .article = "a .drn",
     .expected = "'@type: MDP' and states",
     .is_text = true,
     .has_constants = false,
     .has_reward_structures = true,
     .read = read_drn,
     .format = format_drn_model,
     .write_files = nullptr},
    {.info = {Format::umb, "umb", "UMB", kUmbEndings, {}},
     .article = "a .umb",
     .expected = "an archive of index.json and arrays",
     .is_text = false,
     .has_constants = false,
     .has_reward_structures = true,
     .read = read_umb,
     .format = format_umb_model,
     .write_files = nullptr},
    {.info = {Format::jani, "jani", "JANI", kJaniEndings, {}, /*is_written=*/false},
     .article = "a JANI model",
     .expected = "a JANI model: a JSON object with \"jani-version\"",
     .is_text = true,
     .has_constants = true,
     .has_reward_structures = true,
     .read = read_jani,
     .format = nullptr,
     .write_files = nullptr},
    {.info = {Format::tra_decimals, "tra-decimals", "a .tra of decimals", {}, kBesideTra},
     .article = "a .tra",
     .expected = "'states choices transitions' and rows",
     .is_text = true,
     .has_constants = false,
     .has_reward_structures = true,
     .read = read_tra,
     .format = nullptr,
     .write_files = write_tra<TraStyle::decimals>},
    {.info = {Format::storm_tra, "storm-tra", "Storm's variant of .tra", {}, kBesideTra},
     .article = "a .tra",
     .expected = "'mdp' or 'dtmc' and rows",
     .is_text = true,
     .has_constants = false,
     .has_reward_structures = true,
     .read = read_tra,
     .format = nullptr,
     .write_files = write_tra<TraStyle::storm>},
}};

}  // namespace

std::span<const FormatRow> format_table() { return kFormats; }

const FormatRow& row_of(Format format) { return kFormats[static_cast<std::size_t>(format)]; }

const std::vector<FormatInfo>& model_formats() {
  static const std::vector<FormatInfo> formats = [] {
    std::vector<FormatInfo> infos;
    infos.reserve(std::size(kFormats));
    for (const FormatRow& row : kFormats) infos.push_back(row.info);
    return infos;
  }();
  return formats;
}

std::string format_names(std::string_view before,
                         std::string_view between,
                         std::string_view before_last) {
  std::vector<std::string_view> names;
  for (const FormatRow& row : kFormats) {
    const bool fits = before != "." || !row.info.endings.empty();
    if (row.info.is_written && fits) names.push_back(row.info.name);
  }
  std::string out;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i > 0) out += i + 1 < names.size() ? between : before_last;
    out.append(before).append(names[i]);
  }
  return out;
}

}  // namespace quantiplan
