// The distribution that episodes show, with a band that holds everywhere at once.
//
//     P( sup_w | share of episodes with W >= w  -  P(W >= w) | > band ) <= 2 exp(-2 n band^2)
//     confidence = 1 - 2 exp(-2 n band^2)     band = sqrt( ln(2 / (1 - confidence)) / (2 n) )
//
// Source: Dvoretzky, Kiefer and Wolfowitz, with the constant of [M]; it holds for every n and every
// distribution. Needs: at least one episode, confidence in (0, 1), and independent episodes.
#pragma once

#include <cstdint>

#include "quantiplan/distribution.hpp"
#include "quantiplan/episodes.hpp"
#include "quantiplan/model.hpp"
#include "quantiplan/options.hpp"
#include "quantiplan/policy.hpp"

namespace quantiplan {

double simulation_band(std::uint64_t episodes, double confidence);

// simulate_tally, with totals of discounted rewards rounded (Totals::rounded): the band is far wider.
EpisodeTally sampled_tally(const Model& model,
                           const Policy& policy,
                           const SimulateQuery& query,
                           const Options& options);

Distribution sampled_distribution(const EpisodeTally& episodes,
                                  std::uint64_t seed,
                                  double confidence);

}  // namespace quantiplan
