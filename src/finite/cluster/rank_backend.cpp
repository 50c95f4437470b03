// Dense layers cut by levels of wealth among processes, backed up by the threads of each, or by its GPU.
//
//     plan (all alike)  ->  fetch the levels of t + 1 that the slab reaches  ->  back up the slab
//                       ->  one exchange: decisions, edges of functions, what rank 0 wishes
//
// Each level of each function is computed by one rank, by the same operations as on one host.

#include <fmt/format.h>

#include <algorithm>

#include "base/digest.hpp"
#include "finite/cluster/byte_strings.hpp"
#include "finite/cluster/joined_rules.hpp"
#include "finite/cluster/rank_layer.hpp"
#include "finite/cluster/rank_plan.hpp"
#include "finite/cluster/shared_orders.hpp"
#include "finite/cluster/slabs.hpp"
#include "finite/cluster/trimmed_rows.hpp"
#include "finite/pass/dense_backend.hpp"
#include "finite/pass/dense_backup.hpp"
#include "finite/pass/row_mixes.hpp"
#include "finite/shared_layer.hpp"
#include "quantiplan/error.hpp"
#include "quantiplan/ranks.hpp"

namespace quantiplan {
namespace {

// What ranks compare before and after each step.
struct StepMark {
  std::uint64_t time;
  std::uint64_t digest;
  std::uint64_t wish;
  std::uint64_t sent;  // bytes, by this rank so far
};

class RankBackend : public DenseBackend {
 public:
  RankBackend(const BackendInput& in, RankGroup& group)
      : in_(in),
        group_(group),
        rewards_(in.input.stages),
        orders_(in.input, in.numbers),
        layer_(group),
        worker_(in.input.make_backend != nullptr ? in.input.make_backend(in)->slab_worker()
                                                 : nullptr) {}
  RankBackend(const RankBackend&) = delete;
  RankBackend& operator=(const RankBackend&) = delete;
  ~RankBackend() override { in_.limits.give_back(held_); }

  void upload(std::uint64_t /*t*/, SpannedSteps<double> layer) override {
    entries_ = dense_entries(layer.spans);
    own_bytes_ = layer.bytes();
    hold(own_bytes_, "a layer by breakpoints");
    layer_.replicate(std::move(layer));
  }

  void upload(const DenseLayer& layer) override {
    own_bytes_ = layer.bytes();
    hold(own_bytes_, "a checkpoint");
    layer_.replicate(layer.copy());
    entries_ = dense_entries(layer.spans());
  }

  [[nodiscard]] std::vector<Interval> owners() const override { return layer_.owned(); }
  [[nodiscard]] const DenseLayer& own_part() override { return layer_.own(); }
  void restore(std::vector<Span<double>> spans, std::uint64_t entries, const Fill& fill) override {
    LevelProfile profile;
    for (const Span<double>& span : spans) profile.add(stored(span), 1);
    profile.close();
    const std::vector<std::int64_t> cuts = profile.cuts(group_.size());
    std::vector<Interval> owned;
    std::uint64_t most = 0;
    for (std::uint32_t q = 0; q < group_.size(); ++q) {
      owned.push_back(slab(cuts, q));
      most = std::max(most, static_cast<std::uint64_t>(profile.within(owned.back())));
    }
    own_bytes_ = sizeof(double) * most;
    hold(own_bytes_, "a checkpoint");
    now_.reset(cut_spans(spans, owned[group_.rank()]), 0);
    fill(owned[group_.rank()], now_);
    entries_ = entries;
    layer_.distribute(std::move(spans), std::move(owned), std::move(now_));
    now_ = DenseLayer();
  }

  void coarsen(unsigned shift) override { layer_.coarsen(shift); }

  bool step(std::uint64_t t,
            std::vector<Span<double>> spans,
            Decisions::LayerRules* rules) override {
    if (group_.is_abandoned()) return leave();
    // Step 1. Who does what; the same on all ranks.
    mixes_.plan(in_.input, t, spans);
    const RankPlan plan =
        plan_step(in_.input, t, spans, layer_.spans(), mixes_, rewards_.at(t), group_.size());
    // Besides what is owned: what is fetched, computed and mixed, and messages.
    hold(own_bytes_ + sizeof(double) * (plan.most_now + plan.most_later + plan.most_mixed) +
             own_bytes_ + sizeof(Span<double>) * 4 * spans.size() + orders_.bytes(),
         "the dense backward pass");
    if (!has_begun_ && !begin(t, spans)) return leave();
    // Step 2. Levels of the later layer, from those who own them.
    if (!layer_.fetch(plan.reaches, later_, over())) return leave();
    // Step 3. The slab.
    const std::uint32_t self = group_.rank();
    mixes_.restrict(plan.reaches[self]);
    now_.reset(cut_spans(spans, plan.slabs[self]), 0);
    std::vector<std::byte> message;
    put(message, StepMark{t, spans_digest(spans), group_.wish ? 1U : 0U, group_.sent_bytes()});
    std::vector<std::byte> runs;
    if (!back_up(t, rules != nullptr, runs)) return leave();
    if (t > in_.input.stop) orders_.find(t - 1, self, group_.size(), in_.limits);
    if (in_.limits.ended()) return leave();
    orders_.put(self, group_.size(), message);
    message.insert(message.end(), runs.begin(), runs.end());
    // Step 4. What all have to know.
    const auto heard = group_.gather(std::move(message), over());
    if (!heard) return leave();
    compare_marks(*heard);
    const auto all_runs = after_orders(*heard);
    if (rules != nullptr) *rules = join_runs(in_.input, t, all_runs);
    entries_ = dense_entries(spans);
    if (in_.input.drop > 0 && !trim_rows(group_, plan.slabs, in_.input, now_, spans, over()))
      return leave();
    in_.work.backups += plan.backups;
    in_.work.multiply_adds += plan.multiply_adds;
    in_.work.breakpoints += entries_;
    DenseLayer spare = layer_.take_own();
    layer_.distribute(std::move(spans), plan.slabs, std::move(now_));
    now_ = std::move(spare);
    own_bytes_ = sizeof(double) * plan.most_now;
    return true;
  }

  [[nodiscard]] std::span<const Span<double>> spans() const override { return layer_.spans(); }
  [[nodiscard]] std::uint64_t entries() const override { return entries_; }

  // Every rank has all of it then. The others come here, too, so waiting ends.
  [[nodiscard]] const DenseLayer& read() override {
    const std::uint64_t bytes = sizeof(double) * dense_entries(layer_.spans());
    if (bytes > whole_bytes_) {
      in_.limits.take(bytes - whole_bytes_, "a whole layer on every rank");
      held_ += bytes - whole_bytes_;
      whole_bytes_ = bytes;
    }
    layer_.fetch(layer_.all_levels(), later_, nullptr);
    return later_;
  }

  [[nodiscard]] std::optional<std::vector<std::uint64_t>> few_steps() override {
    return layer_.few_steps();
  }

 private:
  // While rank 0 waits it looks at the limits of the call; the others look at their memory.
  [[nodiscard]] RankGroup::IsOver over() const {
    return [this] { return in_.limits.ended(); };
  }
  bool leave() {
    if (group_.rank() > 0) group_.give_up();
    if (!in_.limits.ended()) refuse_unfinished("a pass of several ranks");
    return false;
  }

  // The ranks that are here have the same problem before them.
  bool begin(std::uint64_t t, const std::vector<Span<double>>& spans) {
    std::vector<std::byte> message;
    put(message, StepMark{t, problem_digest(spans), 0, group_.sent_bytes()});
    const auto heard = group_.gather(std::move(message), over());
    if (!heard) return false;
    compare_marks(*heard);
    has_begun_ = true;
    return true;
  }

  [[nodiscard]] static std::uint64_t spans_digest(const std::vector<Span<double>>& spans) {
    return digest_of(spans.data(), spans.size() * sizeof(Span<double>));
  }
  [[nodiscard]] std::uint64_t problem_digest(const std::vector<Span<double>>& spans) const {
    // Models are compared once, where they are read; here a look at the arrays has to do.
    return Digest()
        .value(arrays_digest(in_.input.stages.model()))
        .value(spans_digest(spans))
        .value(in_.input.drop)
        .value(in_.input.record_decisions)
        .result();
  }

  void compare_marks(const std::vector<std::vector<std::byte>>& heard) {
    StepMark first{};
    std::uint64_t sent = 0;
    for (std::uint32_t q = 0; q < heard.size(); ++q) {
      const auto mark = ByteReader(heard[q]).get<StepMark>();
      if (q == 0) first = mark;
      sent += mark.sent;
      if (mark.time != first.time || mark.digest != first.digest)
        throw Error(ErrorCode::bad_request,
                    "ranks",
                    fmt::format("rank {} solves another problem than rank 0, expected the same "
                                "model, arguments and version",
                                q));
    }
    group_.agreed_wish = first.wish != 0;
    if (has_begun_) in_.work.sent_bytes += sent - sent_before_;
    sent_before_ = sent;
  }
  // Takes what follows the marks; what is left are runs.
  std::vector<std::span<const std::byte>> after_orders(
      const std::vector<std::vector<std::byte>>& heard) {
    std::vector<std::span<const std::byte>> out;
    for (std::uint32_t q = 0; q < heard.size(); ++q) {
      out.push_back(std::span<const std::byte>(heard[q]).subspan(sizeof(StepMark)));
      orders_.take(q, group_.size(), out.back());
    }
    return out;
  }

  bool back_up(std::uint64_t t, bool records, std::vector<std::byte>& message) {
    if (worker_) {
      Decisions::LayerRules rules;
      const auto outcome = worker_->back_up(t, later_, mixes_, now_, records ? &rules : nullptr);
      if (outcome == SlabWorker::Outcome::ended) return false;
      if (outcome == SlabWorker::Outcome::done) {
        if (records) put_runs(rules, message);
        return true;
      }
      worker_.reset();
    }
    mixes_.run(in_.input, in_.numbers, t, later_, in_.limits);
    const auto runs = back_up_layer(
        in_.input, in_.numbers, in_.limits, t, later_, mixes_, now_, {false, orders_.at(t)});
    if (!runs) return false;
    if (records) put_runs(joined(runs->pieces, runs->refs), message);
    return true;
  }

  // What the rank that needs most holds: all count it, and so all are refused or none.
  void hold(std::uint64_t bytes, const char* what) {
    const std::uint64_t wanted = bytes + whole_bytes_;
    if (wanted > held_) in_.limits.take(wanted - held_, what);
    if (wanted < held_) in_.limits.give_back(held_ - wanted);
    held_ = wanted;
  }

  BackendInput in_;
  RankGroup& group_;
  RewardRange rewards_;
  SharedOrders orders_;  // of the next step
  RankLayer layer_;      // of t + 1
  DenseLayer later_;     // as much of it as the slab reaches
  DenseLayer now_;       // the slab of t
  RowMixes mixes_;
  std::unique_ptr<SlabWorker> worker_;  // null: the threads of this host
  bool has_begun_ = false;
  std::uint64_t sent_before_ = 0;  // by all ranks
  std::uint64_t entries_ = 0;
  std::uint64_t own_bytes_ = 0;
  std::uint64_t whole_bytes_ = 0;
  std::uint64_t held_ = 0;
};

}  // namespace

std::unique_ptr<DenseBackend> make_rank_backend(const BackendInput& input, RankGroup& group) {
  return std::make_unique<RankBackend>(input, group);
}

}  // namespace quantiplan
