// The inner loops of the dense backward pass: arrays in, arrays out, no model, no options.
//
//     mix:      out[i] = sum over terms k of  p_k * D_k(first + i + shift_k)
//                        D_k(j) = below_k for j < 0,  values_k[j] for 0 <= j < width_k,
//                        above_k beyond
//     improve:  best = max(best, candidate), with the runner-up and the choice that is best
//
// Terms are added in their order for every i, so all kernels give the same bits. Lanes run across
// residuals i. Limiting resource: loads, one per multiply-add.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace quantiplan {

struct MixTerm {
  double probability;
  const double* values;
  std::int64_t shift;
  std::int64_t width;
  double below = 1;
  double above = 0;
};

struct Kernel {
  std::string_view name;
  bool (*supported)() noexcept;
  void (*mix)(std::span<const MixTerm> terms, std::int64_t first, std::span<double> out) noexcept;
  // `mark` is stored in chosen where the candidate is strictly better; all spans have one length.
  void (*improve)(std::span<const double> candidate,
                  double mark,
                  std::span<double> best,
                  std::span<double> second,
                  std::span<double> chosen) noexcept;
  // out[i] += factor * values[i].
  void (*add_scaled)(double factor, std::span<const double> values, std::span<double> out) noexcept;
};

// All kernels, the plainest first; the last supported one is the best.
std::span<const Kernel> kernels() noexcept;
// By name, "auto" for the best supported; nullptr if unknown or unsupported here.
const Kernel* find_kernel(std::string_view name) noexcept;

}  // namespace quantiplan
