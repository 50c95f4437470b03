#include "page/policy_table.hpp"

#include <algorithm>
#include <cstdint>
#include <map>

#include "page/page_json.hpp"
#include "quantiplan/run.hpp"

namespace quantiplan {
namespace {

constexpr std::int64_t kMostIndex = std::int64_t{1} << 53U;
constexpr std::size_t kMostUnitBits = 4096;

Integer floor_of(const Rational& value) {
  Integer whole;
  mpz_fdiv_q(whole.get_mpz_t(), value.get_num_mpz_t(), value.get_den_mpz_t());
  return whole;
}
Integer ceiling_of(const Rational& value) { return -floor_of(Rational(-value)); }

// The greatest number of which all rewards are multiples; 1 if there are none but 0.
Rational unit_of_rewards(const Model& model) {
  Rational unit = 0;
  std::vector<bool> seen(model.rewards().size());
  for (std::size_t c = 0; c < model.choice_count(); ++c) {
    for (const Outcome& o : model.outcomes(Choice{static_cast<std::uint32_t>(c)})) {
      if (seen[index(o.reward)]) continue;
      seen[index(o.reward)] = true;
      const Rational reward = model.reward(o);
      Rational both;
      mpz_gcd(both.get_num_mpz_t(),
              Integer(unit.get_num() * reward.get_den()).get_mpz_t(),
              Integer(reward.get_num() * unit.get_den()).get_mpz_t());
      mpz_mul(both.get_den_mpz_t(), unit.get_den_mpz_t(), reward.get_den_mpz_t());
      both.canonicalize();
      unit = both;
    }
  }
  return unit == 0 ? Rational(1) : unit;
}

// How many steps a reward can be discounted for.
std::uint64_t last_time(const Policy& policy) {
  const std::uint64_t horizon = policy.truncated_at.value_or(policy.setting.horizon);
  return horizon == kInfiniteHorizon || horizon == 0 ? 0 : horizon - 1;
}

// What `upto` of a time is in whole steps.
class TableIndex {
 public:
  TableIndex(const Policy& policy, const Rational& unit) : policy_(policy), unit_(unit) {}

  // Times ascend.
  Integer of(const Rational& upto, std::uint64_t time) {
    if (policy_.grid) return floor_of(upto);
    for (; time_ < time; ++time_) power_ *= policy_.setting.discount;
    return floor_of(Rational(upto * power_ / unit_));
  }

 private:
  const Policy& policy_;
  Rational unit_;
  std::uint64_t time_ = 0;
  Rational power_ = 1;
};

void add_wealth_runs(const Model& model, const PolicyRule& rule, PageJson& json) {
  const std::uint32_t first = static_cast<std::uint32_t>(index(model.choices(rule.state).front()));
  for (const PolicyRun& run : rule.runs) {
    json.begin_list();
    for (const std::uint32_t wealth : run.wealths) json.count(wealth);
    json.end_list().count(index(run.choice) - first);
  }
}

constexpr const char* kTooManySteps = "its steps are too many for whole numbers of 53 bits";

// False if a bound is beyond kMostIndex.
bool add_index_runs(const Model& model,
                    const PolicyRule& rule,
                    TableIndex& to_index,
                    PageJson& json) {
  const std::size_t first = index(model.choices(rule.state).front());
  for (const PolicyRun& run : rule.runs) {
    if (run.upto) {
      const Integer upto = to_index.of(*run.upto, rule.time);
      if (abs(upto) > kMostIndex) return false;
      json.whole(upto.get_si());
    }
    json.count(index(run.choice) - first);
  }
  return true;
}

}  // namespace

Rational table_unit(const Model& model, const Policy& policy) {
  if (policy.grid) return policy.grid->unit;
  Rational unit = unit_of_rewards(model);
  if (policy.setting.discount == 1) return unit;
  const Integer& below = policy.setting.discount.get_den();
  const std::uint64_t last = last_time(policy);
  if (last * mpz_sizeinbase(below.get_mpz_t(), 2) > kMostUnitBits) return 0;
  Integer power;
  mpz_pow_ui(power.get_mpz_t(), below.get_mpz_t(), last);
  return unit / power;
}

std::optional<std::string> table_json(const Model& model,
                                      const Policy& policy,
                                      const PagePositions& positions,
                                      std::size_t shown,
                                      std::string& why) {
  if (!policy.mixture.empty()) {
    why = "it tosses a coin between others";
    return std::nullopt;
  }
  const PolicyKind kind = kind_of(model, policy);
  const bool by_index = policy.target.has_value() && kind != PolicyKind::by_wealth;
  const Rational unit = by_index ? table_unit(model, policy) : Rational(1);
  if (unit == 0) {
    why = "wealth has no unit that fits whole numbers";
    return std::nullopt;
  }
  PageJson json;
  json.begin_object().key("by").text(kind == PolicyKind::by_wealth ? "wealth"
                                     : by_index                    ? "index"
                                                                   : "time");
  json.key("stationary")
      .flag(kind == PolicyKind::stationary ||
            (policy.setting.is_infinite() && !policy.truncated_at));
  json.key("exact").flag(!policy.grid);
  if (policy.truncated_at) json.key("truncated_at").count(*policy.truncated_at);
  if (by_index) {
    const Integer target = ceiling_of(Rational(*policy.target / unit));
    if (abs(target) > kMostIndex) {
      why = kTooManySteps;
      return std::nullopt;
    }
    json.key("unit").text(unit.get_str()).key("target").whole(target.get_si());
    json.key("halved").begin_list();
    if (policy.grid)
      for (const std::uint64_t time : policy.grid->halved_at) json.count(time);
    json.end_list();
  }
  if (kind == PolicyKind::by_wealth) {
    json.key("wealths").begin_list();
    for (const std::string& wealth : policy.wealths) json.name(wealth);
    json.end_list();
  }
  std::vector<std::vector<const PolicyRule*>> by_state(shown);
  for (const PolicyRule& rule : policy.rules) {
    const std::size_t position = positions[index(rule.state)];
    if (position < shown) by_state[position].push_back(&rule);
  }
  json.key("rules").begin_list();
  for (const auto& rules : by_state) {
    json.begin_list();
    TableIndex to_index(policy, unit);
    for (const PolicyRule* rule : rules) {
      json.begin_list().count(rule->time);
      if (kind == PolicyKind::by_wealth) {
        add_wealth_runs(model, *rule, json);
      } else {
        if (!add_index_runs(model, *rule, to_index, json)) {
          why = kTooManySteps;
          return std::nullopt;
        }
      }
      json.end_list();
    }
    json.end_list();
  }
  return json.end_list().end_object().str();
}

}  // namespace quantiplan
