// The formulas of backup.hpp as they stand: obvious, never optimised, shipped in every build.
#pragma once

#include "kernels/backup.hpp"

namespace quantiplan {

void mix_reference(std::span<const MixTerm> terms,
                   std::int64_t first,
                   std::span<double> out) noexcept;
void back_up_reference(std::span<const MixTerm> terms,
                       std::span<const ChoiceTerms> choices,
                       std::int64_t first,
                       const Best& out) noexcept;
void add_scaled_reference(double factor,
                          std::span<const double> values,
                          std::span<double> out) noexcept;

}  // namespace quantiplan
