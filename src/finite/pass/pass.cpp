#include "finite/pass/pass.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <limits>

#include "base/parallel.hpp"
#include "finite/pass/dense_backup.hpp"
#include "finite/pass/row_mixes.hpp"
#include "finite/pass/sparse_backup.hpp"
#include "quantiplan/error.hpp"

namespace quantiplan {
namespace {

// States a worker takes at once: few, for their windows differ in width.
std::size_t chunk_of(std::size_t slots, unsigned workers) {
  return std::clamp<std::size_t>(slots / (8 * std::size_t{workers}), 1, 4);
}

template <class N>
class Pass {
 public:
  // However the pass ends, what it still holds is given back.
  ~Pass() { limits_.give_back(held_ + decision_bytes_ + record_bytes_); }
  Pass(const Pass&) = delete;
  Pass& operator=(const Pass&) = delete;
  Pass(const PassInput<N>& input, Limits& limits, Work& work)
      : input_(input),
        limits_(limits),
        work_(work),
        numbers_(input.stages.model()),
        later_(input.scratch != nullptr ? input.scratch->later : own_.later),
        now_(input.scratch != nullptr ? input.scratch->now : own_.now) {}

  PassOutput<N> run() {
    const std::uint64_t horizon = input_.stages.horizon();
    PassOutput<N> output;
    if (input_.record_decisions) decisions_ = std::make_shared<Decisions>(horizon);
    const std::uint64_t first = input_.resume != nullptr ? input_.resume_at : horizon;
    if (first == horizon) {
      start();
    } else {
      resume();
    }
    for (std::uint64_t t = first; t-- > input_.stop;) {
      coarsen_later(t);
      std::vector<Span<N>> spans = spans_at(t);
      if constexpr (std::is_same_v<N, double>) {
        if (!dense_ && turns_dense(t, spans)) make_dense(t + 1);
        if (dense_ && turns_sparse(t, spans)) make_sparse();
      }
      const bool done =
          dense_ ? run_dense_layer(t, std::move(spans)) : run_sparse_layer(t, std::move(spans));
      if (!done || decisions_too_large_) {
        output.status = limits_.status();
        output.decisions_too_large = done;
        output.layer_bytes = layer_bytes_;
        return output;
      }
      record(t);
      output.dense_layers += dense_ ? 1 : 0;
      limits_.report("backward pass",
                     static_cast<double>(horizon - t) / static_cast<double>(horizon));
    }
    output.status = Status::solved;
    if (input_.stop == 0) output.curve = curve();
    work_.multiply_adds += mixes_.multiply_adds();
    output.decisions = decisions_;
    output.decision_bytes = decision_bytes_;
    output.record_bytes = record_bytes_;
    ++work_.passes;
    decision_bytes_ = record_bytes_ = 0;  // handed over
    return output;
  }

 private:
  void start() {
    // At the horizon every window is empty: 1 up to 0, then 0.
    const std::size_t slots = input_.stages.layer(input_.stages.horizon()).size();
    sparse_.spans.resize(slots);
    sparse_.steps.begin.assign(slots + 1, 0);
    take(sparse_.bytes(), "the last layer");
  }

  void resume() {
    if constexpr (std::is_same_v<N, double>) {
      dense_ = input_.resume->is_dense(input_.resume_at);
      if (dense_) {
        later_ = input_.resume->dense(input_.resume_at).copy();
        take(sizeof(double) * (later_.capacity() + now_.capacity()), "a checkpoint");
        scratch_counted_ = true;
      } else {
        sparse_ = input_.resume->sparse(input_.resume_at);
        take(sparse_.bytes(), "a checkpoint");
      }
    }
  }

  void record(std::uint64_t t) {
    if constexpr (std::is_same_v<N, double>) {
      const std::uint64_t bytes = dense_ ? later_.bytes() : sparse_.bytes();
      layer_bytes_ = std::max(layer_bytes_, bytes);
      if (input_.record == nullptr || !input_.record->wants(t)) return;
      limits_.take(bytes, "all layers of a pass");
      record_bytes_ += bytes;
      if (dense_) {
        input_.record->keep(t, later_);
      } else {
        input_.record->keep(t, sparse_);
      }
    }
  }

  // ---- spans: where functions are stored

  [[nodiscard]] const Span<N>& later_span(std::size_t slot) const {
    if constexpr (std::is_same_v<N, double>) {
      if (dense_) return later_.span(slot);
    }
    return sparse_.spans[slot];
  }

  // The later layer in the steps of time t.
  void coarsen_later(std::uint64_t t) {
    const unsigned shift = input_.stages.scale().shift_after(t);
    if (shift == 0) return;
    if (dense_) {
      later_.coarsen(shift);
      return;
    }
    for (Span<N>& span : sparse_.spans) span = span.coarser(shift);
    const std::uint64_t before = sparse_.bytes();
    sparse_.steps.coarsen(shift, sparse_.spans);
    give_back(before - sparse_.bytes());
  }

  [[nodiscard]] std::vector<Span<N>> spans_at(std::uint64_t t) const {
    std::vector<Span<N>> spans(input_.stages.layer(t).size());
    const auto of_row = input_.drop > 0 ? edges_by_row(t) : std::vector<Edges>();
    const auto body = [&](unsigned, std::size_t begin, std::size_t end) {
      for (std::size_t slot = begin; slot < end; ++slot) {
        const State s = input_.stages.layer(t).state(slot);
        if (input_.stages.model().is_terminal(s)) continue;
        Span<N>& span = spans[slot];
        span = input_.drop > 0 ? narrowed_span(t, slot, of_row) : exact_span(t, slot);
        if (input_.needs == nullptr) continue;
        const Interval& need = input_.needs->at(t, slot);
        const std::int64_t sure = input_.windows.at(t, slot).sure;
        // Where all that is needed lies below `low`, its greatest level stands for the rest.
        if (span.from < span.low && need.upto <= span.from)
          span.from = std::max(need.upto - 1, sure);
        span.from = std::max(span.from, need.above);
        span.upto = std::min(span.upto, need.upto);
        if (need.empty() || span.upto < span.from) span.upto = span.from;
      }
    };
    parallel_for(limits_.threads(), spans.size(), 1024, body);
    return spans;
  }

  [[nodiscard]] Span<N> exact_span(std::uint64_t t, std::size_t slot) const {
    const Window& w = input_.windows.at(t, slot);
    return {w.sure, w.possible, w.sure, w.possible, N(1), N(0)};
  }

  // What the spans of a choice's next states make of the edges, before its reward.
  struct Edges {
    std::int64_t low = std::numeric_limits<std::int64_t>::max();
    std::int64_t high = std::numeric_limits<std::int64_t>::min();
    N above = 0;
  };
  void add_edges(std::uint64_t t, const Outcome& o, std::int64_t reward, Edges& edges) const {
    const Span<N>& span = later_span(input_.stages.layer(t + 1).slot(o.next));
    edges.low = std::min(edges.low, reward + span.low);
    edges.high = std::max(edges.high, reward + span.high);
    edges.above += numbers_.probability(o) * span.above;
  }
  [[nodiscard]] std::vector<Edges> edges_by_row(std::uint64_t t) const {
    return input_.stages.template by_row<Edges>(t, [&](std::span<const Outcome> outcomes) {
      Edges edges;
      for (const Outcome& o : outcomes) add_edges(t, o, 0, edges);
      return edges;
    });
  }

  // Where the later functions are constants, so is this one: the edges move as sure and possible
  // do (windows.hpp). Unless it is sure, the level `low` itself is computed: its value holds for
  // all below.
  [[nodiscard]] Span<N> narrowed_span(std::uint64_t t,
                                      std::size_t slot,
                                      const std::vector<Edges>& of_row) const {
    const Model& model = input_.stages.model();
    constexpr auto kLowest = std::numeric_limits<std::int64_t>::min();
    Span<N> out{kLowest, kLowest, kLowest, kLowest, N(1), N(0)};
    for (const Choice c : model.choices(input_.stages.layer(t).state(slot))) {
      if (!input_.filter.allows(t, slot, c)) continue;
      const std::uint32_t row = input_.stages.rows().row(c);
      Edges edges;
      if (row != SharedRows::kNone) {
        edges = of_row[row];
        const std::int64_t reward = input_.stages.reward_key(t, model.outcomes(c).front());
        edges.low += reward;
        edges.high += reward;
      } else {
        for (const Outcome& o : model.outcomes(c))
          add_edges(t, o, input_.stages.reward_key(t, o), edges);
      }
      out.high = std::max(out.high, edges.high);
      out.low = std::max(out.low, edges.low);
      out.above = std::max<N>(out.above, edges.above);
    }
    const std::int64_t sure = input_.windows.at(t, slot).sure;
    out.from = out.low <= sure ? sure : out.low - 1;
    out.upto = std::max(out.high, out.from);
    return out;
  }

  // ---- memory: what this pass holds, given back when the next layer replaces it

  void take(std::uint64_t bytes, const std::string& what) {
    limits_.take(bytes, what);
    held_ += bytes;
  }
  void give_back(std::uint64_t bytes) {
    limits_.give_back(bytes);
    held_ -= bytes;
  }

  // ---- sparse layers

  bool run_sparse_layer(std::uint64_t t, std::vector<Span<N>> spans) {
    const std::size_t slots = input_.stages.layer(t).size();
    const unsigned workers = limits_.threads();
    std::vector<StepPiece<N>> pieces(workers);
    // What the workers hold: their pieces, half as much again while an array grows, the layer that
    // the pieces are joined into, and their scratch.
    std::atomic<std::uint64_t> in_use{0};
    std::vector<SparseBackup<N>> backups(workers,
                                         SparseBackup<N>(input_, numbers_, limits_, in_use));
    std::vector<PieceRef> refs(slots);
    std::atomic<bool> over{false};
    const RowSteps<N> rows = mix_rows(t, spans, backups);
    parallel_for(
        workers,
        slots,
        chunk_of(slots, workers),
        [&](unsigned worker, std::size_t begin, std::size_t end) {
          for (std::size_t slot = begin; slot < end; ++slot) {
            if (limits_.ended() || over.load(std::memory_order_relaxed)) return;
            StepPiece<N>& piece = pieces[worker];
            const std::uint64_t before = piece.bytes();
            refs[slot] = {worker, static_cast<std::uint32_t>(piece.functions.begin.size() - 1)};
            backups[worker].run(t, slot, spans[slot], sparse_, rows, piece);
            const std::uint64_t grown = (piece.bytes() - before) * 5 / 2;
            if (!limits_.would_fit(in_use.fetch_add(grown) + grown) ||
                backups[worker].scratch_refused > 0)
              over.store(true);
          }
        });
    if (limits_.ended()) return false;
    // Refused if it does not fit, and noted as the most that was held if it does.
    limits_.take(in_use.load(), fmt::format("the step functions at time {} (so far)", t));
    limits_.give_back(in_use.load());
    for (const auto& backup : backups) {
      work_.backups += backup.backups;
      work_.multiply_adds += backup.multiply_adds;
    }
    join(t, std::move(spans), pieces, refs);
    return true;
  }

  // The mixtures that several choices of the layer share, on what they ask for.
  RowSteps<N> mix_rows(std::uint64_t t,
                       const std::vector<Span<N>>& spans,
                       std::vector<SparseBackup<N>>& backups) const {
    RowSteps<N> out;
    const Stages& stages = input_.stages;
    if (!input_.share_rows || stages.rows_at(t).empty()) return out;
    std::vector<Interval> asked(stages.rows().size());
    std::vector<std::uint32_t> users(asked.size(), 0);
    for (std::size_t slot = 0; slot < spans.size(); ++slot) {
      if (spans[slot].width() == 0) continue;
      for (const Choice c : stages.model().choices(stages.layer(t).state(slot))) {
        const std::uint32_t row = stages.rows().row(c);
        if (row == SharedRows::kNone || !input_.filter.allows(t, slot, c)) continue;
        const std::int64_t reward = stages.reward_key(t, stages.model().outcomes(c).front());
        asked[row].cover(spans[slot].from - reward, spans[slot].upto - reward);
        ++users[row];
      }
    }
    out.position.assign(asked.size(), RowSteps<N>::kNone);
    std::vector<std::uint32_t> shared;
    for (std::uint32_t row = 0; row < asked.size(); ++row) {
      if (users[row] < 2) continue;
      out.position[row] = static_cast<std::uint32_t>(shared.size());
      shared.push_back(row);
      out.functions.spans.push_back({asked[row].above, asked[row].upto, 0, 0, N(1), N(0)});
    }
    std::vector<StepLayer<N>> mixed(shared.size());
    parallel_for(limits_.threads(),
                 shared.size(),
                 1,
                 [&](unsigned worker, std::size_t begin, std::size_t end) {
                   for (std::size_t i = begin; i < end && !limits_.ended(); ++i) {
                     backups[worker].run_row(
                         t, shared[i], out.functions.spans[i], sparse_, mixed[i]);
                   }
                 });
    StepLayer<N>& all = out.functions.steps;
    for (const StepLayer<N>& one : mixed) {
      all.upto.insert(all.upto.end(), one.upto.begin(), one.upto.end());
      all.value.insert(all.value.end(), one.value.begin(), one.value.end());
      all.begin.push_back(all.upto.size());
    }
    return out;
  }

  void join(std::uint64_t t,
            std::vector<Span<N>> spans,
            const std::vector<StepPiece<N>>& pieces,
            const std::vector<PieceRef>& refs) {
    StepLayer<N> layer;
    std::size_t steps = 0;
    for (const StepPiece<N>& piece : pieces) steps += piece.functions.upto.size();
    layer.upto.reserve(steps);
    layer.value.reserve(steps);
    layer.begin.reserve(refs.size() + 1);
    Decisions::LayerRules rules;
    rules.begin.push_back(0);
    for (std::size_t slot = 0; slot < refs.size(); ++slot) {
      const StepPiece<N>& piece = pieces[refs[slot].worker];
      const std::uint32_t position = refs[slot].position;
      append_values(piece.functions, position, layer);
      if (decisions_) append_rules(t, slot, piece, position, rules);
      layer.begin.push_back(layer.upto.size());
      rules.begin.push_back(rules.upto.size());
    }
    work_.breakpoints += layer.upto.size();
    const std::uint64_t old_bytes = sparse_.bytes();
    SpannedSteps<N> next{std::move(spans), std::move(layer)};
    take(next.bytes(), fmt::format("the step functions at time {}", t));
    sparse_ = std::move(next);
    give_back(old_bytes);
    keep(t, std::move(rules));
  }

  // Steps that differ in the choice only are one step.
  static void append_values(const StepLayer<N>& f, std::uint32_t position, StepLayer<N>& layer) {
    const std::uint64_t slot_begin = layer.upto.size();
    for (std::uint64_t i = f.begin[position]; i < f.begin[position + 1]; ++i) {
      if (layer.upto.size() > slot_begin && layer.value.back() == f.value[i]) {
        layer.upto.back() = f.upto[i];
      } else {
        layer.upto.push_back(f.upto[i]);
        layer.value.push_back(f.value[i]);
      }
    }
  }

  void append_rules(std::uint64_t t,
                    std::size_t slot,
                    const StepPiece<N>& piece,
                    std::uint32_t position,
                    Decisions::LayerRules& rules) const {
    const StepLayer<N>& f = piece.functions;
    const std::uint64_t slot_begin = rules.upto.size();
    const auto append = [&](std::int64_t upto, std::uint32_t what) {
      if (rules.upto.size() > slot_begin && rules.what.back() == what) {
        rules.upto.back() = upto;
      } else {
        rules.upto.push_back(upto);
        rules.what.push_back(what);
      }
    };
    for (std::uint64_t i = f.begin[position]; i < f.begin[position + 1]; ++i) {
      append(f.upto[i], piece.what[i]);
    }
    // What is not needed has no rule; the last one stands in up to the window's edge.
    const std::int64_t possible = input_.windows.at(t, slot).possible;
    if (rules.upto.size() > slot_begin) rules.upto.back() = std::max(rules.upto.back(), possible);
  }

  void keep(std::uint64_t t, Decisions::LayerRules rules) {
    if (!decisions_) return;
    if (decision_bytes_ + rules.bytes() > input_.most_decision_bytes ||
        (input_.most_decision_bytes < kUnlimited && !limits_.would_fit(rules.bytes()))) {
      decisions_too_large_ = true;
      return;
    }
    limits_.take(rules.bytes(), fmt::format("the decisions at time {}", t));
    decision_bytes_ += rules.bytes();
    decisions_->set_layer(t, std::move(rules));
  }

  // ---- dense layers

  // Compares the work of the layer at t in both forms; a sparse step costs about eight dense ones.
  bool turns_dense(std::uint64_t t, const std::vector<Span<N>>& spans) const {
    if (input_.representation == Representation::sparse || input_.probability_levels > 0)
      return false;
    if (!limits_.would_fit(dense_bytes_needed(t))) {
      if (input_.representation == Representation::automatic) return false;
      limits_.take(dense_bytes_needed(t), "the dense backward pass");
    }
    if (input_.representation == Representation::dense) return true;
    constexpr double kSparseCost = 8;
    const Stages& stages = input_.stages;
    const Layer& next_layer = stages.layer(t + 1);
    // The later layer must be spelt out, too.
    double dense = 0;
    for (const Span<N>& span : sparse_.spans) dense += static_cast<double>(span.width());
    double sparse = 0;
    const auto steps_of = [&](std::span<const Outcome> outcomes) {
      double steps = 0;
      for (const Outcome& o : outcomes)
        steps += static_cast<double>(sparse_.steps.steps(next_layer.slot(o.next)) + 1);
      return steps;
    };
    const auto of_row = stages.by_row<double>(t, steps_of);
    for (std::size_t slot = 0; slot < stages.layer(t).size(); ++slot) {
      double outcomes = 0;
      double products = 0;
      double steps = 0;
      for (const Choice c : stages.model().choices(stages.layer(t).state(slot))) {
        const auto count = static_cast<double>(stages.model().outcomes(c).size());
        // A shared mixture costs a choice one product for each level.
        const std::uint32_t row = stages.rows().row(c);
        const bool shared = row != SharedRows::kNone;
        const double own = shared && input_.share_rows ? 1 : count;
        outcomes += own;
        products += own;
        steps += shared ? of_row[row] : steps_of(stages.model().outcomes(c));
      }
      const auto width = static_cast<double>(spans[slot].width());
      dense += products * width;
      sparse += outcomes * std::min(width, steps);
    }
    return dense < kSparseCost * sparse;
  }

  // A layer much wider than the steps of its functions is better sparse again: near s0 of a fine
  // grid, or where a narrow layer follows wide ones.
  bool turns_sparse(std::uint64_t t, const std::vector<Span<N>>& spans) const {
    if (input_.representation != Representation::automatic) return false;
    constexpr double kCheap = 1e6;
    constexpr double kSparseCost = 16;
    const Stages& stages = input_.stages;
    double dense = 0;
    for (std::size_t slot = 0; slot < spans.size(); ++slot) {
      for (const Choice c : stages.model().choices(stages.layer(t).state(slot))) {
        const bool shared = input_.share_rows && stages.rows().row(c) != SharedRows::kNone;
        const std::size_t products = shared ? 1 : stages.model().outcomes(c).size();
        dense += static_cast<double>(products * spans[slot].width());
      }
    }
    const auto later = static_cast<double>(later_.size());
    // Counting the steps costs a look at each entry: only where that is little beside the work.
    if (dense < kCheap || dense < 4 * later) return false;
    std::vector<double> steps(stages.layer(t + 1).size());
    for (std::size_t slot = 0; slot < steps.size(); ++slot) {
      const std::uint64_t few = 1 + later_.span(slot).width() / 16;
      const std::uint64_t count = later_.count_steps(slot, few);
      if (count > few) return false;
      steps[slot] = static_cast<double>(count) + 1;
    }
    double sparse = 0;
    const Layer& next_layer = stages.layer(t + 1);
    const auto steps_of = [&](std::span<const Outcome> outcomes) {
      double sum = 0;
      for (const Outcome& o : outcomes) sum += steps[next_layer.slot(o.next)];
      return sum;
    };
    const auto of_row = stages.by_row<double>(t, steps_of);
    for (std::size_t slot = 0; slot < spans.size(); ++slot) {
      double products = 0;
      double own = 0;
      for (const Choice c : stages.model().choices(stages.layer(t).state(slot))) {
        const std::uint32_t row = stages.rows().row(c);
        const bool shared = row != SharedRows::kNone;
        products += shared && input_.share_rows
                        ? 1
                        : static_cast<double>(stages.model().outcomes(c).size());
        own += shared ? of_row[row] : steps_of(stages.model().outcomes(c));
      }
      sparse += products * std::min(static_cast<double>(spans[slot].width()), own);
    }
    return dense > kSparseCost * sparse;
  }

  void make_sparse() {
    if constexpr (std::is_same_v<N, double>) {
      dense_ = false;
      sparse_ = later_.as_steps();
      take(sparse_.bytes(), "the step functions of a layer");
    }
  }

  // Entries of the widest layer from t down to 0; two layers of that size are held. Where values
  // may be dropped the spans cannot be foreseen, and layers are counted as they are made.
  double most_entries(std::uint64_t t) const {
    if (input_.drop > 0) return 0;
    if (most_entries_.empty()) {
      double most = 0;
      for (std::uint64_t i = 0; i <= input_.stages.horizon(); ++i) {
        double entries = 0;
        for (std::size_t slot = 0; slot < input_.stages.layer(i).size(); ++slot) {
          const Window& w = input_.windows.at(i, slot);
          Interval open{w.sure, w.possible};
          if (input_.needs != nullptr) {
            const Interval& need = input_.needs->at(i, slot);
            open = {std::max(open.above, need.above), std::min(open.upto, need.upto)};
          }
          entries += static_cast<double>(open.size());
        }
        most = std::max(most, entries);
        most_entries_.push_back(most);
      }
    }
    return most_entries_[t];
  }
  std::uint64_t dense_bytes_needed(std::uint64_t t) const {
    constexpr double kMost = 9e18;
    const double slots = 2.0 * static_cast<double>(input_.stages.model().state_count() + 1);
    return static_cast<std::uint64_t>(
        std::min(sizeof(double) * (2 * most_entries(t + 1) + 7 * slots), kMost));
  }

  void make_dense(std::uint64_t t) {
    if constexpr (std::is_same_v<N, double>) {
      dense_ = true;
      if (!scratch_counted_)
        take(sizeof(double) * (later_.capacity() + now_.capacity()), "the dense backward pass");
      scratch_counted_ = true;
      give_back(sparse_.bytes());
      const StepLayer<double> steps = std::move(sparse_.steps);
      reset(later_, t, std::move(sparse_.spans));
      later_.spell_out(steps);
      sparse_ = {};
    }
  }

  // Room for what lies ahead is taken at once, where it can be foreseen.
  void reset(DenseLayer& layer, std::uint64_t t, std::vector<Span<double>> spans) {
    const std::uint64_t entries = dense_entries(spans);
    const std::uint64_t before = layer.capacity();
    std::uint64_t wanted = before;
    if (entries > before) {
      wanted = input_.drop > 0 ? entries + entries / 2
                               : std::max(entries, static_cast<std::uint64_t>(most_entries(t)));
      take(sizeof(double) * (wanted - before), "the dense backward pass");
    }
    layer.reset(std::move(spans), wanted);
  }

  bool run_dense_layer(std::uint64_t t, std::vector<Span<N>> spans) {
    if constexpr (std::is_same_v<N, double>) {
      const std::size_t slots = spans.size();
      const unsigned workers = limits_.threads();
      const std::uint64_t before = mixes_.bytes();
      mixes_.plan(input_, t, spans);
      if (mixes_.bytes() > before) take(mixes_.bytes() - before, "the mixtures of shared rows");
      if (mixes_.bytes() < before) give_back(before - mixes_.bytes());
      mixes_.run(input_, numbers_, t, later_, limits_);
      reset(now_, t, std::move(spans));
      std::vector<DenseBackup> backups(workers, DenseBackup(input_, numbers_, limits_));
      std::vector<RunPiece> pieces(workers);
      std::vector<PieceRef> refs(slots);
      parallel_for(
          workers,
          slots,
          chunk_of(slots, workers),
          [&](unsigned worker, std::size_t begin, std::size_t end) {
            for (std::size_t slot = begin; slot < end; ++slot) {
              if (limits_.ended()) return;
              refs[slot] = {worker, static_cast<std::uint32_t>(pieces[worker].begin.size() - 1)};
              backups[worker].run(t, slot, later_, mixes_, now_, pieces[worker]);
            }
          });
      if (limits_.ended()) return false;
      for (const auto& backup : backups) {
        work_.backups += backup.backups;
        work_.multiply_adds += backup.multiply_adds;
      }
      work_.breakpoints += now_.size();
      join_runs(t, pieces, refs);
      std::swap(later_, now_);
      return true;
    }
    return false;
  }

  void join_runs(std::uint64_t t,
                 const std::vector<RunPiece>& pieces,
                 const std::vector<PieceRef>& refs) {
    if (!decisions_) return;
    Decisions::LayerRules rules;
    rules.begin.push_back(0);
    for (const PieceRef& ref : refs) {
      const RunPiece& piece = pieces[ref.worker];
      for (std::uint64_t i = piece.begin[ref.position]; i < piece.begin[ref.position + 1]; ++i) {
        rules.upto.push_back(piece.upto[i]);
        rules.what.push_back(piece.what[i]);
      }
      rules.begin.push_back(rules.upto.size());
    }
    keep(t, std::move(rules));
  }

  // ---- the result

  Curve<N> curve() const {
    const Window& w = input_.windows.at(0, 0);
    Curve<N> c;
    c.sure = w.sure;
    c.possible = w.possible;
    if (input_.needs != nullptr) {
      // The curve is known where it was asked for.
      c.sure = std::max(c.sure, input_.needs->at(0, 0).above);
      c.possible = std::min(c.possible, input_.needs->at(0, 0).upto);
    }
    if (!dense_) {
      c.upto = sparse_.steps.upto;
      c.value = sparse_.steps.value;
      return c;
    }
    if constexpr (std::is_same_v<N, double>) {
      const Span<double>& span = later_.span(0);
      const auto append = [&](std::int64_t y, double v) {
        if (!c.value.empty() && c.value.back() == v) {
          c.upto.back() = y;
        } else {
          c.upto.push_back(y);
          c.value.push_back(v);
        }
      };
      if (span.from > c.sure) append(span.from, span.below);
      for (std::uint64_t i = 0; i < span.width(); ++i) {
        append(span.from + 1 + static_cast<std::int64_t>(i), later_.row(0)[i]);
      }
      if (span.upto < c.possible) append(c.possible, span.above);
    }
    return c;
  }

  const PassInput<N>& input_;
  Limits& limits_;
  Work& work_;
  Arithmetics<N> numbers_;
  std::shared_ptr<Decisions> decisions_;
  SpannedSteps<N> sparse_;
  static constexpr auto kUnlimited = std::numeric_limits<std::uint64_t>::max();
  bool decisions_too_large_ = false;
  std::uint64_t layer_bytes_ = 0;
  bool dense_ = false;
  bool scratch_counted_ = false;
  PassScratch own_;
  DenseLayer& later_;
  DenseLayer& now_;
  RowMixes mixes_;
  mutable std::vector<double> most_entries_;  // by time
  std::uint64_t held_ = 0;
  std::uint64_t decision_bytes_ = 0;
  std::uint64_t record_bytes_ = 0;
};

}  // namespace

template <class N>
PassOutput<N> run_pass(const PassInput<N>& input, Limits& limits, Work& work) {
  return Pass<N>(input, limits, work).run();
}

template PassOutput<double> run_pass(const PassInput<double>&, Limits&, Work&);
template PassOutput<Rational> run_pass(const PassInput<Rational>&, Limits&, Work&);

}  // namespace quantiplan
