#include "pass.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>

#include "dense_backup.hpp"
#include "parallel.hpp"
#include "quantiplan/error.hpp"
#include "sparse_backup.hpp"

namespace quantiplan {
namespace {

// States a worker takes at once: few, for their windows differ in width.
constexpr std::size_t kChunk = 4;

template <class N>
class Pass {
 public:
  // However the pass ends, what it still holds is given back.
  ~Pass() { limits_.give_back(held_ + decision_bytes_); }
  Pass(const Pass&) = delete;
  Pass& operator=(const Pass&) = delete;
  Pass(const PassInput<N>& input, Limits& limits, Work& work)
      : input_(input), limits_(limits), work_(work), numbers_(input.stages.model()) {}

  PassOutput<N> run() {
    const std::uint64_t horizon = input_.stages.horizon();
    PassOutput<N> output;
    if (input_.record_decisions) decisions_ = std::make_shared<Decisions>(horizon);
    start();
    for (std::uint64_t t = horizon; t-- > 0;) {
      if constexpr (std::is_same_v<N, double>) {
        if (!dense_ && turns_dense(t)) make_dense(t + 1);
      }
      const bool done = dense_ ? run_dense_layer(t) : run_sparse_layer(t);
      if (!done) {
        output.status = limits_.status();
        return output;
      }
      output.dense_layers += dense_ ? 1 : 0;
      limits_.report("backward pass",
                     static_cast<double>(horizon - t) / static_cast<double>(horizon));
    }
    output.status = Status::solved;
    output.curve = curve();
    output.decisions = decisions_;
    output.decision_bytes = decision_bytes_;
    ++work_.passes;
    decision_bytes_ = 0;  // handed over
    return output;
  }

 private:
  void start() {
    // At the horizon every window is empty: 1 up to 0, then 0.
    const std::size_t slots = input_.stages.layer(input_.stages.horizon()).size();
    sparse_.begin.assign(slots + 1, 0);
    take(sparse_.bytes(), "the last layer");
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

  bool run_sparse_layer(std::uint64_t t) {
    const std::size_t slots = input_.stages.layer(t).size();
    const unsigned workers = limits_.threads();
    std::vector<StepPiece<N>> pieces(workers);
    std::vector<SparseBackup<N>> backups(workers, SparseBackup<N>(input_, numbers_, limits_));
    std::vector<PieceRef> refs(slots);
    std::atomic<std::uint64_t> bytes{0};
    std::atomic<bool> over{false};
    parallel_for(workers, slots, kChunk, [&](unsigned worker, std::size_t begin, std::size_t end) {
      for (std::size_t slot = begin; slot < end; ++slot) {
        if (limits_.ended() || over.load(std::memory_order_relaxed)) return;
        StepPiece<N>& piece = pieces[worker];
        const std::uint64_t before = piece.functions.bytes();
        refs[slot] = {worker, static_cast<std::uint32_t>(piece.functions.begin.size() - 1)};
        backups[worker].run(t, slot, sparse_, piece);
        const std::uint64_t grown = piece.functions.bytes() - before;
        // Twice: the pieces, and the layer they are joined into.
        const std::uint64_t total = bytes.fetch_add(grown) + grown;
        if (!limits_.would_fit(2 * total) || backups[worker].scratch_refused > 0) over.store(true);
      }
    });
    if (limits_.ended()) return false;
    for (const auto& backup : backups) {
      if (backup.scratch_refused > 0) {
        limits_.take(backup.scratch_refused, fmt::format("one step function at time {}", t));
      }
    }
    if (over.load()) {
      limits_.take(2 * bytes.load(), fmt::format("the step functions at time {} (so far)", t));
    }
    for (const auto& backup : backups) {
      work_.backups += backup.backups;
      work_.multiply_adds += backup.multiply_adds;
    }
    join(t, pieces, refs);
    return true;
  }

  void join(std::uint64_t t,
            const std::vector<StepPiece<N>>& pieces,
            const std::vector<PieceRef>& refs) {
    StepLayer<N> layer;
    Decisions::LayerRules rules;
    rules.begin.push_back(0);
    for (const PieceRef& ref : refs) {
      const StepPiece<N>& piece = pieces[ref.worker];
      const StepLayer<N>& f = piece.functions;
      const std::uint64_t slot_begin = rules.upto.size();
      for (std::uint64_t i = f.begin[ref.position]; i < f.begin[ref.position + 1]; ++i) {
        layer.upto.push_back(f.upto[i]);
        layer.value.push_back(f.value[i]);
        if (!decisions_) continue;
        if (rules.upto.size() > slot_begin && rules.what.back() == piece.what[i]) {
          rules.upto.back() = f.upto[i];
        } else {
          rules.upto.push_back(f.upto[i]);
          rules.what.push_back(piece.what[i]);
        }
      }
      layer.begin.push_back(layer.upto.size());
      rules.begin.push_back(rules.upto.size());
    }
    work_.breakpoints += layer.upto.size();
    const std::uint64_t old_bytes = sparse_.bytes();
    take(layer.bytes(), fmt::format("the step functions at time {}", t));
    sparse_ = std::move(layer);
    give_back(old_bytes);
    keep(t, std::move(rules));
  }

  void keep(std::uint64_t t, Decisions::LayerRules rules) {
    if (!decisions_) return;
    limits_.take(rules.bytes(), fmt::format("the decisions at time {}", t));
    decision_bytes_ += rules.bytes();
    decisions_->set_layer(t, std::move(rules));
  }

  // ---- dense layers

  // Compares the work of the layer at t in both forms; a sparse step costs about eight dense ones.
  bool turns_dense(std::uint64_t t) const {
    if (input_.representation == Representation::sparse) return false;
    if (!dense_fits(t)) {
      if (input_.representation == Representation::automatic) return false;
      limits_.take(dense_bytes_needed(t), "the dense backward pass");
    }
    if (input_.representation == Representation::dense) return true;
    constexpr double kSparseCost = 8;
    const Stages& stages = input_.stages;
    const Layer& next_layer = stages.layer(t + 1);
    double dense = 0;
    double sparse = 0;
    for (std::size_t slot = 0; slot < stages.layer(t).size(); ++slot) {
      double outcomes = 0;
      double steps = 0;
      for (const Choice c : stages.model().choices(stages.layer(t).state(slot))) {
        for (const Outcome& o : stages.model().outcomes(c)) {
          ++outcomes;
          steps += static_cast<double>(sparse_.steps(next_layer.slot(o.next)) + 1);
        }
      }
      const auto width = static_cast<double>(input_.windows.at(t, slot).width());
      dense += outcomes * width;
      sparse += outcomes * std::min(width, steps);
    }
    return dense < kSparseCost * sparse;
  }

  // Entries of the widest layer from t down to 0; two layers of that size are held.
  double most_entries(std::uint64_t t) const {
    if (most_entries_.empty()) {
      double most = 0;
      for (std::uint64_t i = 0; i <= input_.stages.horizon(); ++i) {
        most = std::max(most, dense_entries(input_.windows, i, input_.stages.layer(i).size()));
        most_entries_.push_back(most);
      }
    }
    return most_entries_[t];
  }
  std::uint64_t dense_bytes_needed(std::uint64_t t) const {
    constexpr double kMost = 9e18;
    const double slots = 2.0 * static_cast<double>(input_.stages.model().state_count() + 1);
    return static_cast<std::uint64_t>(
        std::min(sizeof(double) * (2 * most_entries(t + 1) + slots), kMost));
  }
  bool dense_fits(std::uint64_t t) const { return limits_.would_fit(dense_bytes_needed(t)); }

  void make_dense(std::uint64_t t) {
    if constexpr (std::is_same_v<N, double>) {
      take(dense_bytes_needed(t - 1), "the dense backward pass");
      reset(later_, t);
      later_.spell_out(input_.windows, t, sparse_);
      give_back(sparse_.bytes());
      sparse_ = {};
      dense_ = true;
    }
  }

  void reset(DenseLayer& layer, std::uint64_t t) {
    layer.reset(input_.windows,
                t,
                input_.stages.layer(t).size(),
                static_cast<std::uint64_t>(most_entries(t)));
  }

  bool run_dense_layer(std::uint64_t t) {
    if constexpr (std::is_same_v<N, double>) {
      const std::size_t slots = input_.stages.layer(t).size();
      const unsigned workers = limits_.threads();
      reset(now_, t);
      std::vector<DenseBackup> backups(workers, DenseBackup(input_, numbers_, limits_));
      std::vector<RunPiece> pieces(workers);
      std::vector<PieceRef> refs(slots);
      parallel_for(
          workers, slots, kChunk, [&](unsigned worker, std::size_t begin, std::size_t end) {
            for (std::size_t slot = begin; slot < end; ++slot) {
              if (limits_.ended()) return;
              refs[slot] = {worker, static_cast<std::uint32_t>(pieces[worker].begin.size() - 1)};
              backups[worker].run(t, slot, later_, now_, pieces[worker]);
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
    if (!dense_) {
      c.upto = sparse_.upto;
      c.value = sparse_.value;
      return c;
    }
    if constexpr (std::is_same_v<N, double>) {
      for (std::uint64_t i = 0; i < later_.size(); ++i) {
        const double v = later_.row(0)[i];
        const std::int64_t y = w.sure + 1 + static_cast<std::int64_t>(i);
        if (!c.value.empty() && c.value.back() == v) {
          c.upto.back() = y;
        } else {
          c.upto.push_back(y);
          c.value.push_back(v);
        }
      }
    }
    return c;
  }

  const PassInput<N>& input_;
  Limits& limits_;
  Work& work_;
  Arithmetics<N> numbers_;
  std::shared_ptr<Decisions> decisions_;
  StepLayer<N> sparse_;
  bool dense_ = false;
  DenseLayer later_;
  DenseLayer now_;
  mutable std::vector<double> most_entries_;  // by time
  std::uint64_t held_ = 0;
  std::uint64_t decision_bytes_ = 0;
};

}  // namespace

template <class N>
PassOutput<N> run_pass(const PassInput<N>& input, Limits& limits, Work& work) {
  return Pass<N>(input, limits, work).run();
}

template PassOutput<double> run_pass(const PassInput<double>&, Limits&, Work&);
template PassOutput<Rational> run_pass(const PassInput<Rational>&, Limits&, Work&);

}  // namespace quantiplan
