#include "finite/device/device_step.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "finite/pass/contested.hpp"

namespace quantiplan {
namespace {

// The limits are looked at after this many products: some 20 milliseconds of a fast device.
constexpr std::uint64_t kProductsPerPoll = std::uint64_t{1} << 34U;
constexpr std::uint64_t kMostWarps = std::uint64_t{1} << 31U;

std::uint32_t count32(std::uint64_t count) { return static_cast<std::uint32_t>(count); }

}  // namespace

void DeviceStep::put_slots(std::uint64_t t) {
  const std::size_t states = stages().model().state_count();
  if (!a_.later_slots.is_of(stages().layer(t + 1)))
    a_.later_slots.put(stages().layer(t + 1), states);
  if (!a_.later_slots.is_of(stages().layer(t)) && !a_.now_slots.is_of(stages().layer(t)))
    a_.now_slots.put(stages().layer(t), states);
}

void DeviceStep::put_keys(std::uint64_t t) {
  const std::vector<NumberId>& rewards = a_.model->rewards();
  std::vector<device::i64> keys(rewards.size(), 0);
  for (std::size_t i = 1; i < keys.size(); ++i) keys[i] = stages().scale().key(t, rewards[i]);
  const auto [least, most] = std::ranges::minmax(keys);
  reach_ = static_cast<std::uint64_t>(most) - static_cast<std::uint64_t>(least);
  a_.keys.put(keys);
}

// The expected remaining rewards, by which choices are ordered.
void DeviceStep::value_choices(std::uint64_t t, std::uint32_t slots) {
  const Expectation<double>& expectation = in_.input.expectation;
  const std::vector<NumberId>& positions = a_.model->rewards();
  std::vector<double> rewards(positions.size(), 0);
  for (std::size_t i = 1; i < rewards.size(); ++i)
    rewards[i] = expectation.reward(stages(), t, {State{}, NumberId{}, positions[i]});
  a_.rewards.put(rewards);
  std::vector<double> means(stages().layer(t + 1).size());
  for (std::size_t slot = 0; slot < means.size(); ++slot)
    means[slot] = Arithmetics<double>::earlier(stages(), t, expectation.value(t + 1, slot));
  a_.means.put(means);
  a_.row_means.put(expectation.of_row(t));
  a_.choice_values.require(stages().model().choice_count());
  launch(DeviceKernel::value_choices,
         slots,
         device::ValueChoices{0,
                              a_.model->arrays(),
                              slots,
                              now_slots(t).state_of_slot(),
                              a_.later_slots.slot_of_state(),
                              a_.rewards.data(),
                              a_.means.data(),
                              a_.row_means.data(),
                              a_.choice_values.data()});
}

void DeviceStep::rank(std::uint64_t t, std::uint32_t slots) {
  const Model& model = stages().model();
  if (in_.input.record_decisions) value_choices(t, slots);
  a_.ranked.require(model.choice_count());
  a_.open.require(slots);
  const auto* only = in_.input.filter.only(t);
  const auto* allowed = in_.input.filter.allowed(t);
  if (only != nullptr) a_.only.put(*only);
  if (allowed != nullptr) {
    std::vector<unsigned char> bytes(model.choice_count());
    for (std::size_t c = 0; c < bytes.size(); ++c) bytes[c] = (*allowed)[c] ? 1 : 0;
    a_.allowed.put(bytes);
  }
  launch(DeviceKernel::rank_choices,
         slots,
         device::RankChoices{0,
                             a_.model->arrays(),
                             slots,
                             now_slots(t).state_of_slot(),
                             in_.input.record_decisions ? a_.choice_values.data() : nullptr,
                             only != nullptr ? a_.only.data() : nullptr,
                             allowed != nullptr ? a_.allowed.data() : nullptr,
                             a_.ranked.data(),
                             a_.open.data()});
}

bool DeviceStep::mix_rows(const RowMixes& mixes, std::size_t later_functions) {
  const auto& rows = mixes.rows();
  if (mixes.entries() == 0) return true;
  const Model& model = stages().model();
  std::vector<device::SharedMix> plan(rows.size());
  std::vector<device::Function> functions(rows.size());
  std::uint64_t terms = 0;
  std::uint64_t products = 0;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    if (rows[row].users < 2) continue;
    const Choice example = stages().rows().example(count32(row));
    functions[row] = {rows[row].asked.above, rows[row].asked.size(), rows[row].begin, 0, 0};
    plan[row] = {functions[row], terms, static_cast<std::uint32_t>(example), 1};
    terms += model.outcomes(example).size();
    products += model.outcomes(example).size() * static_cast<std::uint64_t>(functions[row].width);
  }
  in_.work.multiply_adds += products;
  a_.mixes.put(plan);
  a_.mixed.require(mixes.entries());
  a_.mix_terms.require(terms + 32);
  a_.mix_ends.require(rows.size());
  a_.mix_marks.require(rows.size());
  a_.mix_tasks.require(rows.size());
  launch(DeviceKernel::spread_mixes,
         rows.size(),
         device::SpreadMixes{0,
                             a_.model->arrays(),
                             count32(rows.size()),
                             a_.later_slots.slot_of_state(),
                             a_.later_functions.data(),
                             a_.later.data(),
                             a_.mixes.data(),
                             a_.mix_terms.data(),
                             a_.mix_ends.data(),
                             a_.mix_marks.data(),
                             a_.mix_tasks.data()});
  device::BackUp arguments{};
  arguments.tasks = a_.mix_tasks.data();
  arguments.terms = a_.mix_terms.data();
  arguments.ends = a_.mix_ends.data();
  arguments.marks = a_.mix_marks.data();
  arguments.values = a_.mixed.data();
  return back_up(functions, later_functions, products, arguments);
}

bool DeviceStep::back_up(std::span<const device::Function> functions,
                         std::size_t later_functions,
                         std::uint64_t products,
                         device::BackUp arguments) {
  const TilePlan plan = tile_plan(functions, later_functions, reach_, a_.machine->cache_bytes());
  arguments.count = count32(functions.size());
  arguments.none = -std::numeric_limits<double>::infinity();
  arguments.warps = plan.warps;
  arguments.tile_begin = plan.by_function ? a_.begin.put(plan.tile_begin) : nullptr;
  const std::uint64_t parts = products / kProductsPerPoll + plan.warps / kMostWarps + 1;
  // Whole blocks of warps.
  const std::uint64_t size = (plan.warps / parts / 4 + 1) * 4;
  for (std::uint64_t first = 0; first < plan.warps; first += size) {
    arguments.first_warp = first;
    launch(DeviceKernel::back_up, std::min(size, plan.warps - first), arguments);
    if (parts == 1) continue;
    a_.machine->wait();
    if (in_.limits.ended()) return false;
  }
  return true;
}

// Products of the step without those of mixtures; notes them.
std::uint64_t DeviceStep::count_work(std::uint64_t t,
                                     std::span<const Span<double>> spans,
                                     const RowMixes& mixes) const {
  const Model& model = stages().model();
  const Layer& layer = stages().layer(t);
  const bool is_plain = in_.input.filter.is_open() && mixes.entries() == 0;
  std::uint64_t products = 0;
  for (std::size_t slot = 0; slot < spans.size(); ++slot) {
    const ChoiceRange choices = model.choices(layer.state(slot));
    if (choices.empty() || spans[slot].width() == 0) continue;
    std::uint64_t terms = 0;
    if (is_plain) {
      const auto last = model.outcomes(choices[choices.size() - 1]);
      terms = static_cast<std::uint64_t>(last.data() + last.size() -
                                         model.outcomes(choices.front()).data());
      in_.work.backups += choices.size();
    } else {
      for (const Choice c : choices) {
        if (!in_.input.filter.allows(t, slot, c)) continue;
        const std::uint32_t row = stages().rows().row(c);
        const bool shared =
            mixes.entries() > 0 && row != SharedRows::kNone && mixes.rows()[row].users >= 2;
        terms += shared ? 1 : model.outcomes(c).size();
        ++in_.work.backups;
      }
    }
    products += terms * spans[slot].width();
  }
  in_.work.multiply_adds += products;
  return products;
}

bool DeviceStep::run(std::uint64_t t,
                     std::span<const Span<double>> spans,
                     const DeviceLayout& layout,
                     const RowMixes& mixes,
                     std::size_t later_functions,
                     Decisions::LayerRules* rules) {
  const std::uint32_t slots = count32(spans.size());
  const Model& model = stages().model();
  put_slots(t);
  put_keys(t);
  a_.now_functions.put(layout.functions);
  rank(t, slots);
  if (!mix_rows(mixes, later_functions)) return false;
  a_.terms.require(model.outcome_count() + 32);
  a_.ends.require(model.choice_count());
  a_.marks.require(model.choice_count());
  a_.tasks.require(slots);
  launch(DeviceKernel::spread_terms,
         slots,
         device::SpreadTerms{0,
                             a_.model->arrays(),
                             slots,
                             now_slots(t).state_of_slot(),
                             a_.later_slots.slot_of_state(),
                             a_.keys.data(),
                             a_.later_functions.data(),
                             a_.later.data(),
                             a_.now_functions.data(),
                             mixes.entries() > 0 ? a_.mixes.data() : nullptr,
                             a_.mixed.data(),
                             a_.ranked.data(),
                             a_.open.data(),
                             a_.terms.data(),
                             a_.ends.data(),
                             a_.marks.data(),
                             a_.tasks.data()});
  device::BackUp arguments{};
  arguments.tasks = a_.tasks.data();
  arguments.terms = a_.terms.data();
  arguments.ends = a_.ends.data();
  arguments.marks = a_.marks.data();
  arguments.values = a_.now.data();
  if (rules != nullptr) {
    // Contested is asked only where nothing was dropped (dense_backup.cpp).
    arguments.what = a_.what.require(layout.entries, a_.now.capacity());
    arguments.asks_contested = in_.input.drop == 0 ? 1 : 0;
    arguments.factor = Contest<double>(stages().horizon(), model.most_outcomes()).factor();
  }
  if (!back_up(layout.functions, later_functions, count_work(t, spans, mixes), arguments))
    return false;
  if (rules != nullptr) code_runs(t, spans, layout, *rules);
  return !in_.limits.ended();
}

void DeviceStep::code_runs(std::uint64_t t,
                           std::span<const Span<double>> spans,
                           const DeviceLayout& layout,
                           Decisions::LayerRules& rules) {
  const std::vector<std::uint64_t> begin = stretches_before(layout.functions, device::kPiece);
  const device::Pieces pieces{a_.begin.put(begin), count32(spans.size()), begin.back()};
  a_.counts.require(begin.back());
  launch(DeviceKernel::count_runs,
         begin.back(),
         device::CountRuns{0, pieces, a_.now_functions.data(), a_.what.data(), a_.counts.data()});
  std::vector<std::uint32_t> counts(begin.back());
  a_.machine->copy_out(counts.data(), a_.counts.data(), 4 * counts.size());
  std::vector<std::uint64_t> run_begin(counts.size());
  std::uint64_t runs = 0;
  for (std::size_t piece = 0; piece < counts.size(); ++piece) {
    run_begin[piece] = runs;
    runs += counts[piece];
  }
  a_.run_begin.put(run_begin);
  a_.run_upto.require(runs, runs + runs / 2);
  a_.run_what.require(runs, runs + runs / 2);
  launch(DeviceKernel::write_runs,
         begin.back(),
         device::WriteRuns{0,
                           pieces,
                           a_.now_functions.data(),
                           a_.what.data(),
                           a_.run_begin.data(),
                           a_.run_upto.data(),
                           a_.run_what.data()});
  rules.begin.resize(spans.size() + 1);
  for (std::size_t slot = 0; slot <= spans.size(); ++slot)
    rules.begin[slot] = begin[slot] < run_begin.size() ? run_begin[begin[slot]] : runs;
  rules.upto.resize(runs);
  rules.what.resize(runs);
  a_.machine->copy_out(rules.upto.data(), a_.run_upto.data(), 8 * runs);
  a_.machine->copy_out(rules.what.data(), a_.run_what.data(), 4 * runs);
  if (whole_rows_) finish_runs(t, spans, rules);
}

// Between the span and the window's upper edge nothing is promised, so the choice is free there.
void DeviceStep::finish_runs(std::uint64_t t,
                             std::span<const Span<double>> spans,
                             Decisions::LayerRules& rules) const {
  const auto falls_short = [&](std::size_t slot) {
    return spans[slot].width() > 0 && spans[slot].upto < in_.input.windows.at(t, slot).possible;
  };
  bool any = false;
  for (std::size_t slot = 0; slot < spans.size() && !any; ++slot) any = falls_short(slot);
  if (!any) return;
  Decisions::LayerRules finished;
  finished.begin.push_back(0);
  for (std::size_t slot = 0; slot < spans.size(); ++slot) {
    const auto first = static_cast<std::ptrdiff_t>(rules.begin[slot]);
    const auto last = static_cast<std::ptrdiff_t>(rules.begin[slot + 1]);
    finished.upto.insert(
        finished.upto.end(), rules.upto.begin() + first, rules.upto.begin() + last);
    finished.what.insert(
        finished.what.end(), rules.what.begin() + first, rules.what.begin() + last);
    if (falls_short(slot)) {
      const State s = stages().layer(t).state(slot);
      const std::size_t free =
          index(in_.input.expectation.choice(t, slot)) - index(stages().model().choices(s).front());
      finished.upto.push_back(in_.input.windows.at(t, slot).possible);
      finished.what.push_back(Decisions::encode({count32(free), false}));
    }
    finished.close_slot();
  }
  rules = std::move(finished);
}

}  // namespace quantiplan
