// One resolved problem, laid out: what every entry point builds before it asks an engine.
#pragma once

#include <memory>
#include <utility>

#include "base/limits.hpp"
#include "finite/grid.hpp"
#include "finite/pass/pass.hpp"
#include "finite/stages.hpp"
#include "finite/strategy.hpp"
#include "finite/windows.hpp"
#include "quantiplan/answer.hpp"
#include "quantiplan/options.hpp"
#include "quantiplan/query.hpp"

namespace quantiplan {

// Kept alive by the policies of an answer.
struct FiniteLayout {
  // A plain setting (plain.hpp).
  FiniteLayout(const Model& model_in, const ResolvedSetting& setting_in, const Options& options_in);
  // The problem of `whole_in`, which is laid out, rounded to a grid; has its limits.
  FiniteLayout(std::shared_ptr<FiniteLayout> whole_in, const Grid& grid, Rounding rounding);
  // The problem of `all_in`, which is laid out and whose wealth has keys, from the initial state of a slot
  // alone; has its limits.
  FiniteLayout(std::shared_ptr<FiniteLayout> all_in, std::size_t slot);
  ~FiniteLayout();
  FiniteLayout(const FiniteLayout&) = delete;
  FiniteLayout& operator=(const FiniteLayout&) = delete;

  // Lays out stages, and windows if wealth has keys; false if the limits ended it.
  bool lay_out();
  // Arrays for one pass after another.
  PassScratch& scratch() { return whole ? whole->scratch() : scratch_; }

  std::shared_ptr<FiniteLayout> all;    // of all initial states; null if this is of all
  std::shared_ptr<FiniteLayout> whole;  // null if this is the whole
  Model model;
  Options options;
  ResolvedSetting setting;
  std::unique_ptr<Limits> own_limits;
  Limits& limits;
  std::shared_ptr<const Stages> stages;
  std::shared_ptr<const Windows> windows;

 private:
  PassScratch scratch_;
  std::uint64_t held_bytes_ = 0;
};

}  // namespace quantiplan
