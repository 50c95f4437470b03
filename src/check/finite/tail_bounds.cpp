#include "check/finite/tail_bounds.hpp"

#include <algorithm>
#include <cmath>

#include "check/common/counted.hpp"
#include "numbers/directed.hpp"
#include "numbers/floor.hpp"

namespace quantiplan::checking {
namespace {

constexpr double kInfinity = HUGE_VAL;
constexpr double kMostLooks = 3e8;  // outcomes looked at

double below(double x) { return std::nextafter(x, -kInfinity); }
double above(double x) { return std::nextafter(x, kInfinity); }

// r + gamma v, surely on one side of the truth; what is exactly 0 stays so.
template <bool upwards>
struct Outwards {
  double gamma_low;
  double gamma_high;
  [[nodiscard]] static double moved(double x) { return upwards ? above(x) : below(x); }
  [[nodiscard]] double sum(double r, double v) const {
    if (v == 0) return r;
    const double rest = moved(((v > 0) == upwards ? gamma_high : gamma_low) * v);
    return r == 0 ? rest : moved(r + rest);
  }
};

// One state's moves, with rewards rounded to both sides.
struct Move {
  double low;
  double high;
  std::uint32_t next;
};

Move move_of(const Model& model, const Outcome& o, int sign) {
  const double r = sign * model.rewards().nearest(o.reward);
  const bool is_exact = Rational(r) == sign * model.reward(o);
  return {
      is_exact ? r : below(r), is_exact ? r : above(r), static_cast<std::uint32_t>(index(o.next))};
}

// The states from which one is met at which something holds, that one included.
template <class Holds>
std::vector<bool> that_lead_to(const std::vector<std::vector<Move>>& moves, const Holds& holds) {
  std::vector<std::vector<std::uint32_t>> from(moves.size());
  for (std::uint32_t i = 0; i < moves.size(); ++i)
    for (const Move& move : moves[i]) from[move.next].push_back(i);
  std::vector<bool> found(moves.size(), false);
  std::vector<std::uint32_t> open;
  const auto meet = [&](std::uint32_t i) {
    if (found[i]) return;
    found[i] = true;
    open.push_back(i);
  };
  for (std::uint32_t i = 0; i < moves.size(); ++i)
    if (holds(i)) meet(i);
  while (!open.empty()) {
    const std::uint32_t i = open.back();
    open.pop_back();
    for (const std::uint32_t before : from[i]) meet(before);
  }
  return found;
}

// To 200 binary digits, up or down; value > 0.
Rational rounded(const Rational& value, bool upwards) {
  const auto bits = [](const Integer& n) {
    return static_cast<long>(mpz_sizeinbase(n.get_mpz_t(), 2));
  };
  const long shift = 200 - (bits(value.get_num()) - bits(value.get_den()));
  Rational power(1);
  if (shift >= 0)
    mpq_mul_2exp(power.get_mpq_t(), power.get_mpq_t(), static_cast<mp_bitcnt_t>(shift));
  else
    mpq_div_2exp(power.get_mpq_t(), power.get_mpq_t(), static_cast<mp_bitcnt_t>(-shift));
  const Rational scaled = value * power;
  return Rational(upwards ? ceiling_of(scaled) : floor_of(scaled)) / power;
}

Rational power_of(Rational base, std::uint64_t exponent, bool upwards) {
  Rational result = 1;
  for (; exponent > 0; exponent /= 2) {
    if (exponent % 2 == 1) result = rounded(Rational(result * base), upwards);
    base = rounded(Rational(base * base), upwards);
  }
  return result;
}

}  // namespace

TailBounds tail_bounds(const Model& model,
                       const ResolvedSetting& setting,
                       const ChoicesOf& choices_of,
                       CheckLimits& limits) {
  const std::uint32_t states = static_cast<std::uint32_t>(model.state_count());
  const int sign = counted_sign(setting);
  MemoryShare share(limits);
  share.set(states * (2 * sizeof(std::vector<Move>) + 2 * sizeof(double)));
  std::vector<std::vector<Move>> moves(states);
  double low = 0;
  double high = 0;
  double outcomes = 1;
  for (std::uint32_t i = 0; i < states; ++i) {
    for (const Choice c : model.choices(State{i})) {
      for (const Outcome& o : model.outcomes(c)) {
        limits.require(300);
        const Move move = move_of(model, o, sign);
        low = std::min(low, move.low);
        high = std::max(high, move.high);
      }
    }
    if (model.is_terminal(State{i}) || setting.is_goal(State{i})) continue;
    for (const Choice c : choices_of(State{i}))
      for (const Outcome& o : model.outcomes(c)) moves[i].push_back(move_of(model, o, sign));
    share.add(moves[i].size() * (2 * sizeof(Move) + 2 * sizeof(std::uint32_t)));
    outcomes += static_cast<double>(moves[i].size());
  }
  // |r| / (1 - gamma), and a little more.
  const double steps = round_up(1 / Rational(1 - setting.discount)) * (1 + 0x1p-40);
  TailBounds tails{std::vector<double>(states, 0), std::vector<double>(states, 0)};
  // From where no loss, or no gain, can be met any more, no iteration is as good as 0.
  const auto is_end = [&](std::uint32_t i) {
    return model.is_terminal(State{i}) || setting.is_goal(State{i});
  };
  const auto meets = [&](const auto& counts) {
    return that_lead_to(moves, [&](std::uint32_t i) {
      return moves[i].empty() ? !is_end(i) : std::ranges::any_of(moves[i], counts);
    });
  };
  const std::vector<bool> can_lose = meets([](const Move& move) { return move.low < 0; });
  const std::vector<bool> can_gain = meets([](const Move& move) { return move.high > 0; });
  for (std::uint32_t i = 0; i < states; ++i) {
    tails.least[i] = low == 0 || !can_lose[i] ? 0 : below(low * steps);
    tails.greatest[i] = high == 0 || !can_gain[i] ? 0 : above(high * steps);
  }
  const Outwards<false> down{round_down(setting.discount), round_up(setting.discount)};
  const Outwards<true> up{down.gamma_low, down.gamma_high};
  const double wanted = 30 / (1 - std::min(down.gamma_high, 1 - 0x1p-50)) + 1;
  const auto rounds =
      static_cast<std::uint64_t>(std::min(wanted, std::max(4.0, kMostLooks / outcomes)));
  for (std::uint64_t round = 0; round < rounds; ++round) {
    bool changed = false;
    for (std::uint32_t i = 0; i < states; ++i) {
      limits.require(5 + 5 * moves[i].size());
      if (moves[i].empty()) continue;
      double least = kInfinity;
      double greatest = -kInfinity;
      for (const Move& move : moves[i]) {
        least = std::min(least, down.sum(move.low, tails.least[move.next]));
        greatest = std::max(greatest, up.sum(move.high, tails.greatest[move.next]));
      }
      // A better bound than the last, or none: then all of them still hold together.
      changed = changed || least > tails.least[i] || greatest < tails.greatest[i];
      tails.least[i] = std::max(least, tails.least[i]);
      tails.greatest[i] = std::min(greatest, tails.greatest[i]);
    }
    if (!changed) break;
  }
  return tails;
}

namespace {

// sum p ( r' + gamma V(s') ) of one choice, surely on one side of the truth.
template <bool upwards>
double expected(const Model& model,
                Choice c,
                int sign,
                const Outwards<upwards>& outwards,
                const std::vector<double>& later) {
  double sum = 0;
  for (const Outcome& o : model.outcomes(c)) {
    const Move move = move_of(model, o, sign);
    const double value = outwards.sum(upwards ? move.high : move.low, later[move.next]);
    const double p = model.probabilities().nearest(o.probability);
    const bool is_exact = Rational(p) == model.probability(o);
    const double share = is_exact ? p : (value > 0) == upwards ? above(p) : below(p);
    const double term = value == 0 || share == 1 ? value : outwards.moved(share * value);
    sum = sum == 0 ? term : term == 0 ? sum : outwards.moved(sum + term);
  }
  return sum;
}

}  // namespace

TailBounds expected_tails(const Model& model,
                          const ResolvedSetting& setting,
                          const ChoicesOf& choices_of,
                          CheckLimits& limits) {
  TailBounds tails = tail_bounds(model, setting, choices_of, limits);
  const int sign = counted_sign(setting);
  const Outwards<false> down{round_down(setting.discount), round_up(setting.discount)};
  const Outwards<true> up{down.gamma_low, down.gamma_high};
  std::vector<std::vector<Choice>> choices(model.state_count());
  double outcomes = 1;
  for (std::uint32_t i = 0; i < choices.size(); ++i) {
    limits.require(300);
    if (model.is_terminal(State{i}) || setting.is_goal(State{i})) continue;
    choices[i] = choices_of(State{i});
    for (const Choice c : choices[i]) outcomes += static_cast<double>(model.outcomes(c).size());
  }
  // Some fifty bits of what the first bounds leave open.
  const double wanted = 40 / (1 - std::min(down.gamma_high, 1 - 0x1p-50)) + 1;
  const auto rounds =
      static_cast<std::uint64_t>(std::min(wanted, std::max(4.0, kMostLooks / (8 * outcomes))));
  for (std::uint64_t round = 0; round < rounds; ++round) {
    bool changed = false;
    for (std::uint32_t i = 0; i < choices.size(); ++i) {
      if (choices[i].empty()) continue;
      double least = kInfinity;
      double greatest = -kInfinity;
      for (const Choice c : choices[i]) {
        limits.require(60 * model.outcomes(c).size());
        least = std::min(least, expected<false>(model, c, sign, down, tails.least));
        greatest = std::max(greatest, expected<true>(model, c, sign, up, tails.greatest));
      }
      changed = changed || least > tails.least[i] || greatest < tails.greatest[i];
      tails.least[i] = std::max(least, tails.least[i]);
      tails.greatest[i] = std::min(greatest, tails.greatest[i]);
    }
    if (!changed) break;
  }
  return tails;
}

Rational discounted_tail(const Rational& gamma, std::uint64_t steps, double tail, bool upwards) {
  if (tail == 0) return 0;
  return power_of(gamma, steps, (tail > 0) == upwards) * Rational(tail);
}

}  // namespace quantiplan::checking
