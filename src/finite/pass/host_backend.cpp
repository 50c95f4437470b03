// Dense layers in the memory of this host, backed up by its threads, a few states at a time.

#include <algorithm>

#include "finite/pass/dense_backend.hpp"
#include "finite/pass/dense_backup.hpp"
#include "finite/pass/row_mixes.hpp"
#include "finite/pass/step_layer.hpp"

namespace quantiplan {
namespace {

class HostBackend : public DenseBackend {
 public:
  explicit HostBackend(const BackendInput& in)
      : in_(in),
        later_(in.input.scratch != nullptr ? in.input.scratch->later : own_.later),
        now_(in.input.scratch != nullptr ? in.input.scratch->now : own_.now) {
    take(sizeof(double) * (later_.capacity() + now_.capacity()), "the dense backward pass");
  }
  HostBackend(const HostBackend&) = delete;
  HostBackend& operator=(const HostBackend&) = delete;
  ~HostBackend() override { in_.limits.give_back(held_); }

  void upload(std::uint64_t t, SpannedSteps<double> layer) override {
    reset(later_, t, std::move(layer.spans));
    later_.spell_out(layer.steps);
  }

  void upload(const DenseLayer& layer) override {
    const std::uint64_t before = later_.capacity();
    later_ = layer.copy();
    if (later_.capacity() > before)
      take(sizeof(double) * (later_.capacity() - before), "a checkpoint");
  }

  void restore(std::vector<Span<double>> spans, std::uint64_t entries, const Fill& fill) override {
    const std::uint64_t size = dense_entries(spans);
    if (size > later_.capacity()) take(sizeof(double) * (size - later_.capacity()), "a checkpoint");
    later_.reset(std::move(spans), size);
    fill(kAllLevels, later_);
    restored_entries_ = entries;
  }

  void coarsen(unsigned shift) override { later_.coarsen(shift); }

  bool step(std::uint64_t t,
            std::vector<Span<double>> spans,
            Decisions::LayerRules* rules) override {
    mix_rows(t, spans);
    reset(now_, t, std::move(spans));
    const auto runs = back_up_layer(in_.input, in_.numbers, in_.limits, t, later_, mixes_, now_);
    if (!runs) return false;
    in_.work.backups += runs->backups;
    in_.work.multiply_adds += runs->multiply_adds;
    in_.work.breakpoints += now_.size();
    if (rules != nullptr) *rules = joined(runs->pieces, runs->refs);
    std::swap(later_, now_);
    restored_entries_.reset();
    return true;
  }

  [[nodiscard]] std::span<const Span<double>> spans() const override { return later_.spans(); }
  [[nodiscard]] std::uint64_t entries() const override {
    return restored_entries_.value_or(later_.size());
  }
  [[nodiscard]] const DenseLayer& read() override { return later_; }

  [[nodiscard]] std::optional<std::vector<std::uint64_t>> few_steps() override {
    std::vector<std::uint64_t> steps(later_.spans().size());
    for (std::size_t slot = 0; slot < steps.size(); ++slot) {
      const std::uint64_t few = 1 + later_.span(slot).width() / 16;
      steps[slot] = later_.count_steps(slot, few);
      if (steps[slot] > few) return std::nullopt;
    }
    return steps;
  }

 private:
  void take(std::uint64_t bytes, const char* what) {
    in_.limits.take(bytes, what);
    held_ += bytes;
  }

  void mix_rows(std::uint64_t t, const std::vector<Span<double>>& spans) {
    const std::uint64_t before = mixes_.bytes();
    mixes_.plan(in_.input, t, spans);
    if (mixes_.bytes() > before) take(mixes_.bytes() - before, "the mixtures of shared rows");
    if (mixes_.bytes() < before) {
      in_.limits.give_back(before - mixes_.bytes());
      held_ -= before - mixes_.bytes();
    }
    const std::uint64_t products = mixes_.multiply_adds();
    mixes_.run(in_.input, in_.numbers, t, later_, in_.limits);
    in_.work.multiply_adds += mixes_.multiply_adds() - products;
  }

  // Room for what lies ahead is taken at once, where it can be foreseen.
  void reset(DenseLayer& layer, std::uint64_t t, std::vector<Span<double>> spans) {
    const std::uint64_t entries = dense_entries(spans);
    const std::uint64_t before = layer.capacity();
    std::uint64_t wanted = before;
    if (entries > before) {
      wanted = in_.input.drop > 0 ? entries + entries / 2 : std::max(entries, in_.most_entries(t));
      take(sizeof(double) * (wanted - before), "the dense backward pass");
    }
    layer.reset(std::move(spans), wanted);
  }

  BackendInput in_;
  PassScratch own_;
  DenseLayer& later_;
  DenseLayer& now_;
  RowMixes mixes_;
  std::optional<std::uint64_t> restored_entries_;  // before the ends of rows were trimmed
  std::uint64_t held_ = 0;
};

}  // namespace

std::unique_ptr<DenseBackend> make_host_backend(const BackendInput& input) {
  return std::make_unique<HostBackend>(input);
}

}  // namespace quantiplan
