#include "answers.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <string>
#include <vector>

namespace quantiplan::python {
namespace {

nb::object comparison_object(const Result& result, int sign) {
  if (!result.expectation_policy) return nb::none();
  const ExpectationComparison& other = *result.expectation_policy;
  nb::dict out;
  out["mean"] = value_object(other.mean, sign);
  out["quantile"] = level_object(other.quantile, sign);
  out["upper"] = level_object(other.upper, sign);
  out["probability"] = value_object(other.probability);
  out["goal_probability"] = value_or_none(other.goal_probability);
  out["goal_mean"] = value_or_none(other.goal_mean, sign);
  return out;
}

nb::dict mixed_object(const Model& model, const Mixed& mixed, int sign) {
  nb::dict out;
  out["coin"] = fraction(mixed.coin);
  out["probability"] = value_object(mixed.probability);
  out["mean"] = value_object(mixed.mean, sign);
  out["check"] = mixed.check ? check_object(*mixed.check) : nb::none();
  out["made"] = handle_object(model, sign, mixed.policy);
  return out;
}

}  // namespace

nb::object handle_object(const Model& model,
                         int sign,
                         const Later<Policy>& policy,
                         const Later<Distribution>& distribution) {
  if (!policy && !distribution) return nb::none();
  return nb::cast(OnRequest{model, sign, policy, distribution});
}

nb::object level_object(const std::optional<Level>& level, int sign) {
  if (!level) return nb::none();
  if (const auto number = level->number()) return total_object(*number, sign);
  const std::string text = level->class_text();
  return nb::str(text.c_str(), text.size());
}

// What results are compared by, greater being better.
static nb::object rank_object(const std::optional<Level>& level) {
  if (!level) return nb::none();
  return level->is_class() ? nb::object(nb::int_(level->rank())) : total_object(*level, 1);
}

nb::dict result_object(const Model& model, const Answer& answer, const Result& result, int sign) {
  nb::dict out;
  out["tau"] = fraction(result.tau);
  out["side"] = std::string(to_text(result.side));
  out["status"] = std::string(to_text(result.status));
  out["certificate"] = std::string(to_text(result.certificate));
  out["quantile"] = level_object(result.quantile, sign);
  out["other_end"] = level_object(result.upper, sign);
  out["rank"] = rank_object(result.quantile);
  if (result.optimum) {
    const CriterionOptimum& best = *result.optimum;
    const int turned = best.criterion.is_wealth() ? sign : 1;
    out["tau"] = best.criterion.takes_tau() ? fraction(result.tau) : nb::none();
    out["criterion"] = to_text(best.criterion);
    out["quantile"] = total_object(best.lower, turned);
    out["other_end"] = total_object(best.upper, turned);
    out["turned"] = turned < 0;
    out["rank"] = total_object(best.lower, 1);
  }
  out["attained"] = result.attained;
  out["probability"] = value_or_none(result.probability);
  out["mean"] = value_or_none(result.mean, answer.classes ? 1 : sign);
  out["goal_probability"] = value_or_none(result.goal_probability);
  out["goal_mean"] = value_or_none(result.goal_mean, sign);
  out["prefer"] = std::string(to_text(result.prefer));
  out["mean_bound"] = value_or_none(result.mean_bound, sign);
  out["mean_weight"] = fraction_or_none(result.mean_weight);
  out["next_class"] = nb::none();
  if (result.next_class) {
    out["next_class"] = nb::make_tuple(level_object(result.next_class->level, sign),
                                       value_object(result.next_class->probability),
                                       value_object(result.next_class->bound));
  }
  out["goal_probability_bound"] = value_or_none(result.goal_probability_bound);
  out["expectation_policy"] = comparison_object(result, sign);
  out["check"] = result.check ? check_object(*result.check) : nb::none();
  out["mixed"] = result.mixed ? nb::object(mixed_object(model, *result.mixed, sign)) : nb::none();
  out["made"] = handle_object(model, sign, result.policy, result.distribution);
  return out;
}

Query query_of(const nb::dict& given) {
  Query query;
  for (const auto& text : nb::cast<std::vector<std::string>>(given["taus"]))
    query.taus.push_back(rational_of(text, "--tau"));
  const auto side = nb::cast<std::string>(given["side"]);
  query.sides = side == "both" ? Sides::both : side == "upper" ? Sides::upper : Sides::lower;
  query.setting = setting_of(nb::cast<nb::dict>(given["setting"]));
  if (given.contains("criterion")) query.criterion = criterion_of(given["criterion"], "criterion");
  if (given.contains("compare")) query.compare = nb::cast<bool>(given["compare"]);
  if (given.contains("prefer")) {
    const auto prefer = nb::cast<std::string>(given["prefer"]);
    for (const Prefer each :
         {Prefer::automatic, Prefer::mean, Prefer::probability, Prefer::classes}) {
      if (prefer == to_text(each)) query.prefer = each;
    }
  }
  if (given.contains("mixed")) query.mixed = nb::cast<bool>(given["mixed"]);
  if (given.contains("mean_gap"))
    query.mean_gap = rational_of(nb::cast<std::string>(given["mean_gap"]), "--mean-gap");
  return query;
}

Criterion criterion_of(nb::handle given, const std::string& place) {
  if (nb::isinstance<nb::str>(given)) return parse_criterion(nb::cast<std::string>(given), place);
  const auto table = nb::cast<std::string>(nb::cast<nb::tuple>(given)[0]);
  return {Criterion::Kind::utility, 0, parse_utility_table(table, "utility")};
}

void add_common(nb::dict& out,
                const ModelFacts& facts,
                const EngineReport& engine,
                const Work& work) {
  out["model"] = facts_object(facts);
  out["engine"] = engine_object(engine);
  out["work"] = work_object(work);
}

}  // namespace quantiplan::python
