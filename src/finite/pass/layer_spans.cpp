#include "finite/pass/layer_spans.hpp"

#include <algorithm>
#include <limits>

#include "base/parallel.hpp"

namespace quantiplan {
namespace {

template <class N>
class LayerSpans {
 public:
  LayerSpans(const PassInput<N>& input,
             const Arithmetics<N>& numbers,
             std::uint64_t t,
             std::span<const Span<N>> later)
      : input_(input), numbers_(numbers), t_(t), later_(later) {}

  [[nodiscard]] std::vector<Span<N>> run(unsigned threads) const {
    std::vector<Span<N>> spans(input_.stages.layer(t_).size());
    const auto of_row = input_.drop > 0 ? edges_by_row() : std::vector<Edges>();
    const auto body = [&](unsigned, std::size_t begin, std::size_t end) {
      for (std::size_t slot = begin; slot < end; ++slot) {
        const State s = input_.stages.layer(t_).state(slot);
        if (input_.stages.model().is_terminal(s)) continue;
        Span<N>& span = spans[slot];
        span = input_.drop > 0 ? narrowed_span(slot, of_row) : exact_span(slot);
        if (input_.needs == nullptr) continue;
        const Interval& need = input_.needs->at(t_, slot);
        const std::int64_t sure = input_.windows.at(t_, slot).sure;
        // Where all that is needed lies below `low`, its greatest level stands for the rest.
        if (span.from < span.low && need.upto <= span.from)
          span.from = std::max(need.upto - 1, sure);
        span.from = std::max(span.from, need.above);
        span.upto = std::min(span.upto, need.upto);
        if (need.empty() || span.upto < span.from) span.upto = span.from;
      }
    };
    // Edges of choices are work; windows are only copied.
    parallel_for(threads, spans.size(), input_.drop > 0 ? 1024 : 1U << 16U, body);
    return spans;
  }

 private:
  [[nodiscard]] Span<N> exact_span(std::size_t slot) const {
    const Window& w = input_.windows.at(t_, slot);
    return {w.sure, w.possible, w.sure, w.possible, N(1), N(0)};
  }

  // What the spans of a choice's next states make of the edges, before its reward.
  struct Edges {
    std::int64_t low = std::numeric_limits<std::int64_t>::max();
    std::int64_t high = std::numeric_limits<std::int64_t>::min();
    N above = 0;
  };
  void add_edges(const Outcome& o, std::int64_t reward, Edges& edges) const {
    const Span<N>& span = later_[input_.stages.layer(t_ + 1).slot(o.next)];
    edges.low = std::min(edges.low, reward + span.low);
    edges.high = std::max(edges.high, reward + span.high);
    edges.above += numbers_.probability(o) * span.above;
  }
  [[nodiscard]] std::vector<Edges> edges_by_row() const {
    return input_.stages.template by_row<Edges>(t_, [&](std::span<const Outcome> outcomes) {
      Edges edges;
      for (const Outcome& o : outcomes) add_edges(o, 0, edges);
      return edges;
    });
  }

  // Where the later functions are constants, so is this one: the edges move as sure and possible
  // do (windows.hpp). Unless it is sure, the level `low` itself is computed: its value holds for
  // all below.
  [[nodiscard]] Span<N> narrowed_span(std::size_t slot, const std::vector<Edges>& of_row) const {
    const Model& model = input_.stages.model();
    constexpr auto kLowest = std::numeric_limits<std::int64_t>::min();
    Span<N> out{kLowest, kLowest, kLowest, kLowest, N(1), N(0)};
    for (const Choice c : model.choices(input_.stages.layer(t_).state(slot))) {
      if (!input_.filter.allows(t_, slot, c)) continue;
      const std::uint32_t row = input_.stages.rows().row(c);
      Edges edges;
      if (row != SharedRows::kNone) {
        edges = of_row[row];
        const std::int64_t reward = input_.stages.reward_key(t_, model.outcomes(c).front());
        edges.low += reward;
        edges.high += reward;
      } else {
        for (const Outcome& o : model.outcomes(c))
          add_edges(o, input_.stages.reward_key(t_, o), edges);
      }
      out.high = std::max(out.high, edges.high);
      out.low = std::max(out.low, edges.low);
      out.above = std::max<N>(out.above, edges.above);
    }
    const std::int64_t sure = input_.windows.at(t_, slot).sure;
    out.from = out.low <= sure ? sure : out.low - 1;
    out.upto = std::max(out.high, out.from);
    return out;
  }

  const PassInput<N>& input_;
  const Arithmetics<N>& numbers_;
  std::uint64_t t_;
  std::span<const Span<N>> later_;
};

}  // namespace

template <class N>
std::vector<Span<N>> layer_spans(const PassInput<N>& input,
                                 const Arithmetics<N>& numbers,
                                 std::uint64_t t,
                                 std::span<const Span<N>> later,
                                 unsigned threads) {
  return LayerSpans<N>(input, numbers, t, later).run(threads);
}

template std::vector<Span<double>> layer_spans(const PassInput<double>&,
                                               const Arithmetics<double>&,
                                               std::uint64_t,
                                               std::span<const Span<double>>,
                                               unsigned);
template std::vector<Span<Rational>> layer_spans(const PassInput<Rational>&,
                                                 const Arithmetics<Rational>&,
                                                 std::uint64_t,
                                                 std::span<const Span<Rational>>,
                                                 unsigned);

}  // namespace quantiplan
