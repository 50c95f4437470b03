// A model from the texts of a .tra and its files, without the disk.
#pragma once

#include "io/explicit/tra_files.hpp"
#include "quantiplan/model.hpp"

namespace quantiplan {

inline Model read_tra_texts(const TraTexts& texts) {
  TraCompanions beside;
  beside.labels = NamedText{"again.lab", texts.labels};
  for (const std::string& rewards : texts.transition_rewards)
    beside.rewards.push_back({std::nullopt, NamedText{"again.trew", rewards}});
  if (texts.states) beside.states = NamedText{"again.sta", *texts.states};
  ModelBuilder builder("again.tra");
  ReadOptions options;
  options.all_rewards = true;
  read_tra_model(texts.transitions, "again.tra", beside, options, builder);
  return builder.build();
}

}  // namespace quantiplan
