#include "finite/cluster/rank_layer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "finite/cluster/byte_strings.hpp"
#include "finite/cluster/slabs.hpp"
#include "finite/pass/dense_backend.hpp"
#include "quantiplan/error.hpp"

namespace quantiplan {
namespace {

std::uint64_t entries_within(const std::vector<Span<double>>& spans, const Interval& levels) {
  std::uint64_t entries = 0;
  for (const Span<double>& span : spans)
    entries += static_cast<std::uint64_t>(common(stored(span), levels).size());
  return entries;
}

}  // namespace

std::vector<Span<double>> cut_spans(const std::vector<Span<double>>& spans,
                                    const Interval& levels) {
  std::vector<Span<double>> out = spans;
  for (Span<double>& span : out) {
    span.from = std::clamp(levels.above, span.from, span.upto);
    span.upto = std::clamp(levels.upto, span.from, span.upto);
  }
  return out;
}

void RankLayer::replicate(SpannedSteps<double> steps) {
  spans_ = std::move(steps.spans);
  steps_ = std::move(steps.steps);
  has_steps_ = true;
  owned_.clear();
}

void RankLayer::replicate(DenseLayer layer) {
  own_ = std::move(layer);
  spans_ = own_.spans();
  has_steps_ = false;
  owned_.clear();
}

void RankLayer::distribute(std::vector<Span<double>> spans,
                           std::vector<Interval> owned,
                           DenseLayer own) {
  spans_ = std::move(spans);
  owned_ = std::move(owned);
  own_ = std::move(own);
  has_steps_ = false;
  steps_ = {};
}

void RankLayer::coarsen(unsigned shift) {
  for (Span<double>& span : spans_) span = span.coarser(shift);
  if (has_steps_) {
    steps_.coarsen(shift, spans_);
    return;
  }
  own_.coarsen(shift);
  // A level of the wider steps belongs to whoever has it among the narrow ones.
  for (Interval& levels : owned_) levels = {levels.above >> shift, levels.upto >> shift};
}

std::vector<Interval> RankLayer::all_levels() const {
  return std::vector<Interval>(group_->size(), kAllLevels);
}

void RankLayer::pack(const Interval& levels, std::vector<std::byte>& out) const {
  for (std::size_t slot = 0; slot < spans_.size(); ++slot) {
    const Interval part = common(stored(spans_[slot]), levels);
    if (part.empty()) continue;
    const double* values = own_.row(slot) + (part.above - own_.span(slot).from);
    const std::size_t bytes = sizeof(double) * static_cast<std::size_t>(part.size());
    const auto* at = reinterpret_cast<const std::byte*>(values);
    out.insert(out.end(), at, at + bytes);
  }
}

void RankLayer::copy_own(const Interval& levels, DenseLayer& into) const {
  for (std::size_t slot = 0; slot < spans_.size(); ++slot) {
    const Interval part = common(stored(into.span(slot)), levels);
    if (part.empty()) continue;
    std::copy_n(own_.row(slot) + (part.above - own_.span(slot).from),
                part.size(),
                into.row(slot) + (part.above - into.span(slot).from));
  }
}

std::vector<std::uint64_t> RankLayer::count_own_steps() const {
  std::vector<std::uint64_t> steps(spans_.size(), 0);
  if (has_steps_) {
    for (std::size_t slot = 0; slot < spans_.size(); ++slot) {
      const std::uint64_t begin = steps_.begin[slot];
      for (std::uint64_t i = begin; i < steps_.begin[slot + 1]; ++i)
        steps[slot] += i == begin || steps_.value[i] != steps_.value[i - 1] ? 1U : 0U;
    }
    return steps;
  }
  if (is_replicated()) {
    for (std::size_t slot = 0; slot < spans_.size(); ++slot)
      steps[slot] = own_.count_steps(slot, own_.span(slot).width());
    return steps;
  }
  // A step begins where the value differs from that of the level below, which may be another's.
  std::vector<Interval> wanted = owned_;
  for (Interval& levels : wanted)
    if (!levels.empty()) --levels.above;
  DenseLayer part;
  fetch(wanted, part, nullptr);
  for (std::size_t slot = 0; slot < spans_.size(); ++slot) {
    const Interval levels = common(stored(spans_[slot]), owned_[group_->rank()]);
    const double* values = part.row(slot);
    const std::int64_t before = part.span(slot).from + 1;
    for (std::int64_t y = levels.above + 1; y <= levels.upto; ++y)
      steps[slot] +=
          y == spans_[slot].from + 1 || values[y - before] != values[y - 1 - before] ? 1U : 0U;
  }
  return steps;
}

std::optional<std::vector<std::uint64_t>> RankLayer::few_steps() const {
  std::vector<std::uint64_t> steps = count_own_steps();
  if (!is_replicated()) {
    std::vector<std::byte> message;
    put_all<std::uint64_t>(message, steps);
    const auto heard = group_->gather(std::move(message), nullptr);
    std::ranges::fill(steps, 0);
    for (const auto& bytes : *heard) {
      ByteReader reader(bytes);
      for (std::uint64_t& count : steps) count += reader.get<std::uint64_t>();
    }
  }
  for (std::size_t slot = 0; slot < steps.size(); ++slot)
    if (steps[slot] > 1 + spans_[slot].width() / 16) return std::nullopt;
  return steps;
}

bool RankLayer::fetch(const std::vector<Interval>& wanted,
                      DenseLayer& into,
                      const RankGroup::IsOver& is_over) const {
  const std::uint32_t self = group_->rank();
  into.reset(cut_spans(spans_, wanted[self]), 0);
  if (has_steps_) {
    into.spell_out_part(steps_, spans_);
    return true;
  }
  if (is_replicated()) {
    copy_own(kAllLevels, into);
    return true;
  }
  for (std::uint32_t step = 1; step < group_->size(); ++step) {
    const std::uint32_t to = (self + step) % group_->size();
    const Interval levels = common(owned_[self], wanted[to]);
    if (levels.empty()) continue;
    std::vector<std::byte> message;
    message.reserve(sizeof(double) * entries_within(spans_, levels) + 1);
    pack(levels, message);
    if (!message.empty()) group_->send(to, std::move(message));
  }
  copy_own(owned_[self], into);
  for (std::uint32_t step = 1; step < group_->size(); ++step) {
    const std::uint32_t from = (self + group_->size() - step) % group_->size();
    const Interval levels = common(owned_[from], wanted[self]);
    const std::uint64_t bytes =
        levels.empty() ? 0 : sizeof(double) * entries_within(spans_, levels);
    if (bytes == 0) continue;
    const auto message = group_->wait_for(from, is_over);
    if (!message) return false;
    if (message->size() != bytes)
      throw Error(
          ErrorCode::bad_request,
          "ranks",
          fmt::format(
              "rank {} sent {} bytes of a layer, expected {}", from, message->size(), bytes));
    const std::byte* at = message->data();
    for (std::size_t slot = 0; slot < spans_.size(); ++slot) {
      const Interval part = common(stored(spans_[slot]), levels);
      if (part.empty()) continue;
      const std::size_t size = sizeof(double) * static_cast<std::size_t>(part.size());
      std::memcpy(into.row(slot) + (part.above - into.span(slot).from), at, size);
      at += size;
    }
  }
  return group_->wait_for_delivery(is_over);
}

}  // namespace quantiplan
