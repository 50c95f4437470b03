// The files of a model in PRISM's explicit form, found beside the .tra and written there.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/work_watch.hpp"
#include "io/explicit/tra_model_reader.hpp"
#include "quantiplan/formats.hpp"

namespace quantiplan {

struct TraTexts {
  std::string transitions;
  std::string labels;
  std::string transition_rewards;
  bool has_rewards = false;           // some reward is not 0
  std::optional<std::string> states;  // where all states are valuations of the same variables
};

// Throws Error(refused) where the format cannot hold the model, or at a limit of `watch`.
TraTexts format_tra_model(const Model& model,
                          std::vector<std::string>& lost,
                          WorkWatch* watch = nullptr);
// All files; those of the same name that the model does not need are removed. The .tra is the last.
void write_tra_model(const Model& model,
                     const std::string& path,
                     std::vector<std::string>& lost,
                     WorkWatch* watch);

// The path without its ending.
std::string base_of_tra(const std::string& path);
// The files of the same name that stand beside a .tra.
TraCompanions companions_of(const std::string& path, WorkWatch& watch);
// Where these are looked for, whether they are there or not.
std::vector<std::string> companion_paths(const std::string& path);

}  // namespace quantiplan
