#include "finite/pass/pass_store.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/checkpoint_folder.hpp"
#include "finite/checkpoint/layer_bytes.hpp"
#include "finite/checkpoint/pass_digest.hpp"
#include "finite/cluster/slabs.hpp"
#include "quantiplan/ranks.hpp"

namespace quantiplan {
namespace {

// What a pass has added to the work of its call.
struct PassWork {
  std::uint64_t backups;
  std::uint64_t breakpoints;
  std::uint64_t multiply_adds;
  std::uint64_t sent_bytes;
};

PassWork work_since(const Work& before, const Work& now) {
  return {now.backups - before.backups,
          now.breakpoints - before.breakpoints,
          now.multiply_adds - before.multiply_adds,
          now.sent_bytes - before.sent_bytes};
}

void add_work(const PassWork& more, Work& work) {
  work.backups += more.backups;
  work.breakpoints += more.breakpoints;
  work.multiply_adds += more.multiply_adds;
  work.sent_bytes += more.sent_bytes;
}

std::string segment_name(const std::pair<std::uint64_t, std::uint64_t>& times) {
  return fmt::format("{}-{}.rules", times.second, times.first);
}

std::string part_name(std::uint64_t time, std::size_t rank, std::size_t of) {
  return fmt::format("{}.{}-of-{}.part", time, rank, of);
}

}  // namespace

std::unique_ptr<PassStore> PassStore::open(const PassInput<double>& input,
                                           Limits& limits,
                                           const Work& work) {
  if (limits.checkpoints() == nullptr || input.resume != nullptr || input.stop > 0) return nullptr;
  return std::unique_ptr<PassStore>(new PassStore(input, limits, work));
}

PassStore::PassStore(const PassInput<double>& input, Limits& limits, const Work& work)
    : input_(input),
      limits_(limits),
      folder_(*limits.checkpoints()),
      name_(fmt::format("{:016x}", pass_digest(input))),
      before_(work),
      pending_(input.stages.horizon()) {}

// ---- what all files begin with: the work so far, and the segments of recorded times

void PassStore::put_progress(const Work& work, std::vector<std::byte>& out) const {
  put(out, work_since(before_, work));
  put<std::uint64_t>(out, segments_.size());
  for (const auto& [first, end] : segments_) {
    put(out, first);
    put(out, end);
  }
}

void PassStore::load_segments(std::uint64_t count, Place& place) {
  if (input_.record_decisions)
    place.decisions = std::make_shared<Decisions>(input_.stages.horizon());
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::string file = name(segment_name(segments_[i]));
    const auto bytes = folder_.read(file);
    if (!bytes) folder_.refuse(file, "not found, expected the folder as it was written");
    ByteReader reader(*bytes);
    for (std::uint64_t t = segments_[i].second; t-- > segments_[i].first;) {
      if (input_.record_decisions) {
        Decisions::LayerRules rules = get_rules(reader);
        limits_.take(rules.bytes(), "the decisions of a checkpoint");
        place.decision_bytes += rules.bytes();
        place.decisions->set_layer(t, std::move(rules));
      }
      if (input_.record != nullptr && input_.record->wants(t)) {
        const std::uint64_t held = get_kept(reader, t, *input_.record);
        limits_.take(held, "the layers of a checkpoint");
        place.record_bytes += held;
      }
      pending_ = t;
    }
  }
}

void PassStore::put_pending(std::uint64_t upto, const Decisions* decisions) {
  if (upto == pending_) return;
  std::vector<std::byte> bytes;
  for (std::uint64_t t = pending_; t-- > upto;) {
    if (input_.record_decisions) put_rules(decisions->layer(t), bytes);
    if (input_.record != nullptr && input_.record->wants(t)) put_kept(*input_.record, t, bytes);
  }
  segments_.emplace_back(upto, pending_);
  folder_.write(name(segment_name(segments_.back())), bytes);
  pending_ = upto;
}

// ---- a pass that is over

std::optional<PassOutput<double>> PassStore::finished(Work& work) {
  const auto bytes = folder_.read(name("done"));
  if (!bytes) return std::nullopt;
  ByteReader reader(*bytes);
  add_work(reader.get<PassWork>(), work);
  const auto count = reader.get<std::uint64_t>();
  segments_.clear();
  for (std::uint64_t i = 0; i < count; ++i) {
    const auto first = reader.get<std::uint64_t>();
    segments_.emplace_back(first, reader.get<std::uint64_t>());
  }
  PassOutput<double> out;
  out.decisions_too_large = reader.get<std::uint8_t>() != 0;
  out.layer_bytes = reader.get<std::uint64_t>();
  out.dense_layers = reader.get<std::uint64_t>();
  if (out.decisions_too_large) return out;
  out.status = Status::solved;
  out.curve.sure = reader.get<std::int64_t>();
  out.curve.possible = reader.get<std::int64_t>();
  const auto steps = reader.get<std::uint64_t>();
  if (steps > reader.left() / 16) folder_.refuse(name("done"), "ends early");
  out.curve.upto.resize(steps);
  out.curve.value.resize(steps);
  reader.get_all<std::int64_t>(out.curve.upto);
  reader.get_all<double>(out.curve.value);
  Place place;
  load_segments(count, place);
  out.decisions = std::move(place.decisions);
  out.decision_bytes = place.decision_bytes;
  out.record_bytes = place.record_bytes;
  ++work.passes;
  return out;
}

void PassStore::finish(const PassOutput<double>& output, const Work& work) {
  RankGroup* ranks = limits_.ranks();
  if (ranks == nullptr || ranks->rank() == 0) keep(output, work);
  // The call may ask for the same pass again, and then all find it, or none.
  if (ranks != nullptr) ranks->gather({}, [this] { return limits_.ended(); });
}

void PassStore::keep(const PassOutput<double>& output, const Work& work) {
  // What is quickly done again is not worth a file.
  if (watch_.seconds() < folder_.interval_seconds() / 10 && segments_.empty()) return;
  if (!output.decisions_too_large) put_pending(0, output.decisions.get());
  std::vector<std::byte> bytes;
  put_progress(work, bytes);
  put<std::uint8_t>(bytes, output.decisions_too_large ? 1 : 0);
  put(bytes, output.layer_bytes);
  put(bytes, output.dense_layers);
  if (!output.decisions_too_large) {
    put(bytes, output.curve.sure);
    put(bytes, output.curve.possible);
    put<std::uint64_t>(bytes, output.curve.upto.size());
    put_all<std::int64_t>(bytes, output.curve.upto);
    put_all<double>(bytes, output.curve.value);
  }
  folder_.write(name("done"), bytes);
  folder_.remove(name_, ".at", {});
  folder_.remove(name_, ".part", {});
}

// ---- a pass that goes on

std::optional<PassStore::Place> PassStore::begun(Work& work) {
  const auto bytes = folder_.read(name("at"));
  if (!bytes) return std::nullopt;
  ByteReader reader(*bytes);
  add_work(reader.get<PassWork>(), work);
  const auto count = reader.get<std::uint64_t>();
  for (std::uint64_t i = 0; i < count; ++i) {
    const auto first = reader.get<std::uint64_t>();
    segments_.emplace_back(first, reader.get<std::uint64_t>());
  }
  Place place;
  place.time = reader.get<std::uint64_t>();
  place.is_dense = reader.get<std::uint8_t>() != 0;
  place.layer_bytes = reader.get<std::uint64_t>();
  place.dense_layers = reader.get<std::uint64_t>();
  place.entries = reader.get<std::uint64_t>();
  const auto owners = reader.get<std::uint64_t>();
  if (owners > reader.left() / sizeof(Interval)) folder_.refuse(name("at"), "ends early");
  owners_.resize(owners);
  reader.get_all<Interval>(owners_);
  if (place.is_dense) {
    place.sparse.spans = get_spans(reader);
  } else {
    place.sparse = get_steps(reader);
  }
  load_segments(count, place);
  return place;
}

void PassStore::restore(const Place& place, DenseBackend& backend) const {
  backend.restore(place.sparse.spans, place.entries, [&](const Interval& wanted, DenseLayer& into) {
    for (std::size_t r = 0; r < owners_.size(); ++r) {
      if (common(owners_[r], wanted).empty()) continue;
      const std::string file = name(part_name(place.time, r, owners_.size()));
      const auto bytes = folder_.read(file);
      if (!bytes) folder_.refuse(file, "not found, expected the folder as it was written");
      ByteReader reader(*bytes);
      for (std::size_t slot = 0; slot < place.sparse.spans.size(); ++slot) {
        const Interval there = common(stored(place.sparse.spans[slot]), owners_[r]);
        if (there.empty()) continue;
        const std::byte* values =
            reader.take(sizeof(double) * static_cast<std::size_t>(there.size()));
        const Interval here = common(there, stored(into.span(slot)));
        if (here.empty()) continue;
        std::memcpy(into.row(slot) + (here.above - into.span(slot).from),
                    values + sizeof(double) * static_cast<std::size_t>(here.above - there.above),
                    sizeof(double) * static_cast<std::size_t>(here.size()));
      }
    }
  });
}

void PassStore::before_layer() {
  RankGroup* ranks = limits_.ranks();
  if (ranks != nullptr) ranks->wish = ranks->rank() == 0 && folder_.is_due();
}

void PassStore::write_part(std::uint64_t time,
                           DenseBackend& backend,
                           const std::vector<Interval>& owners,
                           std::size_t rank) {
  const DenseLayer& own = backend.own_part();
  const auto spans = backend.spans();
  std::vector<std::byte> bytes;
  for (std::size_t slot = 0; slot < spans.size(); ++slot) {
    const Interval part = common(stored(spans[slot]), owners[rank]);
    if (part.empty()) continue;
    put_all<double>(bytes,
                    {own.row(slot) + (part.above - own.span(slot).from),
                     static_cast<std::size_t>(part.size())});
  }
  folder_.write(name(part_name(time, rank, owners.size())), bytes);
}

void PassStore::after_layer(const Place& place,
                            DenseBackend* backend,
                            const SpannedSteps<double>& sparse,
                            const Decisions* decisions,
                            const Work& work) {
  RankGroup* ranks = limits_.ranks();
  const bool is_first = ranks == nullptr || ranks->rank() == 0;
  const bool together = ranks != nullptr && backend != nullptr;
  if (together ? !ranks->agreed_wish : !(is_first && folder_.is_due())) return;
  const std::vector<Interval> owners =
      backend != nullptr ? backend->owners() : std::vector<Interval>();
  // Step 1. Parts of the layer, each by whoever holds it.
  if (backend != nullptr) write_part(place.time, *backend, owners, is_first ? 0 : ranks->rank());
  if (together) {
    ranks->agreed_wish = false;
    if (!ranks->gather({}, nullptr)) return;
  }
  if (!is_first) return;
  // Step 2. What was recorded since the last time; then the file that says so.
  put_pending(place.time, decisions);
  std::vector<std::byte> bytes;
  put_progress(work, bytes);
  put(bytes, place.time);
  put<std::uint8_t>(bytes, backend != nullptr ? 1 : 0);
  put(bytes, place.layer_bytes);
  put(bytes, place.dense_layers);
  put(bytes, place.entries);
  put<std::uint64_t>(bytes, owners.size());
  put_all<Interval>(bytes, owners);
  std::vector<std::string> kept;
  if (backend != nullptr) {
    put_spans({backend->spans().begin(), backend->spans().end()}, bytes);
    for (std::size_t r = 0; r < owners.size(); ++r)
      kept.push_back(name(part_name(place.time, r, owners.size())));
  } else {
    put_steps(sparse, bytes);
  }
  folder_.write(name("at"), bytes);
  // Step 3. Parts of layers before are not asked for any more.
  folder_.remove(name_, ".part", kept);
  folder_.restart_clock();
}

}  // namespace quantiplan
