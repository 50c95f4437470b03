#include "finite/device/device_backend.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/memory.hpp"
#include "finite/device/device_arrays.hpp"
#include "finite/device/device_plan.hpp"
#include "finite/device/device_rows.hpp"
#include "finite/device/device_slab.hpp"
#include "finite/device/device_step.hpp"
#include "quantiplan/error.hpp"
#include "quantiplan/ranks.hpp"

namespace quantiplan {
namespace {

constexpr std::size_t kSlotsLookedAtFirst = 64;

class DeviceBackend : public DenseBackend {
 public:
  DeviceBackend(const BackendInput& in, std::shared_ptr<DeviceArrays> arrays, Otherwise otherwise)
      : in_(in), arrays_(std::move(arrays)), otherwise_(otherwise) {
    DeviceArrays& a = *arrays_;
    const Model& model = in_.input.stages.model();
    const bool known = a.model && a.model->is_of(in_.input.stages);
    const DeviceNeed need{model.state_count() + 1,
                          model.choice_count() + 1,
                          model.outcome_count(),
                          most_entries(),
                          in_.input.record_decisions};
    if (!known) {
      const std::uint64_t free = a.machine->free_bytes();
      if (need.bytes() > free)
        throw DeviceFull(fmt::format("the pass needs {}, and {} of the memory of the {} are free",
                                     bytes_text(need.bytes()),
                                     bytes_text(free),
                                     a.machine->name()));
    }
    prepare_model(a, in_.input.stages, in_.limits);
    take(sizeof(double) * (a.later_capacity + a.now_capacity), "the dense backward pass");
  }
  DeviceBackend(const DeviceBackend&) = delete;
  DeviceBackend& operator=(const DeviceBackend&) = delete;
  ~DeviceBackend() override { in_.limits.give_back(held_); }

  void upload(std::uint64_t t, SpannedSteps<double> layer) override {
    if (host_) return host_->upload(t, std::move(layer));
    try {
      upload_steps(t, layer);
    } catch (const DeviceFull& full) {
      move_to_host(full);
      host_->upload(t, std::move(layer));
    }
  }

  void upload(const DenseLayer& layer) override {
    if (host_) return host_->upload(layer);
    try {
      upload_layer(layer);
    } catch (const DeviceFull& full) {
      move_to_host(full);
      host_->upload(layer);
    }
  }

  void restore(std::vector<Span<double>> spans, std::uint64_t entries, const Fill& fill) override {
    if (host_) return host_->restore(std::move(spans), entries, fill);
    const std::uint64_t size = dense_entries(spans);
    DenseLayer layer;
    layer.reset(std::move(spans), size);
    fill(kAllLevels, layer);
    upload(layer);
    entries_ = entries;
  }

  void coarsen(unsigned shift) override {
    if (host_) return host_->coarsen(shift);
    try {
      coarsen_layer(shift);
    } catch (const DeviceFull& full) {
      move_layer_to_host(full);
      host_->coarsen(shift);
    }
  }

  bool step(std::uint64_t t,
            std::vector<Span<double>> spans,
            Decisions::LayerRules* rules) override {
    if (host_) return host_->step(t, std::move(spans), rules);
    const Work before = in_.work;
    try {
      return step_on_device(t, spans, rules);
    } catch (const DeviceFull& full) {
      in_.work = before;
      if (rules != nullptr) *rules = {};
      move_layer_to_host(full);
      return host_->step(t, std::move(spans), rules);
    }
  }

  [[nodiscard]] std::unique_ptr<SlabWorker> slab_worker() override {
    return make_device_slab(in_, arrays_, otherwise_);
  }

  [[nodiscard]] std::span<const Span<double>> spans() const override {
    return host_ ? host_->spans() : std::span<const Span<double>>(spans_);
  }
  [[nodiscard]] std::uint64_t entries() const override {
    return host_ ? host_->entries() : entries_;
  }

  [[nodiscard]] const DenseLayer& read() override {
    if (host_) return host_->read();
    if (is_read_) return layer_;
    DeviceArrays& a = *arrays_;
    layer_.reset(spans_, 0);
    if (is_packed_ && layer_.size() > 0) {
      a.machine->copy_out(layer_.row(0), a.later.data(), sizeof(double) * layer_.size());
    } else if (layer_.size() > 0) {
      // Rows were cut, and have gaps between them.
      std::vector<double> values(stored_);
      a.machine->copy_out(values.data(), a.later.data(), sizeof(double) * stored_);
      for (std::size_t slot = 0; slot < spans_.size(); ++slot)
        std::copy_n(values.data() + functions_[slot].begin, spans_[slot].width(), layer_.row(slot));
    }
    is_read_ = true;
    return layer_;
  }

  [[nodiscard]] std::optional<std::vector<std::uint64_t>> few_steps() override {
    if (host_) return host_->few_steps();
    try {
      std::vector<std::uint64_t> steps;
      // Most layers have many steps everywhere: a few functions show it.
      const std::size_t looked_at = std::min(kSlotsLookedAtFirst, spans_.size());
      if (!count_steps(0, looked_at, steps)) return std::nullopt;
      if (!count_steps(looked_at, spans_.size(), steps)) return std::nullopt;
      return steps;
    } catch (const DeviceFull& full) {
      move_layer_to_host(full);
      return host_->few_steps();
    }
  }

 private:
  // Of a layer; of one process's part, if several share it (as Pass::dense_bytes has it).
  [[nodiscard]] std::uint64_t most_entries() const {
    const std::uint64_t all = in_.most_entries(in_.input.stages.horizon());
    const RankGroup* ranks = in_.limits.ranks();
    return ranks == nullptr ? all : std::min(all, all / ranks->size() * 3);
  }

  void take(std::uint64_t bytes, const char* what) {
    in_.limits.take(bytes, what);
    held_ += bytes;
  }

  // As the host would, where its arrays grow (host_backend.cpp).
  void note_room(std::uint64_t& capacity, std::uint64_t t, std::uint64_t entries) {
    if (entries <= capacity) return;
    const std::uint64_t wanted =
        in_.input.drop > 0 ? entries + entries / 2 : std::max(entries, in_.most_entries(t));
    take(sizeof(double) * (wanted - capacity), "the dense backward pass");
    capacity = wanted;
  }

  [[nodiscard]] std::uint64_t ahead(std::uint64_t t, std::uint64_t entries) const {
    return in_.input.drop > 0 ? entries + entries / 2 : in_.most_entries(t);
  }

  template <class Arguments>
  void launch(DeviceKernel kernel, std::uint64_t warps, Arguments arguments) {
    arrays_->machine->launch(kernel, warps, &arguments, sizeof(arguments));
  }

  device::Pieces put_pieces(std::span<const device::Function> functions) {
    const auto begin = stretches_before(functions, device::kPiece);
    return {arrays_->begin.put(begin), static_cast<std::uint32_t>(functions.size()), begin.back()};
  }

  // The layer is now the later one, laid out so.
  void hold(std::vector<Span<double>> spans, DeviceLayout layout) {
    spans_ = std::move(spans);
    stored_ = layout.entries;
    functions_ = std::move(layout.functions);
    is_packed_ = true;
    is_read_ = false;
  }

  void upload_steps(std::uint64_t t, const SpannedSteps<double>& layer) {
    DeviceArrays& a = *arrays_;
    DeviceLayout layout = device_layout(layer.spans);
    require_narrow(layout);
    note_room(a.later_capacity, t, layout.entries);
    a.later.require(layout.entries, ahead(t, layout.entries));
    a.later_functions.put(layout.functions);
    a.step_begin.put(layer.steps.begin);
    a.step_upto.put(layer.steps.upto);
    a.step_value.put(layer.steps.value);
    const device::Pieces pieces = put_pieces(layout.functions);
    launch(DeviceKernel::spell_out,
           pieces.count,
           device::SpellOut{0,
                            pieces,
                            a.later_functions.data(),
                            a.step_begin.data(),
                            a.step_upto.data(),
                            a.step_value.data(),
                            a.later.data()});
    entries_ = layout.entries;
    hold(layer.spans, std::move(layout));
  }

  void upload_layer(const DenseLayer& layer) {
    DeviceArrays& a = *arrays_;
    DeviceLayout layout = device_layout(layer.spans());
    require_narrow(layout);
    if (layout.entries > a.later_capacity)
      take(sizeof(double) * (layout.entries - a.later_capacity), "a checkpoint");
    a.later_capacity = layout.entries;
    a.later.require(layout.entries);
    put_rows(a, layer, layout);
    entries_ = layout.entries;
    hold(layer.spans(), std::move(layout));
  }

  void coarsen_layer(unsigned shift) {
    DeviceArrays& a = *arrays_;
    std::vector<Span<double>> spans = spans_;
    for (Span<double>& span : spans) span = span.coarser(shift);
    DeviceLayout layout = device_layout(spans);
    a.now.require(layout.entries);
    a.now_functions.put(layout.functions);
    const device::Pieces pieces = put_pieces(layout.functions);
    launch(DeviceKernel::coarsen,
           pieces.count,
           device::Coarsen{0,
                           pieces,
                           a.later_functions.data(),
                           a.now_functions.data(),
                           shift,
                           a.later.data(),
                           a.now.data()});
    a.later.swap(a.now);
    a.later_functions.swap(a.now_functions);
    // The entries that it was made for stay what they were, as on the host.
    hold(std::move(spans), std::move(layout));
  }

  bool step_on_device(std::uint64_t t,
                      std::vector<Span<double>>& spans,
                      Decisions::LayerRules* rules) {
    DeviceArrays& a = *arrays_;
    plan_rows(t, spans);
    DeviceLayout layout = device_layout(spans);
    require_narrow(layout);
    note_room(a.now_capacity, t, layout.entries);
    a.now.require(layout.entries, ahead(t, layout.entries));
    // From here on nothing more is taken once the layer is made.
    if (in_.input.drop > 0) a.span_ends.require(spans.size());
    if (!DeviceStep(in_, a).run(t, spans, layout, mixes_, spans_.size(), rules)) return false;
    in_.work.breakpoints += layout.entries;
    a.later.swap(a.now);
    a.later_functions.swap(a.now_functions);
    std::swap(a.later_capacity, a.now_capacity);
    if (!a.later_slots.is_of(in_.input.stages.layer(t))) a.later_slots.swap(a.now_slots);
    entries_ = layout.entries;
    hold(std::move(spans), std::move(layout));
    if (in_.input.drop > 0) trim();
    return true;
  }

  void plan_rows(std::uint64_t t, const std::vector<Span<double>>& spans) {
    const std::uint64_t before = mixes_.bytes();
    mixes_.plan(in_.input, t, spans);
    if (mixes_.bytes() > before) take(mixes_.bytes() - before, "the mixtures of shared rows");
    if (mixes_.bytes() < before) {
      in_.limits.give_back(before - mixes_.bytes());
      held_ -= before - mixes_.bytes();
    }
  }

  // Values within `drop` of 1 or 0 become constants.
  void trim() {
    DeviceArrays& a = *arrays_;
    const auto slots = static_cast<std::uint32_t>(spans_.size());
    launch(DeviceKernel::find_ends,
           (slots + 31) / 32,
           device::FindEnds{0,
                            a.later_functions.data(),
                            slots,
                            a.later.data(),
                            in_.input.drop,
                            a.span_ends.data()});
    std::vector<device::Ends> ends(slots);
    a.machine->copy_out(ends.data(), a.span_ends.data(), sizeof(device::Ends) * slots);
    const bool from_below = in_.input.stages.scale().rounding() == Rounding::down;
    for (std::size_t slot = 0; slot < slots; ++slot) {
      if (spans_[slot].width() == 0) continue;
      const device::Ends& e = ends[slot];
      trim_span({e.first, e.last, e.front, e.before_first, e.at_last}, from_below, spans_[slot]);
      device::Function& function = functions_[slot];
      function = {spans_[slot].from,
                  static_cast<std::int64_t>(spans_[slot].width()),
                  function.begin + static_cast<std::uint64_t>(e.first),
                  spans_[slot].below,
                  spans_[slot].above};
    }
    a.later_functions.put(functions_);
    is_packed_ = false;
  }

  // Of slots first .. end; false if one has too many.
  bool count_steps(std::size_t first, std::size_t end, std::vector<std::uint64_t>& steps) {
    DeviceArrays& a = *arrays_;
    const auto some = std::span(functions_).subspan(first, end - first);
    const auto begin = stretches_before(some, device::kPiece);
    const device::Pieces pieces{
        a.begin.put(begin), static_cast<std::uint32_t>(some.size()), begin.back()};
    a.counts.require(begin.back());
    launch(DeviceKernel::count_steps,
           begin.back(),
           device::CountSteps{
               0, pieces, a.later_functions.data() + first, a.later.data(), a.counts.data()});
    std::vector<std::uint32_t> counts(begin.back());
    a.machine->copy_out(counts.data(), a.counts.data(), 4 * counts.size());
    for (std::size_t i = 0; i < some.size(); ++i) {
      std::uint64_t count = 0;
      for (std::uint64_t piece = begin[i]; piece < begin[i + 1]; ++piece) count += counts[piece];
      if (count > 1 + static_cast<std::uint64_t>(some[i].width) / 16) return false;
      steps.push_back(count);
    }
    return true;
  }

  // ---- where the device is full

  void move_to_host(const DeviceFull& full) {
    if (otherwise_ == Otherwise::refuse)
      throw Error(ErrorCode::refused,
                  "--backend",
                  fmt::format("found 'gpu', but {}; expected auto or host", full.what()));
    in_.limits.give_back(std::exchange(held_, 0));
    arrays_.reset();
    if (in_.input.scratch != nullptr) in_.input.scratch->of_backend.reset();
    host_ = make_host_backend(in_);
  }
  void move_layer_to_host(const DeviceFull& full) {
    (void)read();
    move_to_host(full);
    host_->upload(layer_);
    layer_ = {};
  }

  BackendInput in_;
  std::shared_ptr<DeviceArrays> arrays_;
  Otherwise otherwise_;
  std::unique_ptr<DenseBackend> host_;  // once it took over
  RowMixes mixes_;                      // their plan
  std::vector<Span<double>> spans_;
  std::vector<device::Function> functions_;
  std::uint64_t entries_ = 0;  // the layer was made for, cut or not
  std::uint64_t stored_ = 0;   // its array has
  bool is_packed_ = true;
  DenseLayer layer_;  // as it was read last
  bool is_read_ = false;
  std::uint64_t held_ = 0;
};

}  // namespace

std::unique_ptr<DenseBackend> make_device_backend(const BackendInput& input,
                                                  std::shared_ptr<DeviceArrays> arrays,
                                                  Otherwise otherwise) {
  return std::make_unique<DeviceBackend>(input, std::move(arrays), otherwise);
}

std::shared_ptr<DeviceArrays> make_device_arrays(std::unique_ptr<Accelerator> machine) {
  return std::make_shared<DeviceArrays>(std::move(machine));
}

}  // namespace quantiplan
