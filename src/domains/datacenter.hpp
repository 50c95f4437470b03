// The data centre: how many servers to keep on while the load wanders between three regimes.
//
//     state    (on, jobs): servers on now, 1..servers; jobs now, 1..jobs_per_server*servers
//     action   a: servers on at the next step, 1..servers
//     next     (a, jobs'), jobs' ~ Poisson(mean of the regime of `jobs`), cut off and rounded
//     reward   -( power*on + overload_job*over + overload_step*[over > 0] + switching*|a - on| )
//              over = max(0, jobs - capacity*on), the jobs beyond what the servers can take
//
//     jobs   1 ......... n ......... 2n ......... 3n         n servers, default cut-points
//              calm         usual        rush
//     mean   ceil(n/2)     ceil(3n/2)   ceil(5n/2)
//
// Source: [GWX] section 5, after Yin and Sinopoli [YS]: 30 servers make 2700 states. The paper
// leaves open what zero jobs mean, where the Poisson law is cut off, where a regime ends and what
// the weights are; each is a parameter here.
//
// Why the quantile-optimal policy differs from the expectation-optimal one under the defaults: a
// step in overload costs 20 + 15 per job, one more server costs 2. In expectation a spare server
// pays only if it is needed once in about 18 steps, so the mean is best with an overload now and
// then. But a regime tends to last, an episode has many steps, and with ten of them the chance that
// an overload spoils the total grows to three in ten. Whoever must keep a promise in nine episodes
// of ten pays for the spare server. With 5 servers and 10 steps the 0.1-quantile is -80 at best, at
// a mean of -85; the expectation-optimal policy, of mean -70, has -120 and reaches -80 with
// probability 0.70 only.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "quantiplan/model.hpp"

namespace quantiplan {

struct DatacenterParameters {
  std::uint32_t servers = 5;
  std::uint64_t horizon = 10;
  Rational discount = 1;

  // Load. Zero jobs do not occur: the law is cut off below 1 and above jobs_per_server * servers.
  std::uint32_t jobs_per_server = 3;
  // In halves of a job per server: regime i has mean ceil(mean_halves[i] * servers / 2) and ends at
  // floor(cut_halves[i] * servers / 2) jobs; the third has no end.
  std::array<std::uint32_t, 3> mean_halves{1, 3, 5};
  std::array<std::uint32_t, 2> cut_halves{2, 4};
  // Probabilities are multiples of 1/grid; those that round to 0 drop.
  std::uint64_t grid = 1'000'000;

  // Costs.
  std::uint32_t capacity = 3;        // jobs a server takes in one step
  std::uint32_t power = 2;           // per server on and step
  std::uint32_t overload_job = 15;   // per job beyond capacity
  std::uint32_t overload_step = 20;  // per step with any job beyond capacity
  std::uint32_t switching = 2;       // per server switched on or off

  // Start; by default half of the servers, rounded up, and as many jobs as servers.
  std::optional<std::uint32_t> initial_on;
  std::optional<std::uint32_t> initial_jobs;

  // Throws Error(bad_request) naming the parameter, its value and the bound.
  void validate() const;
};

// States are named "on=3,jobs=12", actions "3 on".
Model datacenter(const DatacenterParameters& parameters, WorkWatch* watch = nullptr);

}  // namespace quantiplan
