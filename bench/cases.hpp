// The models of the benchmark, by name and size.
//
// garnet_of_paper: [GWX] section 5, Garnet G(states, 5, ceil(log2 states)), horizon 5, rewards in
// [0,1]. The paper's precision 0.001 becomes a grid: integers 0..1000.
// real_garnet_of: the same with rewards that are decimals of 15 places, as the paper has them.
// datacenter_of: src/domains/datacenter.hpp, default weights; fine_datacenter_of: weights of about
// ten times that without a common divisor, so that there are more levels of cost;
// real_datacenter_of: weights of six digits without a common divisor, as good as real.
#pragma once

#include <cstdint>
#include <string>

#include "domains/garnet.hpp"
#include "quantiplan/model.hpp"
#include "quantiplan/options.hpp"
#include "quantiplan/query.hpp"

namespace quantiplan::bench {

struct Case {
  std::string name;
  Model model;
};

Case garnet_of_paper(std::uint32_t states);
Case real_garnet_of(std::uint32_t states);
Case garnet_of(const GarnetParameters& parameters);
Case datacenter_of(std::uint32_t servers, std::uint64_t horizon);
Case fine_datacenter_of(std::uint32_t servers, std::uint64_t horizon);
Case real_datacenter_of(std::uint32_t servers, std::uint64_t horizon);
// Machine replacement (src/domains/machine.hpp), its default parameters: 11 states, discount 0.9.
Case machine_of(std::uint64_t horizon);
// A few steps in a chain, each of which pays a little or, rarely, a great deal: rewards 10^6 apart
// and few distinct probabilities, so that levels of probability are fewer than levels of wealth.
Case rare_prize(std::uint64_t horizon);

// Lower quantiles: tau = 0.1, and tau = 0.01, 0.02, .., 0.99.
Query one_tau();
// The quantile and its policy alone, which is what the paper's algorithm gives.
Query one_tau_bare();
Query ninety_nine_taus();

// Doubles, one thread unless told otherwise.
Options options_of(Engine engine, std::uint32_t threads = 1);

}  // namespace quantiplan::bench
