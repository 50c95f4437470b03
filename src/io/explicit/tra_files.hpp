// The files of a model in PRISM's explicit form, found beside the .tra and written there.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/work_watch.hpp"
#include "io/explicit/tra_model_reader.hpp"
#include "quantiplan/formats.hpp"

namespace quantiplan {

// prism     'states choices transitions', fractions where a number is no finite decimal
// decimals  the same, and no fractions: the nearest double instead
// storm     'mdp' or 'dtmc', labels below #DECLARATION, no fractions, one reward structure
enum class TraStyle { prism, decimals, storm };

struct TraTexts {
  std::string transitions;
  std::string labels;
  std::vector<std::string> transition_rewards;  // of each structure; none if all rewards are 0
  std::string no_rewards;                       // what a structure of zeros would be
  std::optional<std::string> states;  // where all states are valuations of the same variables
};

// Throws Error(refused) where the format cannot hold the model, or at a limit of `watch`.
TraTexts format_tra_model(const Model& model,
                          std::vector<std::string>& lost,
                          WorkWatch* watch = nullptr,
                          TraStyle style = TraStyle::prism);
// All files; those of the same name that the model does not need are removed. The .tra is the last.
// Several reward structures are files of their own, NAME1.trew, NAME2.trew, ...; throws
// Error(refused) where one of these belongs to another .tra.
void write_tra_model(const Model& model,
                     const std::string& path,
                     std::vector<std::string>& lost,
                     WorkWatch* watch,
                     TraStyle style);

// The path without its ending.
std::string base_of_tra(const std::string& path);
// The files of the same name that stand beside a .tra.
TraCompanions companions_of(const std::string& path, WorkWatch& watch);
// Where these are looked for, whether they are there or not.
std::vector<std::string> companion_paths(const std::string& path);

}  // namespace quantiplan
