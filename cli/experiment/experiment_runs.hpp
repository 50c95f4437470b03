// The paper's three experiments, and what lies beyond them: which points, and what is measured.
//
//     fig1   Garnets of growing size, horizon 5        time of an induction, of the whole problem
//     fig2   the data centre of 20, 30 and 40 servers  time against the horizon
//     fig3   skewed Garnets(100, 5, 7), horizon 5      two cumulative distributions
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "quantiplan/options.hpp"

namespace quantiplan::cli {

struct ExperimentPlan {
  bool quick = false;         // tiny sizes: to see that it works
  bool beyond = false;        // sizes the paper could not do
  double limit_seconds = 20;  // of one run of the paper's algorithm
  std::string folder;
  // Called before each point that is computed: what it is, how many are done, how many there are.
  std::function<void(std::string_view what, std::size_t done, std::size_t all)> report;
  const std::atomic<bool>* stop = nullptr;
};

// False if they were interrupted; finished points are kept.
bool run_fig1(const ExperimentPlan& plan);
bool run_fig2(const ExperimentPlan& plan);
bool run_fig3(const ExperimentPlan& plan);

}  // namespace quantiplan::cli
