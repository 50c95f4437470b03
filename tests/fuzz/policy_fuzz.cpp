#include <cstddef>
#include <cstdint>
#include <string_view>

#include "agree.hpp"
#include "evaluate/infinite/undiscounted.hpp"
#include "policy/residual_rules.hpp"
#include "quantiplan/error.hpp"
#include "quantiplan/formats.hpp"
#include "quantiplan/solve.hpp"

namespace quantiplan {
namespace {

const Model& commute() {
  static const Model model = [] {
    ModelBuilder builder;
    builder.name("commute").horizon(3).initial("home");
    builder.begin_choice("home", "bike").add_outcome("office", 1, -40);
    builder.begin_choice("home", "train").add_outcome("station", "9/10", -10);
    builder.add_outcome("home", "1/10", -10);
    builder.begin_choice("station", "wait").add_outcome("office", "4/5", -15);
    builder.add_outcome("office", "1/5", -45);
    return builder.build();
  }();
  return model;
}

// Rules of this model go by wealth, not by residuals.
const Model& service() {
  static const Model model = [] {
    Wealth wealth;
    wealth.kind = WealthKind::counts;
    wealth.labels = {"bronze", "silver", "gold"};
    ModelBuilder builder;
    builder.wealth(wealth).name("service").horizon(2).initial("fresh");
    builder.begin_choice("fresh", "by the book").add_outcome("fresh", 1, 1);
    builder.begin_choice("fresh", "extra mile").add_outcome("tired", "1/2", 2);
    builder.add_outcome("tired", "1/2", 0);
    builder.begin_choice("tired", "by the book").add_outcome("fresh", 1, 1);
    return builder.build();
  }();
  return model;
}

// Totals are those of the setting: what is beyond every number needs its reason.
void check_totals(const Policy& policy) {
  if (!policy.claim || policy.claim->quantile.is_finite()) return;
  const bool merely_arrives = policy.claim->kind == PolicyClaim::Kind::threshold &&
                              policy.claim->quantile == Total::minus_infinity();
  if (merely_arrives) return;
  if (policy.claim->kind == PolicyClaim::Kind::threshold) std::abort();
  if (policy.claim->quantile.is_miss() ? policy.setting.goal.empty()
                                       : !policy.setting.is_infinite())
    std::abort();
}

// Whatever the rules are, episodes end, or say which rule is missing; totals are those that the
// policy's distribution has.
void check_episodes(const Policy& policy) {
  const std::vector<Episode> episodes = simulate(commute(), policy, {3, 1});
  if (episodes.size() != 3) std::abort();
  if (!policy.setting.is_infinite() || policy.setting.discount != 1) return;
  const Options options;
  Limits limits(options);
  const auto distribution = undiscounted_distribution(commute(), policy, options, limits);
  if (!distribution) std::abort();
  for (const Episode& episode : episodes) {
    if (distribution->at_least_bracket(episode.wealth).upper == 0) std::abort();
  }
}

void refuse_or_report(const Error& error) {
  if (error.problems().empty() || error.problems().size() > Problems::kMost) std::abort();
  if (error.problems()[0].place.starts_with("again")) {
    must_agree("", error.what(), "our own output was refused");
  }
}

void check_wealth_policy_text(std::string_view text) {
  try {
    const Policy policy = parse_policy(text, service(), "fuzz");
    const std::string written = format_policy(policy, service());
    must_agree(written,
               format_policy(parse_policy(written, service(), "again"), service()),
               "policy of wealths written twice");
    for (const PolicyRule& rule : policy.rules) {
      for (const PolicyRun& run : rule.runs) {
        const bool is_last = &run == &rule.runs.back();
        if (run.upto || is_last != run.wealths.empty()) std::abort();
        if (!run.wealths.empty() && run.wealths.back() >= policy.wealths.size()) std::abort();
      }
    }
  } catch (const Error& error) {
    refuse_or_report(error);
  }
}

void check_policy_text(std::string_view text) {
  try {
    const Policy policy = parse_policy(text, commute(), "fuzz");
    const std::string written = format_policy(policy, commute());
    must_agree(written,
               format_policy(parse_policy(written, commute(), "again"), commute()),
               "policy written twice");
    if (policy.grid && first_residual(policy).get_den() != 1) std::abort();
    for (const PolicyRule& rule : policy.rules) {
      if (rule.runs.empty()) std::abort();
      for (const PolicyRun& run : rule.runs) {
        if (policy.grid && run.upto && run.upto->get_den() != 1) std::abort();
      }
      static_cast<void>(
          choose_by_residual(commute(), policy, rule.time, rule.state, Rational(-40)));
    }
    check_totals(policy);
    check_episodes(policy);
  } catch (const Error& error) {
    refuse_or_report(error);
  }
}

}  // namespace
}  // namespace quantiplan

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer calls it so
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  quantiplan::check_policy_text(text);
  quantiplan::check_wealth_policy_text(text);
  return 0;
}
