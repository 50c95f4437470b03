// The inner loops of the dense backward pass: arrays in, arrays out, no model, no options.
//
//     mix:      out[i] = sum over terms k of  p_k * D_k(first + i + shift_k)
//                        D_k(j) = below_k for j < 0,  values_k[j] for 0 <= j < width_k,
//                        above_k beyond; lines through below_k at -1 and above_k at width_k, where
//                        they have slopes
//     back_up:  best[i] = max over choices of their gains plus mixtures, the first of equals; with
//               the choice that is best and the runner-up, where they are asked for
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
  double below_slope = 0;
  double above_slope = 0;

  // Outside the values; differences of entries are exact.
  [[nodiscard]] double below_at(std::int64_t j) const noexcept {
    return below + below_slope * static_cast<double>(j + 1);
  }
  [[nodiscard]] double above_at(std::int64_t j) const noexcept {
    return above + above_slope * static_cast<double>(j - width);
  }
};

// A choice owns the terms up to `end`, from where the choice before it ended.
struct ChoiceTerms {
  std::size_t end;
  double mark;      // what stands for it in Best::chosen
  double gain = 0;  // what its sum begins with
};

// Where a backup writes: arrays of one length. Null: not asked for.
struct Best {
  std::size_t size;
  double* value;
  double* second;
  double* chosen;
};

struct Kernel {
  std::string_view name;
  bool (*supported)() noexcept;
  void (*mix)(std::span<const MixTerm> terms, std::int64_t first, std::span<double> out) noexcept;
  void (*back_up)(std::span<const MixTerm> terms,
                  std::span<const ChoiceTerms> choices,
                  std::int64_t first,
                  const Best& out) noexcept;
  // out[i] += factor * values[i].
  void (*add_scaled)(double factor, std::span<const double> values, std::span<double> out) noexcept;
};

// All kernels, the plainest first; the last supported one is the best.
std::span<const Kernel> kernels() noexcept;
// By name, "auto" for the best supported; nullptr if unknown or unsupported here.
const Kernel* find_kernel(std::string_view name) noexcept;

}  // namespace quantiplan
