// The sections of the benchmark, in the order they are printed; one source file each.
#pragma once

#include "runner.hpp"
#include "table.hpp"

namespace quantiplan::bench {

struct Plan {
  bool quick = false;  // small sizes, one round: a smoke test of seconds, its times mean nothing
  Effort effort;
};

// The single pass against the paper's binary search, one tau and 99 of them.
Section one_tau_section(const Plan& plan);
Section many_taus_section(const Plan& plan);
// The engines that bracket: against the paper's algorithm on real rewards, and against the plain
// method, one uniform grid.
Section real_section(const Plan& plan);
Section plain_section(const Plan& plan);
// Each of them on models of different kinds.
Section method_section(const Plan& plan);
// How time and work grow: of brackets with states, horizon, epsilon and threads; of the exact pass
// when states, horizon or reward range double.
Section bracket_growth_section(const Plan& plan);
Section growth_section(const Plan& plan);
Section threads_section(const Plan& plan);
// The inner loop alone, and the dense pass with each kernel.
Section kernel_section(const Plan& plan);
Section dense_pass_section(const Plan& plan);
// The infinite horizon, level by level, against sweeps over the unfolded product.
Section infinite_section(const Plan& plan);
// Wealth that is no sum: the forward engine's growth, and sums by each engine.
Section forward_section(const Plan& plan);
Section structures_section(const Plan& plan);
// States a second and bytes a state, of a PRISM program.
Section exploration_section(const Plan& plan);
// Bytes a model takes per outcome, and the time to build it.
Section storage_section(const Plan& plan);
// The best mean that keeps the promise, beside the greatest probability.
Section promises_section(const Plan& plan);
// The GPU, if there is one: against the threads of its host, against its memory, and on a large model.
Section gpu_section(const Plan& plan);
Section gpu_large_section(const Plan& plan);
// CVaR from the same pass, for one tau and 99 of them; and the decomposition over risk levels that papers have.
Section criteria_section(const Plan& plan);
Section risk_levels_section(const Plan& plan);

}  // namespace quantiplan::bench
