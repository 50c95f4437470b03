// Scalar backward passes over an expansion: the greatest chance to end in a class or a better one.
//
//     V(t, s, w) = [class(w) >= k]                          where the episode ends
//     V(t, s, w) = max_c sum_i p_i V(t+1, s_i, w o r_i)     elsewhere
//
// An algebra (algebra.hpp) says what the sum is. In doubles, kLanes classes go together: what costs
// is reading the arcs, not the sums.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/limits.hpp"
#include "classes/expansion.hpp"
#include "classes/promised_class.hpp"
#include "numbers/algebra.hpp"

namespace quantiplan {

constexpr std::size_t kLanes = 8;

// Choices by layer and node, as positions among the choices of the node's state.
using NodeChoices = std::vector<std::vector<std::uint32_t>>;

// The value at the root for class k, counted from 0; nullopt if a limit ends it. `choices` may be
// null; ties go to the first choice.
template <class Algebra>
std::optional<typename Algebra::Value> forward_pass(const Expansion& expansion,
                                                    std::uint32_t k,
                                                    Limits& limits,
                                                    NodeChoices* choices = nullptr);

// The same for many classes in doubles: as many values as there are classes asked for.
std::optional<std::vector<double>> forward_passes(const Expansion& expansion,
                                                  std::span<const std::uint32_t> classes,
                                                  Limits& limits);

// The greatest expectation of the final wealth's number, in doubles, with choices that attain it.
// `number` is by class; every class has one.
std::optional<double> expectation_pass(const Expansion& expansion,
                                       std::span<const double> number,
                                       Limits& limits,
                                       NodeChoices* choices);

// What the best policy by an aim is worth, in rationals; nullopt if a limit ends it. `choices` may be
// null.
std::optional<ClassWorth> promised_pass(const Expansion& expansion,
                                        const PromisedClass& promised,
                                        const ClassAim& aim,
                                        Limits& limits,
                                        NodeChoices* choices = nullptr);

}  // namespace quantiplan
