#include "page/page_parts.hpp"

#include <algorithm>

#include "base/call.hpp"
#include "evaluate/sampled.hpp"
#include "quantiplan/structure.hpp"
#include "report/counting.hpp"
#include "report/guarantee.hpp"
#include "report/heading.hpp"

namespace quantiplan {
namespace {

constexpr std::size_t kMostSteps = 1500;
constexpr std::size_t kMostAtoms = 1000;
constexpr std::size_t kMostTotalCharacters = 24;
constexpr int kRoundedDigits = 12;

enum class Towards { below, above };

// Exactly where that is short, else to twelve digits on one side of the truth.
Level short_total(const Level& level, Towards side) {
  if (level.is_class()) return level;
  const Total& total = level.total();
  if (!total.is_finite() || to_text(total).size() <= kMostTotalCharacters) return total;
  const Rational& value = total.value();
  Rational size = abs(value);
  Rational unit = 1;
  for (int digits = kRoundedDigits; digits > 0 && size < 1; --digits, size *= 10) unit /= 10;
  for (; size < Rational("100000000000"); size *= 10) unit /= 10;
  Rational steps = value / unit;
  Integer whole;
  if (side == Towards::below) {
    mpz_fdiv_q(whole.get_mpz_t(), steps.get_num_mpz_t(), steps.get_den_mpz_t());
  } else {
    mpz_cdiv_q(whole.get_mpz_t(), steps.get_num_mpz_t(), steps.get_den_mpz_t());
  }
  return Rational(whole * unit);
}

// Every n-th, and the last; the steps in between are no higher than those that stay.
void write_steps(const std::vector<FrontierStep>& steps, Towards side, PageJson& json) {
  const std::size_t stride = (steps.size() + kMostSteps - 1) / kMostSteps;
  json.begin_list();
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (stride > 1 && i % stride != 0 && i + 1 != steps.size()) continue;
    json.begin_list().level(short_total(steps[i].wealth, side));
    json.value(steps[i].probability).end_list();
  }
  json.end_list();
}

}  // namespace

void write_frontier(const Frontier& frontier, PageJson& json) {
  json.begin_object().key("status").text(to_text(frontier.status));
  json.key("steps");
  write_steps(frontier.steps, Towards::below, json);
  if (!frontier.upper_steps.empty()) {
    json.key("upper");
    write_steps(frontier.upper_steps, Towards::above, json);
  }
  json.key("of").count(std::max(frontier.steps.size(), frontier.upper_steps.size()));
  json.key("relative_error").real(frontier.relative_error);
  if (frontier.upto) json.key("upto").level(*frontier.upto);
  write_classes(frontier.classes, json);
  json.end_object();
}

std::string law_json(const Distribution& law) {
  PageJson json;
  json.begin_object().key("mean").value(law.mean);
  const std::size_t stride = (law.atoms.size() + kMostAtoms - 1) / kMostAtoms;
  json.key("of").count(law.atoms.size()).key("atoms").begin_list();
  double mass = 0;
  for (std::size_t i = 0; i < law.atoms.size(); ++i) {
    const Atom& atom = law.atoms[i];
    mass += atom.probability.nearest;
    const bool is_number = atom.wealth.is_finite();
    const bool ends = stride <= 1 || i % stride == stride - 1 || i + 1 == law.atoms.size() ||
                      !is_number || !law.atoms[i + 1].wealth.is_finite();
    if (!ends) continue;
    json.begin_list().level(short_total(atom.wealth, Towards::below));
    json.real(mass);
    if (stride <= 1 && atom.probability.exact && to_text(*atom.probability.exact).size() <= 40)
      json.text(to_text(*atom.probability.exact));
    json.end_list();
    mass = 0;
  }
  json.end_list();
  write_classes(law.classes, json);
  if (law.slack != 0) json.key("slack").text(to_text(law.slack));
  if (law.sample) json.key("episodes").count(law.sample->episodes);
  if (law.rest) {
    json.key("rest").begin_list().total(law.rest->from).total(law.rest->to);
    json.real(law.rest->probability).end_list();
  }
  return json.end_object().str();
}

void write_check(const CheckReport& report, PageJson& json) {
  json.begin_object().key("passed").flag(report.passed);
  json.key("optimality_checked").flag(report.optimality_checked);
  json.key("ended_early").flag(report.ended_early);
  json.key("nothing_to_check").flag(report.nothing_to_check);
  json.key("findings").begin_list();
  for (const std::string& finding : report.findings) json.name(finding);
  json.end_list().end_object();
}

void begin_point(const Result& result, const Answer& answer, bool is_asked, PageJson& json) {
  const ModelFacts& facts = answer.model;
  json.begin_object().key("tau").text(to_text(result.tau));
  json.key("side").text(to_text(result.side)).key("asked").flag(is_asked);
  json.key("status").text(to_text(result.status));
  json.key("certificate").text(to_text(result.certificate));
  json.key("attained").flag(result.attained);
  if (result.quantile) json.key("quantile").level(*result.quantile);
  if (result.upper) json.key("upper").level(*result.upper);
  json.key("probability").optional_value(result.probability);
  json.key("mean").optional_value(result.mean);
  json.key("mean_bound").optional_value(result.mean_bound);
  json.key("prefer").text(to_text(result.prefer));
  if (const auto& other = result.expectation_policy) {
    json.key("expectation").begin_object().key("mean").value(other->mean);
    json.key("probability").value(other->probability);
    if (other->quantile) json.key("quantile").level(*other->quantile);
    if (other->quantile) json.key("upper").level(other->upper.value_or(*other->quantile));
    json.end_object();
  }
  const bool by_class = Counting(facts, answer.classes.get()).by_class();
  json.key("sentences").begin_list();
  for (const std::string& sentence :
       {by_class ? class_sentence(result, answer) : guarantee_sentence(result, facts),
        by_class ? std::string() : width_sentence(result, answer.epsilon),
        mean_sentence(result, facts),
        next_class_sentence(result),
        comparison_sentence(result, facts),
        goal_sentence(result, facts),
        result.quantile ? status_sentence(result, answer) : std::string()}) {
    if (!sentence.empty()) json.name(sentence);
  }
  json.end_list();
  if (result.check) {
    json.key("check");
    write_check(*result.check, json);
  }
}

std::vector<Rational> more_taus(const std::vector<Rational>& asked) {
  std::vector<Rational> more;
  for (const char* text : {"0.01", "0.05", "0.1", "0.25", "0.5", "0.75", "0.9", "0.95", "0.99"}) {
    const Rational tau = Number::parse(text).rational();
    if (std::ranges::find(asked, tau) == asked.end()) more.push_back(tau);
  }
  return more;
}

std::vector<Rational> taus_of_curve(const std::vector<Rational>& asked, bool is_infinite) {
  if (!is_infinite) return {};
  std::vector<Rational> taus = asked;
  const std::vector<Rational> more = more_taus(asked);
  taus.insert(taus.end(), more.begin(), more.end());
  return taus;
}

void add_once(std::vector<std::string>& sentences, std::string sentence) {
  if (std::ranges::find(sentences, sentence) == sentences.end())
    sentences.push_back(std::move(sentence));
}

bool has_ended(const Options& options) {
  return options.call &&
         (options.call->is_stopped() || Call::Clock::now() >= options.call->deadline());
}

void write_engine(const Answer& answer, double seconds, PageJson& json) {
  json.key("engine").begin_object().key("used").name(answer.engine.used);
  json.key("given").name(answer.engine.given).key("why").name(answer.engine.why);
  json.key("left_open").name(answer.engine.left_open);
  json.key("solve_seconds").real(answer.work.seconds);
  json.key("seconds").real(seconds).end_object();
}

Distribution sampled_law(const Model& model,
                         const Policy& policy,
                         std::uint64_t episodes,
                         const Options& options) {
  constexpr double kConfidence = 0.95;
  constexpr std::uint64_t kSeed = 1;
  return sampled_distribution(
      simulate_tally(model, policy, {episodes, kSeed}, options), kSeed, kConfidence);
}

void write_facts(const ModelFacts& facts, PageJson& json) {
  std::string line = model_line(facts);
  while (line.ends_with('\n')) line.pop_back();
  json.begin_object().key("name").name(facts.name).key("line").name(line);
  json.key("states").count(facts.states).key("choices").count(facts.choices);
  json.key("outcomes").count(facts.outcomes).key("horizon");
  if (facts.horizon == kInfiniteHorizon) {
    json.null();
  } else {
    json.count(facts.horizon);
  }
  json.key("discount").text(facts.discount.get_str());
  json.key("goal_states").count(facts.goal_states).key("cost").flag(facts.cost);
  json.key("adversarial").flag(facts.adversarial);
  json.key("sums").flag(facts.wealth == WealthKind::sum);
  json.end_object();
}

}  // namespace quantiplan
