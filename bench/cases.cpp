#include "cases.hpp"

#include <fmt/format.h>

#include <bit>

#include "domains/datacenter.hpp"
#include "domains/machine.hpp"

namespace quantiplan::bench {
namespace {

GarnetParameters paper_parameters(std::uint32_t states) {
  GarnetParameters p;
  p.states = states;
  p.actions = 5;
  p.branching = static_cast<std::uint32_t>(std::bit_width(states - 1));  // ceil(log2 states)
  p.horizon = 5;
  return p;
}

}  // namespace

Case garnet_of(const GarnetParameters& p) {
  return {fmt::format("garnet {}x{}x{} T={} R={}",
                      p.states,
                      p.actions,
                      p.branching,
                      p.horizon,
                      p.greatest_reward),
          garnet(p)};
}

Case garnet_of_paper(std::uint32_t states) {
  GarnetParameters p = paper_parameters(states);
  p.greatest_reward = 1000;
  return garnet_of(p);
}

Case real_garnet_of(std::uint32_t states) {
  GarnetParameters p = paper_parameters(states);
  p.greatest_reward = 1;
  p.reward_digits = 15;
  return garnet_of(p);
}

Case datacenter_of(std::uint32_t servers, std::uint64_t horizon) {
  DatacenterParameters p;
  p.servers = servers;
  p.horizon = horizon;
  return {fmt::format("data centre n={} T={}", servers, horizon), datacenter(p)};
}

Case fine_datacenter_of(std::uint32_t servers, std::uint64_t horizon) {
  DatacenterParameters p;
  p.servers = servers;
  p.horizon = horizon;
  p.power = 21;
  p.overload_job = 149;
  p.overload_step = 203;
  p.switching = 19;
  return {fmt::format("data centre n={} T={}, fine costs", servers, horizon), datacenter(p)};
}

Case real_datacenter_of(std::uint32_t servers, std::uint64_t horizon) {
  DatacenterParameters p;
  p.servers = servers;
  p.horizon = horizon;
  p.power = 101'893;
  p.overload_job = 743'161;
  p.overload_step = 998'117;
  p.switching = 97'549;
  return {fmt::format("data centre n={} T={}, real costs", servers, horizon), datacenter(p)};
}

Case machine_of(std::uint64_t horizon) {
  MachineParameters p;
  p.horizon = horizon;
  return {fmt::format("machine replacement T={} discount {}", horizon, to_text(p.discount)),
          machine(p)};
}

Case rare_prize(std::uint64_t horizon) {
  ModelBuilder builder;
  builder.name("rare-prize").horizon(horizon).initial("play");
  builder.begin_choice("play", "work");
  builder.add_outcome("play", Rational(999, 1000), Rational(1, 3));
  builder.add_outcome("rich", Rational(1, 1000), 1'000'000);
  builder.begin_choice("play", "gamble");
  builder.add_outcome("play", Rational(99, 100), Rational(-1, 7));
  builder.add_outcome("rich", Rational(1, 100), 1'000'000);
  builder.begin_choice("rich", "rest").add_outcome("rich", 1, Rational(1, 11));
  return {fmt::format("rare prize T={}", horizon), builder.build()};
}

Query one_tau() {
  Query query;
  query.taus = {Rational(1, 10)};
  return query;
}

Query one_tau_bare() {
  Query query = one_tau();
  query.compare = false;
  return query;
}

Query ninety_nine_taus() {
  Query query;
  for (int percent = 1; percent <= 99; ++percent) {
    query.taus.emplace_back(percent, 100);
    query.taus.back().canonicalize();
  }
  return query;
}

Options options_of(Engine engine, std::uint32_t threads) {
  Options options;
  options.engine = engine;
  options.arithmetic = Arithmetic::floating;
  options.threads = threads;
  return options;
}

}  // namespace quantiplan::bench
