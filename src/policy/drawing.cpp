#include "policy/drawing.hpp"

namespace quantiplan {

std::uint64_t drawing_threshold(const Rational& cumulative) {
  static_assert(sizeof(unsigned long) == 8, "GMP's unsigned long holds 64 bits");
  Integer scaled;
  const Integer numerator = cumulative.get_num() << 64;
  mpz_cdiv_q(scaled.get_mpz_t(), numerator.get_mpz_t(), cumulative.get_den_mpz_t());
  // A cumulative probability within 2^-64 of 1 rounds up to 2^64 itself.
  return mpz_sizeinbase(scaled.get_mpz_t(), 2) > 64 ? ~std::uint64_t{0} : scaled.get_ui();
}

namespace {

std::vector<std::uint64_t> thresholds(const Model& model, Choice c) {
  std::vector<std::uint64_t> out;
  Rational sum = 0;
  for (const Outcome& o : model.outcomes(c)) {
    sum += model.probability(o);
    if (sum >= 1) break;
    out.push_back(drawing_threshold(sum));
  }
  return out;
}

std::size_t drawn(const std::vector<std::uint64_t>& thresholds, std::uint64_t bits) {
  std::size_t i = 0;
  while (i < thresholds.size() && bits >= thresholds[i]) ++i;
  return i;
}

}  // namespace

PartDrawing::PartDrawing(const std::vector<MixturePart>& mixture) {
  Rational sum = 0;
  // The last takes the rest.
  for (std::size_t i = 0; i + 1 < mixture.size(); ++i) {
    sum += mixture[i].weight;
    thresholds_.push_back(drawing_threshold(sum));
  }
}

std::size_t PartDrawing::draw(std::uint64_t bits) const { return drawn(thresholds_, bits); }

InitialDrawing::InitialDrawing(const InitialStates& initial) : states_(initial.states()) {
  Rational sum = 0;
  for (std::size_t i = 0; i + 1 < initial.size(); ++i) {
    sum += initial[i].probability;
    thresholds_.push_back(drawing_threshold(sum));
  }
}

State InitialDrawing::draw(std::uint64_t bits) const { return states_[drawn(thresholds_, bits)]; }

const Outcome& Drawing::draw(Choice c, RandomBits& bits) {
  auto known = thresholds_.find(c);
  if (known == thresholds_.end()) known = thresholds_.emplace(c, thresholds(model_, c)).first;
  return model_.outcomes(c)[drawn(known->second, bits.next())];
}

}  // namespace quantiplan
