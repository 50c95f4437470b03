// Blocks that were eliminated once and are met again: the levels of one piece share them.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "base/limits.hpp"
#include "evaluate/infinite/mass_error.hpp"
#include "evaluate/infinite/transient_block.hpp"
#include "quantiplan/model.hpp"

namespace quantiplan {

template <class N>
class BlockStore {
 public:
  explicit BlockStore(const Limits& limits) : limits_(limits) {}

  // From the mass that enters to the visits, of the block made of these choices; `moves` is asked
  // for if it is new. What the result may be off goes into `error`. False if the limits ended it.
  [[nodiscard]] bool solve(const std::vector<Choice>& choices,
                           const std::function<BlockMoves<N>()>& moves,
                           std::vector<N>& mass,
                           MassError<N>& error);

 private:
  struct Solved {
    BlockMoves<N> moves;  // where they are needed again
    std::optional<TransientBlock<N>> elimination;
  };
  // Null if the limits ended it.
  const Solved* find(const std::vector<Choice>& choices,
                     const std::function<BlockMoves<N>()>& moves);

  const Limits& limits_;
  std::map<std::vector<Choice>, Solved> blocks_;
  std::uint64_t entries_ = 0;
};

}  // namespace quantiplan
