#include "finite/pass/settle.hpp"

namespace quantiplan {
namespace {

// A node in its table, its choice and a rational of moderate size.
constexpr std::uint64_t kBytesPerNode = NodeTable::kBytesPerNode + sizeof(Choice) + 160;

class Settler {
 public:
  Settler(const SettleInput& input, Limits& limits)
      : in_(input),
        limits_(limits),
        floating_(input.stages.model()),
        points_(std::make_shared<SettledPoints>()) {}

  std::optional<Settled> run(WealthKey target, Work& work) {
    const Window window = in_.windows.start();
    if (target.value <= window.sure) return Settled{1, nullptr};
    if (target.value > window.possible) return Settled{0, nullptr};
    const bool done = expand(target) && evaluate();
    work.exact_nodes += count_;
    if (!done) return std::nullopt;
    const auto value = in_.stages.drawn<Rational>([&](std::size_t slot) -> Rational {
      const Window& w = in_.windows.at(0, slot);
      if (target.value <= w.sure) return 1;
      if (target.value > w.possible) return 0;
      return later_[points_->nodes[0].find({static_cast<std::uint32_t>(slot), target.value})];
    });
    return Settled{value, points_};
  }

 private:
  // Choices that can be the best at a node.
  void candidates(std::uint64_t t, const Node& node) {
    const State s = in_.stages.layer(t).state(node.slot);
    if (in_.hints != nullptr) {
      const Decision d = in_.hints->at(t, node.slot, node.level);
      if (!d.contested) {
        choices_.assign(1, in_.stages.model().choices(s)[static_cast<std::ptrdiff_t>(d.choice)]);
        return;
      }
    }
    in_.expectation.order(in_.stages, floating_, t, node.slot, choices_);
    std::erase_if(choices_, [&](Choice c) { return !in_.filter.allows(t, node.slot, c); });
  }

  bool expand(WealthKey target) {
    const std::uint64_t horizon = in_.stages.horizon();
    auto& tables = points_->nodes;
    tables.resize(horizon + 1);
    for (std::uint32_t slot = 0; slot < in_.stages.starts(); ++slot) {
      const Window& w = in_.windows.at(0, slot);
      if (target.value > w.sure && target.value <= w.possible)
        tables[0].insert({slot, target.value});
    }
    for (std::uint64_t t = 0; t < horizon; ++t) {
      const Layer& next_layer = in_.stages.layer(t + 1);
      for (std::size_t i = 0; i < tables[t].size(); ++i) {
        if (count_ >= in_.most_nodes) return false;
        if (i % 256 == 0 && (limits_.ended() || !limits_.would_fit(count_ * kBytesPerNode)))
          return false;
        ++count_;
        const Node node = tables[t].nodes()[i];
        candidates(t, node);
        for (const Choice c : choices_) {
          for (const Outcome& o : in_.stages.model().outcomes(c)) {
            const Node child{static_cast<std::uint32_t>(next_layer.slot(o.next)),
                             in_.stages.next_residual(t, node.level, o)};
            const Window& w = in_.windows.at(t + 1, child.slot);
            if (child.level > w.sure && child.level <= w.possible) tables[t + 1].insert(child);
          }
        }
      }
    }
    return true;
  }

  bool evaluate() {
    const std::uint64_t horizon = in_.stages.horizon();
    points_->choice.resize(horizon + 1);
    later_.clear();
    for (std::uint64_t t = horizon; t-- > 0;) {
      const auto& nodes = points_->nodes[t].nodes();
      std::vector<Rational> now(nodes.size());
      points_->choice[t].resize(nodes.size());
      for (std::size_t i = 0; i < nodes.size(); ++i) {
        if (limits_.ended()) return false;  // a rational may take long
        candidates(t, nodes[i]);
        now[i] = -1;
        for (const Choice c : choices_) {
          const Rational value = value_of(t, nodes[i], c);
          if (value > now[i]) {
            now[i] = value;
            points_->choice[t][i] = c;
          }
        }
      }
      later_ = std::move(now);
      limits_.report("exact tie", static_cast<double>(horizon - t) / static_cast<double>(horizon));
    }
    return true;
  }

  Rational value_of(std::uint64_t t, const Node& node, Choice c) const {
    const Layer& next_layer = in_.stages.layer(t + 1);
    Rational sum = 0;
    for (const Outcome& o : in_.stages.model().outcomes(c)) {
      const Node child{static_cast<std::uint32_t>(next_layer.slot(o.next)),
                       in_.stages.next_residual(t, node.level, o)};
      const Window& w = in_.windows.at(t + 1, child.slot);
      if (child.level > w.possible) continue;
      const Rational p = in_.stages.model().probability(o);
      if (child.level <= w.sure) {
        sum += p;
      } else {
        sum += p * later_[points_->nodes[t + 1].find(child)];
      }
    }
    return sum;
  }

  const SettleInput& in_;
  Limits& limits_;
  Arithmetics<double> floating_;
  std::shared_ptr<SettledPoints> points_;
  std::vector<Choice> choices_;
  std::vector<Rational> later_;
  std::uint64_t count_ = 0;
};

}  // namespace

std::optional<Settled> settle(const SettleInput& input,
                              WealthKey target,
                              Limits& limits,
                              Work& work) {
  return Settler(input, limits).run(target, work);
}

}  // namespace quantiplan
