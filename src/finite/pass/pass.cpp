#include "finite/pass/pass.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <limits>
#include <utility>

#include "base/parallel.hpp"
#include "finite/pass/dense_backend.hpp"
#include "finite/pass/layer_form.hpp"
#include "finite/pass/layer_spans.hpp"
#include "finite/pass/pass_store.hpp"
#include "finite/pass/sparse_backup.hpp"
#include "finite/pass/start_curve.hpp"
#include "quantiplan/error.hpp"
#include "quantiplan/ranks.hpp"

namespace quantiplan {
namespace {

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
        entries_(
            input.stages, input.windows, input.drop > 0 ? nullptr : input.needs, input.drop > 0) {}

  PassOutput<N> run() {
    const std::uint64_t horizon = input_.stages.horizon();
    PassOutput<N> output;
    if (input_.record_decisions) decisions_ = std::make_shared<Decisions>(horizon);
    std::uint64_t first = input_.resume != nullptr ? input_.resume_at : horizon;
    if constexpr (std::is_same_v<N, double>) {
      store_ = PassStore::open(input_, limits_, work_);
      if (store_) {
        if (auto finished = store_->finished(work_)) return std::move(*finished);
        first = find_place(output, first);
      }
    }
    if (first == horizon) {
      start();
    } else if (!has_place_) {
      resume();
    }
    for (std::uint64_t t = first; t-- > input_.stop;) {
      if (store_) store_->before_layer();
      coarsen_later(t);
      std::vector<Span<N>> spans =
          layer_spans(input_, numbers_, t, later_spans(), limits_.threads());
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
        if constexpr (std::is_same_v<N, double>) {
          if (store_ && decisions_too_large_) store_->finish(output, work_);
        }
        return output;
      }
      record(t);
      output.dense_layers += dense_ ? 1 : 0;
      save(t, output);
      limits_.report("backward pass",
                     static_cast<double>(horizon - t) / static_cast<double>(horizon));
    }
    output.status = Status::solved;
    if (input_.stop == 0) {
      const DenseLayer* dense = dense_ ? &backend_->read() : nullptr;
      output.curve = start_curve(input_, dense, sparse_);
      if (input_.each_start) output.start_curves = curves_of_starts(input_, dense, sparse_);
    }
    output.decisions = decisions_;
    output.decision_bytes = decision_bytes_;
    output.record_bytes = record_bytes_;
    if constexpr (std::is_same_v<N, double>) {
      if (store_) store_->finish(output, work_);
    }
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
      if (input_.resume->is_dense(input_.resume_at)) {
        turn_dense();
        backend_->upload(input_.resume->dense(input_.resume_at));
      } else {
        sparse_ = input_.resume->sparse(input_.resume_at);
        take(sparse_.bytes(), "a checkpoint");
      }
    }
  }

  // ---- checkpoints of the call

  // The time the pass stood at when it was ended; `otherwise` if it had not begun.
  std::uint64_t find_place(PassOutput<N>& output, std::uint64_t otherwise) {
    if constexpr (std::is_same_v<N, double>) {
      auto place = store_->begun(work_);
      if (!place) return otherwise;
      has_place_ = true;
      layer_bytes_ = place->layer_bytes;
      output.dense_layers = place->dense_layers;
      if (place->decisions) decisions_ = place->decisions;
      decision_bytes_ = place->decision_bytes;
      record_bytes_ = place->record_bytes;
      if (place->is_dense) {
        turn_dense();
        store_->restore(*place, *backend_);
      } else {
        sparse_ = std::move(place->sparse);
        take(sparse_.bytes(), "a checkpoint");
      }
      return place->time;
    }
    return otherwise;
  }

  void save(std::uint64_t t, const PassOutput<N>& output) {
    if constexpr (std::is_same_v<N, double>) {
      if (!store_ || t == input_.stop) return;
      PassStore::Place place;
      place.time = t;
      place.layer_bytes = layer_bytes_;
      place.dense_layers = output.dense_layers;
      place.entries = dense_ ? backend_->entries() : 0;
      store_->after_layer(
          place, dense_ ? backend_.get() : nullptr, sparse_, decisions_.get(), work_);
    }
  }

  void record(std::uint64_t t) {
    if constexpr (std::is_same_v<N, double>) {
      const std::uint64_t bytes =
          dense_ ? DenseLayer::bytes_of(backend_->entries(), backend_->spans().size())
                 : sparse_.bytes();
      layer_bytes_ = std::max(layer_bytes_, bytes);
      if (input_.record == nullptr || !input_.record->wants(t)) return;
      limits_.take(bytes, "all layers of a pass");
      record_bytes_ += bytes;
      if (dense_) {
        input_.record->keep(t, backend_->read());
      } else {
        input_.record->keep(t, sparse_);
      }
    }
  }

  // ---- spans: where functions are stored

  [[nodiscard]] std::span<const Span<N>> later_spans() const {
    if constexpr (std::is_same_v<N, double>) {
      if (dense_) return backend_->spans();
    }
    return sparse_.spans;
  }

  // The later layer in the steps of time t.
  void coarsen_later(std::uint64_t t) {
    const unsigned shift = input_.stages.scale().shift_after(t);
    if (shift == 0) return;
    if (dense_) {
      backend_->coarsen(shift);
      return;
    }
    for (Span<N>& span : sparse_.spans) span = span.coarser(shift);
    const std::uint64_t before = sparse_.bytes();
    sparse_.steps.coarsen(shift, sparse_.spans);
    give_back(before - sparse_.bytes());
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
    const RowSteps<N> rows = mix_rows(input_, t, spans, sparse_, backups, limits_);
    parallel_for(
        workers,
        slots,
        chunk_of_slots(slots, workers),
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
      layer.append(piece.functions, position);
      if (decisions_) append_rules(t, slot, piece, position, rules);
      rules.close_slot();
    }
    work_.breakpoints += layer.upto.size();
    const std::uint64_t old_bytes = sparse_.bytes();
    SpannedSteps<N> next{std::move(spans), std::move(layer)};
    take(next.bytes(), fmt::format("the step functions at time {}", t));
    sparse_ = std::move(next);
    give_back(old_bytes);
    keep(t, std::move(rules));
  }

  void append_rules(std::uint64_t t,
                    std::size_t slot,
                    const StepPiece<N>& piece,
                    std::uint32_t position,
                    Decisions::LayerRules& rules) const {
    const StepLayer<N>& f = piece.functions;
    for (std::uint64_t i = f.begin[position]; i < f.begin[position + 1]; ++i)
      rules.append(f.upto[i], piece.what[i]);
    // What is not needed has no rule; the last one stands in up to the window's edge.
    const std::int64_t possible = input_.windows.at(t, slot).possible;
    if (rules.upto.size() > rules.begin.back())
      rules.upto.back() = std::max(rules.upto.back(), possible);
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

  bool turns_dense(std::uint64_t t, const std::vector<Span<N>>& spans) {
    if (input_.representation == Representation::sparse || input_.probability_levels > 0)
      return false;
    if (!limits_.would_fit(dense_bytes(t))) {
      if (input_.representation == Representation::automatic) return false;
      limits_.take(dense_bytes(t), "the dense backward pass");
    }
    return input_.representation == Representation::dense ||
           is_cheaper_dense(input_, t, spans, sparse_, limits_.threads());
  }

  // A rank holds its slab, what that reaches and messages: about three times its share.
  std::uint64_t dense_bytes(std::uint64_t t) {
    const std::uint64_t all = entries_.bytes_needed(t);
    const RankGroup* ranks = limits_.ranks();
    return ranks == nullptr ? all : std::min(all, all / ranks->size() * 3);
  }

  bool turns_sparse(std::uint64_t t, const std::vector<Span<N>>& spans) const {
    return input_.representation == Representation::automatic &&
           is_cheaper_sparse(input_, t, spans, *backend_);
  }

  void make_sparse() {
    if constexpr (std::is_same_v<N, double>) {
      sparse_ = backend_->read().as_steps();
      take(sparse_.bytes(), "the step functions of a layer");
      dense_ = false;
    }
  }

  void make_dense(std::uint64_t t) {
    if constexpr (std::is_same_v<N, double>) {
      turn_dense();
      give_back(sparse_.bytes());
      backend_->upload(t, std::exchange(sparse_, {}));
    }
  }

  void turn_dense() {
    dense_ = true;
    if (backend_) return;
    const auto most_entries = [this](std::uint64_t t) {
      return static_cast<std::uint64_t>(entries_.most(t));
    };
    const BackendInput made_for{input_, numbers_, most_entries, limits_, work_};
    const MakeBackend make =
        input_.make_backend != nullptr ? input_.make_backend : make_host_backend;
    RankGroup* ranks = limits_.ranks();
    backend_ = ranks != nullptr ? make_rank_backend(made_for, *ranks) : make(made_for);
  }

  bool run_dense_layer(std::uint64_t t, std::vector<Span<N>> spans) {
    if constexpr (std::is_same_v<N, double>) {
      Decisions::LayerRules rules;
      if (!backend_->step(t, std::move(spans), decisions_ ? &rules : nullptr)) return false;
      if (decisions_) keep(t, std::move(rules));
      return true;
    }
    return false;
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
  std::unique_ptr<DenseBackend> backend_;  // once a layer is dense; it keeps its arrays
  std::unique_ptr<PassStore> store_;       // null: the call keeps no checkpoints
  bool has_place_ = false;                 // it had something to go on from
  EntriesAhead entries_;
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
