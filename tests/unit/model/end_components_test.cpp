// Where one can stay for ever, and what falls with what cannot.
#include "model/end_components.hpp"

#include <gtest/gtest.h>

namespace quantiplan {
namespace {

TEST(EndComponents, KeepsWhatStaysAndDropsWhatMayLeave) {
  MoveGraph graph;
  // 0 <-> 1 at will; 1 may also leave by chance to 2, which ends; 3 stays at itself.
  graph.next = {1};
  graph.close_choice();
  graph.close_node();
  graph.next.push_back(0);
  graph.close_choice();
  graph.next.insert(graph.next.end(), {0, 2});
  graph.close_choice();
  graph.close_node();
  graph.close_node();
  graph.next.push_back(3);
  graph.close_choice();
  graph.close_node();
  const EndComponents found = end_components(graph, std::vector<bool>(graph.choices(), true));
  EXPECT_EQ(found.count, 2U);
  EXPECT_EQ(found.of_node[0], found.of_node[1]);
  EXPECT_NE(found.of_node[0], found.of_node[3]);
  EXPECT_EQ(found.of_node[2], EndComponents::kNone);
  EXPECT_EQ(found.is_inner, (std::vector<bool>{true, true, false, true}));
}

// Forward or back by chance, to an end: in rounds that drop a link each this would take hours.
TEST(EndComponents, DropsALongChainAtOnce) {
  constexpr std::uint32_t kLinks = 300'000;
  MoveGraph graph;
  for (std::uint32_t v = 0; v < kLinks; ++v) {
    graph.next.insert(graph.next.end(), {v + 1, v == 0 ? 0 : v - 1});
    graph.close_choice();
    graph.close_node();
  }
  graph.close_node();
  const EndComponents found = end_components(graph, std::vector<bool>(graph.choices(), true));
  EXPECT_EQ(found.count, 0U);
}

}  // namespace
}  // namespace quantiplan
