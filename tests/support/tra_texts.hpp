// A model from the texts of a .tra and its files, without the disk.
#pragma once

#include "io/explicit/tra_files.hpp"
#include "quantiplan/model.hpp"

namespace quantiplan {

inline Model read_tra_texts(const TraTexts& texts) {
  TraCompanions beside;
  beside.labels = NamedText{"again.lab", texts.labels};
  beside.rewards.push_back({std::nullopt, NamedText{"again.trew", texts.transition_rewards}});
  if (texts.states) beside.states = NamedText{"again.sta", *texts.states};
  ModelBuilder builder("again.tra");
  read_tra_model(texts.transitions, "again.tra", beside, {}, builder);
  return builder.build();
}

}  // namespace quantiplan
