// Where the functions of a layer are stored: their spans, from those of the later layer.
//
//     exact      (sure, possible]                                    the windows
//     dropped    edges of choices:  low_a = min_o (r + low'),  high_a = max_o (r + high')
//     needed     no more of it than targets can lead to              (needs.hpp)
#pragma once

#include <span>
#include <vector>

#include "finite/pass/pass.hpp"
#include "finite/pass/span.hpp"

namespace quantiplan {

// `later`: by slot of the next layer, in the steps of time t.
template <class N>
std::vector<Span<N>> layer_spans(const PassInput<N>& input,
                                 const Arithmetics<N>& numbers,
                                 std::uint64_t t,
                                 std::span<const Span<N>> later,
                                 unsigned threads);

}  // namespace quantiplan
