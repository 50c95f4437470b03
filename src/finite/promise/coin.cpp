#include "finite/promise/coin.hpp"

#include <algorithm>

#include "numbers/rounding_bound.hpp"

namespace quantiplan {
namespace {

constexpr unsigned kPlaces = 53;  // binary, of a short chance

bool is_short(const Rational& chance) {
  constexpr std::size_t kMostBits = 1000;  // some 300 digits
  return mpz_sizeinbase(chance.get_den_mpz_t(), 2) <= kMostBits;
}

// Less by a part of 2^bits, or by half if that is less.
Rational lessened(const Rational& chance, unsigned bits) {
  return chance - std::min<Rational>(chance / 2, Rational(Integer(1), Integer(1) << bits));
}

// Down to a number of few binary places.
Rational shortened(const Rational& chance) {
  const Rational scaled = chance * Rational(Integer(1) << kPlaces);
  Integer whole;
  mpz_fdiv_q(whole.get_mpz_t(), scaled.get_num_mpz_t(), scaled.get_den_mpz_t());
  Rational out(whole, Integer(1) << kPlaces);
  out.canonicalize();
  return out;
}

}  // namespace

Value claimable(const Value& probability, bool rounded) {
  return probability.exact && !rounded ? probability : Value::at_least(probability.least());
}

std::optional<Coin> coin_of(const PromiseFound& found, const Promise& promise, bool rounded) {
  const auto claimed = [&](const PointOfHull& point) {
    return claimable(point.at.probability, rounded).least();
  };
  std::optional<Coin> alone;
  if (found.kept)
    alone = Coin{*found.kept, std::nullopt, 1, claimed(*found.kept), found.kept->at.mean};
  if (alone && !reaches(alone->probability, promise.theta, promise.side)) alone.reset();
  if (!found.below || !found.above || !certainly_keeps(promise, found.above->at)) return alone;
  const Prospect& a = found.below->at;
  const Prospect& b = found.above->at;
  const Rational low = claimed(*found.below);
  const Rational high = claimed(*found.above);
  if (certainly_keeps(promise, a) || high <= low) return alone;
  Rational chance = (high - promise.theta) / (high - low);
  if (promise.side == Side::lower) {
    chance = lessened(chance, 20);
  } else if (rounded || !a.probability.exact || !b.probability.exact) {
    chance = lessened(chance, 40);
  }
  if (rounded || !a.probability.exact || !b.probability.exact || !is_short(chance))
    chance = shortened(chance);
  Coin coin{*found.below,
            *found.above,
            chance,
            chance * low + (1 - chance) * high,
            chance * a.mean + (1 - chance) * b.mean};
  if (chance <= 0 || (alone && alone->mean >= coin.mean)) return alone;
  return coin;
}

}  // namespace quantiplan
