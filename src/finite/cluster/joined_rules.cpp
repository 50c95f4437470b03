#include "finite/cluster/joined_rules.hpp"

#include "finite/cluster/byte_strings.hpp"

namespace quantiplan {

void put_runs(const Decisions::LayerRules& own, std::vector<std::byte>& out) {
  for (std::size_t slot = 0; slot + 1 < own.begin.size(); ++slot)
    put(out, static_cast<std::uint32_t>(own.begin[slot + 1] - own.begin[slot]));
  put_all<std::int64_t>(out, own.upto);
  put_all<std::uint32_t>(out, own.what);
}

Decisions::LayerRules join_runs(const PassInput<double>& input,
                                std::uint64_t time,
                                const std::vector<std::span<const std::byte>>& messages) {
  const std::size_t slots = input.stages.layer(time).size();
  std::vector<Decisions::LayerRules> parts(messages.size());
  for (std::size_t q = 0; q < messages.size(); ++q) {
    ByteReader reader(messages[q]);
    parts[q].begin.push_back(0);
    for (std::size_t slot = 0; slot < slots; ++slot)
      parts[q].begin.push_back(parts[q].begin.back() + reader.get<std::uint32_t>());
    const std::uint64_t runs = parts[q].begin.back();
    if (runs > reader.left() / 12 || reader.left() != 12 * runs)
      throw Error(
          ErrorCode::bad_request, "ranks", "decisions of another layout, expected one on all");
    parts[q].upto.resize(runs);
    parts[q].what.resize(runs);
    reader.get_all<std::int64_t>(parts[q].upto);
    reader.get_all<std::uint32_t>(parts[q].what);
  }
  Decisions::LayerRules rules;
  rules.begin.push_back(0);
  for (std::size_t slot = 0; slot < slots; ++slot) {
    for (const Decisions::LayerRules& part : parts)
      for (std::uint64_t i = part.begin[slot]; i < part.begin[slot + 1]; ++i)
        rules.append(part.upto[i], part.what[i]);
    if (rules.upto.size() > rules.begin.back())
      close_runs(input, time, slot, rules.upto, rules.what);
    rules.close_slot();
  }
  return rules;
}

}  // namespace quantiplan
