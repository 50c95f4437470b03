#include "evaluate/infinite/flow.hpp"

#include <algorithm>
#include <map>

#include "evaluate/infinite/two_numbers.hpp"

namespace quantiplan {
namespace {

// Marks of states that are no nodes.
constexpr std::uint32_t kUnmet = ~std::uint32_t{0};
constexpr std::uint32_t kFirstMark = kUnmet - 3;  // + Verdict: decided so

}  // namespace

template <class N>
Flow<N>::Flow(const StationaryRules& rules,
              Verdicts& verdicts,
              const Limits& limits,
              MassError<N>& error)
    : rules_(rules),
      verdicts_(verdicts),
      limits_(limits),
      error_(error),
      numbers_(rules.model()),
      pace_(limits),
      node_(rules.model().state_count(), kUnmet),
      level_blocks_(limits),
      settled_blocks_(limits) {}

template <class N>
bool Flow<N>::run(std::int64_t k,
                  Moves moves,
                  const std::vector<StateMass<N>>& enters,
                  Ended<N>& ended,
                  const Leave& leave,
                  const Visit& visit) {
  k_ = k;
  moves_ = moves;
  ended_ = &ended;
  leave_ = &leave;
  visit_ = &visit;
  for (const StateMass<N>& entry : enters) meet(entry.state);
  explore();
  if (pace_.has_ended()) {
    forget();
    return false;
  }
  enter(enters);
  components_ = strongly_connected(arcs_);
  members_ = members_of(components_);
  bool done = true;
  for (std::uint32_t c = components_.count; c-- > 0 && done;) {
    const std::uint32_t* first = members_.node.data() + members_.begin[c];
    const std::uint32_t* last = members_.node.data() + members_.begin[c + 1];
    done = solve(first, last);
    for (const std::uint32_t* v = first; v != last && done; ++v) {
      push(*v);
      done = !pace_.has_ended();
    }
  }
  forget();
  return done;
}

template <class N>
void Flow<N>::enter(const std::vector<StateMass<N>>& enters) {
  for (const StateMass<N>& entry : enters) {
    const std::uint32_t v = node_[index(entry.state)];
    if (v < kFirstMark) {
      mass_[v] = entry.mass;
    } else {
      end(entry.state, entry.mass);
    }
  }
}

template <class N>
void Flow<N>::forget() {
  nodes_ += met_.size();
  for (const State s : met_) node_[index(s)] = kUnmet;
  met_.clear();
  open_.clear();
  choice_.clear();
  mass_.clear();
  arcs_ = {};
}

template <class N>
void Flow<N>::meet(State s) {
  if (node_[index(s)] != kUnmet) return;
  met_.push_back(s);
  const Verdict verdict = verdicts_.at(s, k_);
  if (verdict != Verdict::open) {
    node_[index(s)] = kFirstMark + static_cast<std::uint32_t>(verdict) - 1;
    return;
  }
  node_[index(s)] = static_cast<std::uint32_t>(open_.size());
  open_.push_back(s);
}

template <class N>
void Flow<N>::explore() {
  for (std::size_t v = 0; v < open_.size(); ++v) {
    if (pace_.after_nanoseconds(100)) return;
    choice_.push_back(rules_.choose(open_[v], k_));
    for (const Outcome& o : rules_.model().outcomes(choice_[v])) {
      if (!stays(o)) continue;
      meet(o.next);
      const std::uint32_t next = node_[index(o.next)];
      if (next < kFirstMark) arcs_.next.push_back(next);
    }
    arcs_.close_node();
  }
  mass_.assign(open_.size(), N(0));
  place_.assign(open_.size(), 0);
}

// From the mass that enters the states of a component to their visits.
template <class N>
bool Flow<N>::solve(const std::uint32_t* first, const std::uint32_t* last) {
  if (!has_inner_moves(first, last)) return true;
  block_choices_.clear();
  block_mass_.clear();
  for (const std::uint32_t* v = first; v != last; ++v) {
    block_choices_.push_back(choice_[*v]);
    block_mass_.push_back(mass_[*v]);
  }
  largest_block_ = std::max(largest_block_, block_mass_.size());
  BlockStore<N>& store = moves_ == Moves::all ? settled_blocks_ : level_blocks_;
  const auto moves = [&] { return moves_within(first, last); };
  if (!store.solve(block_choices_, moves, block_mass_, error_)) return false;
  for (std::size_t i = 0; i < block_mass_.size(); ++i) mass_[first[i]] = block_mass_[i];
  return true;
}

template <class N>
bool Flow<N>::has_inner_moves(const std::uint32_t* first, const std::uint32_t* last) const {
  if (first + 1 != last) return true;
  const auto begin = arcs_.next.begin();
  return std::find(begin + static_cast<std::ptrdiff_t>(arcs_.begin[*first]),
                   begin + static_cast<std::ptrdiff_t>(arcs_.begin[*first + 1]),
                   *first) != begin + static_cast<std::ptrdiff_t>(arcs_.begin[*first + 1]);
}

template <class N>
BlockMoves<N> Flow<N>::moves_within(const std::uint32_t* first, const std::uint32_t* last) {
  BlockMoves<N> moves;
  for (const std::uint32_t* v = first; v != last; ++v)
    place_[*v] = static_cast<std::uint32_t>(v - first);
  const std::uint32_t component = components_.of_node[*first];
  std::map<std::uint32_t, Rational> row;
  for (const std::uint32_t* v = first; v != last; ++v) {
    row.clear();
    Rational leak = 0;
    for (const Outcome& o : rules_.model().outcomes(choice_[*v])) {
      const std::uint32_t next = stays(o) ? node_[index(o.next)] : kUnmet;
      const bool is_inner = next < kFirstMark && components_.of_node[next] == component;
      (is_inner ? row[place_[next]] : leak) += rules_.model().probability(o);
    }
    moves.rows.emplace_back();
    for (const auto& [to, p] : row) moves.rows.back().push_back({to, as<N>(p)});
    moves.leak.push_back(as<N>(leak));
  }
  return moves;
}

template <class N>
void Flow<N>::push(std::uint32_t v) {
  const N& visits = mass_[v];
  (*visit_)(choice_[v], visits);
  for (const Outcome& o : rules_.model().outcomes(choice_[v])) {
    const std::uint32_t next = stays(o) ? node_[index(o.next)] : kUnmet;
    if (next < kFirstMark && components_.of_node[next] == components_.of_node[v]) continue;
    const N mass = visits * numbers_.probability(o);
    if (pace_.after(mass)) return;
    error_.rounded(mass, 3);  // of the probability, the product and the sum it goes into
    if (!stays(o)) {
      (*leave_)(o, mass);
    } else if (next < kFirstMark) {
      mass_[next] += mass;
      error_.rounded(mass_[next], 1);
    } else {
      end(o.next, mass);
    }
  }
}

template <class N>
void Flow<N>::end(State s, const N& mass) {
  const auto verdict = static_cast<Verdict>(node_[index(s)] - kFirstMark + 1);
  N& sum = verdict == Verdict::total  ? ended_->total
           : verdict == Verdict::miss ? ended_->miss
                                      : ended_->infinite;
  sum += mass;
  error_.rounded(sum, 1);
}

template class Flow<double>;
template class Flow<Rational>;

}  // namespace quantiplan
