#include "evaluate/infinite/visits.hpp"

#include <cmath>

namespace quantiplan {
namespace {

std::vector<double> pivots(const BlockMoves<double>& moves) {
  std::vector<double> out(moves.leak);
  for (std::size_t i = 0; i < out.size(); ++i) {
    for (const auto& move : moves.rows[i]) {
      if (move.to != i) out[i] += move.probability;
    }
  }
  return out;
}

}  // namespace

double visits_error(const BlockMoves<double>& moves,
                    const std::vector<double>& enters,
                    const std::vector<double>& visits) {
  const std::vector<double> pivot = pivots(moves);
  std::vector<double> sum(enters);
  std::vector<double> terms(enters.size());  // roundings of each sum
  for (std::size_t i = 0; i < visits.size(); ++i) {
    terms[i] += static_cast<double>(moves.rows[i].size());
    for (const auto& move : moves.rows[i]) {
      if (move.to == i) continue;
      sum[move.to] += visits[i] * move.probability;
      terms[move.to] += 1;
    }
  }
  double error = 0;
  for (std::size_t j = 0; j < visits.size(); ++j) {
    const double out = visits[j] * pivot[j];
    error += std::abs(sum[j] - out) + (sum[j] + out) * (terms[j] + 5) * 0x1p-53;
  }
  // This sum is rounded as well.
  return error * (1 + 0x1p-20) + static_cast<double>(visits.size()) * 0x1p-1000;
}

bool iterate_visits(const BlockMoves<double>& moves,
                    const Limits& limits,
                    std::vector<double>& mass) {
  // The moves into each state.
  std::vector<std::vector<BlockMoves<double>::Move>> into(mass.size());
  for (std::uint32_t i = 0; i < mass.size(); ++i) {
    for (const auto& move : moves.rows[i]) {
      if (move.to != i) into[move.to].push_back({i, move.probability});
    }
  }
  const std::vector<double> pivot = pivots(moves);
  const std::vector<double> enters = mass;
  std::vector<double>& visits = mass;
  for (std::size_t j = 0; j < visits.size(); ++j) visits[j] = enters[j] / pivot[j];
  constexpr int kSweeps = 32;
  constexpr double kHardly = 0.999;
  double last = visits_error(moves, enters, visits);
  for (;;) {
    for (int sweep = 0; sweep < kSweeps; ++sweep) {
      if (limits.ended()) return false;
      for (std::size_t j = 0; j < visits.size(); ++j) {
        double sum = enters[j];
        for (const auto& move : into[j]) sum += visits[move.to] * move.probability;
        visits[j] = sum / pivot[j];
      }
    }
    const double error = visits_error(moves, enters, visits);
    if (error >= last * kHardly) return true;
    last = error;
  }
}

}  // namespace quantiplan
