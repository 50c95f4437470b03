// All domains with all their parameters: what the command line offers and docs/domains.md lists.
#include <fmt/format.h>

#include <algorithm>

#include "base/quoted.hpp"
#include "base/work_watch.hpp"
#include "domains/cliff.hpp"
#include "domains/datacenter.hpp"
#include "domains/gamble.hpp"
#include "domains/gambler.hpp"
#include "domains/garnet.hpp"
#include "domains/hiv.hpp"
#include "domains/inventory.hpp"
#include "domains/machine.hpp"
#include "domains/parameter_table.hpp"
#include "domains/river.hpp"
#include "domains/seats.hpp"
#include "quantiplan/error.hpp"

namespace quantiplan {

template <>
struct NamesOf<GarnetParameters::RewardOf> {
  static constexpr std::string_view kNames[] = {"choice", "outcome"};
};
template <>
struct NamesOf<GarnetParameters::Rewards> {
  static constexpr std::string_view kNames[] = {"integer", "uniform", "skewed"};
};
template <>
struct NamesOf<GamblerParameters::RewardOf> {
  static constexpr std::string_view kNames[] = {"capital", "goal"};
};
template <>
struct NamesOf<HivParameters::RewardOf> {
  static constexpr std::string_view kNames[] = {"life", "quality"};
};

namespace {

constexpr std::string_view kHorizon = "number of steps";
constexpr std::string_view kDiscount = "discount in (0, 1]";

using G = GarnetParameters;
constexpr ParameterEntry<G> kGarnet[] = {
    parameter<&G::states>("states", "N", "number of states"),
    parameter<&G::actions>("actions", "N", "actions per state"),
    parameter<&G::branching>("branching", "N", "next states of each choice, all different"),
    parameter<&G::horizon>("horizon", "N", kHorizon),
    parameter<&G::discount>("discount", "G", kDiscount),
    parameter<&G::reward_of>("reward-of", "WHAT", "one reward for each choice, or each outcome"),
    parameter<&G::rewards>("rewards", "KIND", "integer; uniform or skewed in [0, 1]"),
    parameter<&G::least_reward>("least-reward", "N", "least reward, a whole number"),
    parameter<&G::greatest_reward>("greatest-reward", "N", "greatest reward, a whole number"),
    parameter<&G::reward_digits>("reward-digits", "N", "decimal places of rewards, up to 15"),
    parameter<&G::grid>("grid", "N", "probabilities are multiples of 1/grid"),
    parameter<&G::seed>("seed", "N", "another seed, another model of the same kind"),
};

using D = DatacenterParameters;
constexpr ParameterEntry<D> kDatacenter[] = {
    parameter<&D::servers>("servers", "N", "servers in the centre"),
    parameter<&D::horizon>("horizon", "N", kHorizon),
    parameter<&D::discount>("discount", "G", kDiscount),
    parameter<&D::jobs_per_server>("jobs-per-server", "N", "most jobs in a step, per server"),
    parameter<&D::mean_halves>(
        "mean-halves", "N,N,N", "mean jobs per server, in halves, by regime"),
    parameter<&D::cut_halves>("cut-halves", "N,N", "where the first two regimes end, in halves"),
    parameter<&D::grid>("grid", "N", "probabilities are multiples of 1/grid"),
    parameter<&D::capacity>("capacity", "N", "jobs a server takes in a step"),
    parameter<&D::power>("power", "N", "cost per server on and step"),
    parameter<&D::overload_job>("overload-job", "N", "cost per job beyond capacity"),
    parameter<&D::overload_step>("overload-step", "N", "cost of a step with jobs beyond capacity"),
    parameter<&D::switching>("switching", "N", "cost per server switched on or off"),
    parameter<&D::initial_on>("initial-on", "N", "servers on at first; auto: half, rounded up"),
    parameter<&D::initial_jobs>("initial-jobs", "N", "jobs at first; auto: one per server"),
};

using M = MachineParameters;
constexpr ParameterEntry<M> kMachine[] = {
    parameter<&M::levels>("levels", "N", "levels of wear of a machine that runs"),
    parameter<&M::initial_wear>("initial-wear", "N", "wear at first; as many as levels: broken"),
    parameter<&M::horizon>("horizon", "N", kHorizon),
    parameter<&M::discount>("discount", "G", kDiscount),
    parameter<&M::wear>("wear", "P", "probability of wearing by a level in a step"),
    parameter<&M::failure>("failure", "P", "probability of breaking at full wear"),
    parameter<&M::earnings>("earnings", "R", "reward of a step of a new machine"),
    parameter<&M::slowdown>("slowdown", "R", "at full wear earnings are divided by 1 + slowdown"),
    parameter<&M::breakdown>("breakdown", "R", "cost of a breakdown"),
    parameter<&M::repair_cost>("repair-cost", "R", "cost of trying to repair"),
    parameter<&M::repair_success>(
        "repair-success", "P", "probability that a repair halves the wear"),
    parameter<&M::replacement_cost>("replacement-cost", "R", "cost of a new machine"),
};

using B = GamblerParameters;
constexpr ParameterEntry<B> kGambler[] = {
    parameter<&B::goal>("goal", "N", "capital that ends the game"),
    parameter<&B::initial_capital>(
        "initial-capital", "N", "capital at first; auto: a third of the goal"),
    parameter<&B::horizon>("horizon", "N", kHorizon),
    parameter<&B::discount>("discount", "G", kDiscount),
    parameter<&B::win>("win", "P", "probability of winning a bet"),
    parameter<&B::least_bet>("least-bet", "N", "0: a step may be sat out; 1: it may not"),
    parameter<&B::greatest_bet>("greatest-bet", "N", "greatest bet; auto: no limit"),
    parameter<&B::reward_of>("reward-of", "WHAT", "capital: won or lost; goal: 1 for reaching it"),
};

using R = RiverParameters;
constexpr ParameterEntry<R> kRiver[] = {
    parameter<&R::states>("states", "N", "number of states along the river"),
    parameter<&R::initial>("initial", "N", "state at first, 0 is downstream"),
    parameter<&R::horizon>("horizon", "N", kHorizon),
    parameter<&R::discount>("discount", "G", kDiscount),
    parameter<&R::forward>("forward", "P", "probability of getting ahead against the current"),
    parameter<&R::back>("back", "P", "probability of being carried back, on the way"),
    parameter<&R::small_reward>("small-reward", "R", "reward of staying downstream"),
    parameter<&R::large_reward>("large-reward", "R", "reward of holding the last state"),
};

using C = CliffParameters;
constexpr ParameterEntry<C> kCliff[] = {
    parameter<&C::width>("width", "N", "cells from start to goal, both included"),
    parameter<&C::height>("height", "N", "rows, the one with the cliff included"),
    parameter<&C::horizon>("horizon", "N", kHorizon),
    parameter<&C::discount>("discount", "G", kDiscount),
    parameter<&C::slip>("slip", "P", "probability of going aside, half of it to each side"),
    parameter<&C::step_cost>("step-cost", "R", "cost of a step"),
    parameter<&C::fall_cost>("fall-cost", "R", "cost of falling, instead of that of a step"),
};

using I = InventoryParameters;
constexpr ParameterEntry<I> kInventory[] = {
    parameter<&I::capacity>("capacity", "N", "greatest stock"),
    parameter<&I::initial_stock>("initial-stock", "N", "stock at first"),
    parameter<&I::horizon>("horizon", "N", kHorizon),
    parameter<&I::discount>("discount", "G", kDiscount),
    parameter<&I::demand>("demand", "P,P,...", "probabilities of a demand of 0, 1, 2, ..."),
    parameter<&I::order_limit>("order-limit", "N", "greatest order; auto: no limit"),
    parameter<&I::poisson_mean>("poisson-mean", "N", "mean of a Poisson demand; 0: as --demand"),
    parameter<&I::price>("price", "R", "reward per unit sold"),
    parameter<&I::order_cost>("order-cost", "R", "cost per order, whatever its size"),
    parameter<&I::unit_cost>("unit-cost", "R", "cost per unit ordered"),
    parameter<&I::holding_cost>("holding-cost", "R", "cost per unit in stock and step"),
    parameter<&I::shortage_cost>("shortage-cost", "R", "cost per unit of demand that is lost"),
};

using H = HivParameters;
constexpr ParameterEntry<H> kHiv[] = {
    parameter<&H::reward_of>("reward-of", "WHAT", "life: half-years lived; quality: adjusted"),
    parameter<&H::age>("age", "N", "age group at first, 0 to 7"),
    parameter<&H::cd4>("cd4", "N", "CD4 group at first, 0 to 6"),
    parameter<&H::horizon>("horizon", "N", "number of half-years"),
    parameter<&H::discount>("discount", "G", kDiscount),
};

using S = SeatsParameters;
constexpr ParameterEntry<S> kSeats[] = {
    parameter<&S::seats>("seats", "N", "seats of the flight"),
    parameter<&S::horizon>("horizon", "N", "periods to departure, up to 30"),
    parameter<&S::discount>("discount", "G", kDiscount),
};

using T = GambleParameters;
constexpr ParameterEntry<T> kGamble[] = {
    parameter<&T::first>("first", "R", "what the first gamble wins or loses"),
    parameter<&T::small>("small", "R", "what the small second gamble wins or loses"),
    parameter<&T::large>("large", "R", "what the large second gamble wins or loses"),
    parameter<&T::horizon>("horizon", "N", kHorizon),
    parameter<&T::discount>("discount", "G", kDiscount),
};

[[noreturn]] void wrong(std::string place, std::string message) {
  throw Error(ErrorCode::bad_request, std::move(place), std::move(message));
}

template <class Named>
std::string names_of(std::span<const Named> list) {
  std::string names;
  for (const Named& each : list) names += (names.empty() ? "" : ", ") + std::string(each.name);
  return names;
}

// A bound may hold a parameter to another, and the one that is named may not have been given.
Error with_defaults_named(const Error& error, const std::vector<std::string_view>& given) {
  std::vector<Problem> problems = error.problems();
  for (Problem& problem : problems) {
    const bool is_parameter = problem.place.starts_with("--");
    if (is_parameter && std::ranges::find(given, problem.place.substr(2)) == given.end())
      problem.message += "; it was not given, that is its default";
  }
  return {error.code(), std::move(problems)};
}

}  // namespace

std::span<const Domain> domain_table() {
  static const Domain table[] = {
      domain_of<kGarnet, garnet>("garnet", "Random models with a given branching"),
      domain_of<kDatacenter, datacenter>("datacenter", "How many servers to keep on"),
      domain_of<kMachine, machine>("machine", "When to repair or replace a machine"),
      domain_of<kGambler, gambler>("gambler", "Bets until the goal or ruin"),
      domain_of<kRiver, river>("river", "A large reward far upstream, a small one at hand"),
      domain_of<kCliff, cliff>("cliff", "A short way along an edge, or a safe one"),
      domain_of<kInventory, inventory>("inventory", "What to order before the demand is known"),
      domain_of<kHiv, hiv>("hiv", "When to begin HIV therapy"),
      domain_of<kSeats, seats>("seats", "Which fares of a flight to accept"),
      domain_of<kGamble, gamble>("gamble", "Two gambles, the second of one's choice"),
  };
  return table;
}

Model generate(std::string_view domain,
               const std::vector<GivenParameter>& given,
               const Options& options) {
  const std::span<const Domain> table = domain_table();
  const auto found = std::ranges::find(table, domain, &Domain::name);
  if (found == table.end()) {
    wrong("domain",
          fmt::format("found {}, expected one of {}", in_quotes(domain), names_of(table)));
  }
  std::vector<std::string_view> met;
  for (const GivenParameter& each : given) {
    const std::string place = "--" + each.name;
    if (std::ranges::find(found->parameters, each.name, &DomainParameter::name) ==
        found->parameters.end()) {
      wrong(place,
            fmt::format("no parameter of '{}', expected one of {}",
                        domain,
                        names_of(std::span<const DomainParameter>(found->parameters))));
    }
    if (std::ranges::find(met, each.name) != met.end()) {
      wrong(place, "found it more than once, expected once");
    }
    met.emplace_back(each.name);
  }
  WorkWatch watch({std::string(domain), "generating the model", "generated"}, options);
  try {
    return found->make(given, &watch);
  } catch (const Error& error) {
    throw with_defaults_named(error, met);
  }
}

}  // namespace quantiplan
