#include "domains/poisson.hpp"

#include <algorithm>
#include <numeric>

#include "quantiplan/number.hpp"

namespace quantiplan {
namespace {

// mean^j / j! times greatest! / mean^least: mean^(j-least) * (j+1) * .. * greatest, whole numbers.
std::vector<Integer> integer_weights(std::uint32_t mean,
                                     std::uint32_t least,
                                     std::uint32_t greatest) {
  std::vector<Integer> weights(greatest - least + 1);
  Integer power = 1;
  for (Integer& weight : weights) {
    weight = power;
    power *= mean;
  }
  Integer product = 1;  // (j+1) * .. * greatest
  for (std::uint32_t j = greatest; j > least; --j) {
    product *= j;
    weights[j - 1 - least] *= product;
  }
  return weights;
}

}  // namespace

std::vector<std::uint64_t> poisson_units(std::uint32_t mean,
                                         std::uint32_t least,
                                         std::uint32_t greatest,
                                         std::uint64_t grid) {
  const std::vector<Integer> weights = integer_weights(mean, least, greatest);
  const Integer sum = std::accumulate(weights.begin(), weights.end(), Integer(0));
  std::vector<std::uint64_t> units(weights.size());
  std::vector<Integer> remainders(weights.size());
  std::uint64_t left = grid;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const Integer scaled = weights[i] * static_cast<unsigned long>(grid);
    const Integer whole = scaled / sum;
    remainders[i] = scaled % sum;
    units[i] = whole.get_ui();
    left -= units[i];
  }
  std::vector<std::size_t> order(weights.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(
      order, [&](std::size_t a, std::size_t b) { return remainders[a] > remainders[b]; });
  for (std::size_t i = 0; i < left; ++i) ++units[order[i]];
  return units;
}

}  // namespace quantiplan
