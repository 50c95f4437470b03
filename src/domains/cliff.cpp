#include "domains/cliff.hpp"

#include <fmt/format.h>

#include <array>

#include "domains/parameter_checks.hpp"

namespace quantiplan {
namespace {

struct Cell {
  std::uint32_t x;
  std::uint32_t y;
};

struct Direction {
  const char* name;
  int dx;
  int dy;
};
// Clockwise, so that the neighbours in this list are the sides to which one slips.
constexpr std::array<Direction, 4> kDirections{
    {{"up", 0, 1}, {"right", 1, 0}, {"down", 0, -1}, {"left", -1, 0}}};

class Grid {
 public:
  explicit Grid(const CliffParameters& p) : width_(p.width), height_(p.height) {}

  [[nodiscard]] bool is_goal(Cell c) const { return c.y == 0 && c.x == width_ - 1; }
  [[nodiscard]] bool is_cliff(Cell c) const { return c.y == 0 && c.x > 0 && c.x < width_ - 1; }
  // Start and goal first, then row by row.
  [[nodiscard]] State state(Cell c) const {
    return State{c.y == 0 ? (c.x == 0 ? 0 : 1) : 2 + (c.y - 1) * width_ + c.x};
  }
  [[nodiscard]] Cell after(Cell c, const Direction& d) const {
    const bool off = (d.dx < 0 && c.x == 0) || (d.dx > 0 && c.x == width_ - 1) ||
                     (d.dy < 0 && c.y == 0) || (d.dy > 0 && c.y == height_ - 1);
    if (off) return c;
    return {c.x + static_cast<std::uint32_t>(d.dx), c.y + static_cast<std::uint32_t>(d.dy)};
  }

  // Calls visit(cell) for each state, in their order.
  template <class Visit>
  void for_each_state(const Visit& visit) const {
    visit(Cell{0, 0});
    visit(Cell{width_ - 1, 0});
    for (std::uint32_t y = 1; y < height_; ++y)
      for (std::uint32_t x = 0; x < width_; ++x) visit(Cell{x, y});
  }

 private:
  std::uint32_t width_;
  std::uint32_t height_;
};

class Moves {
 public:
  Moves(const CliffParameters& p, const Grid& grid)
      : grid_(grid),
        straight_(Rational(1 - p.slip)),
        aside_(Rational(p.slip / 2)),
        step_(Rational(-p.step_cost)),
        fall_(Rational(-p.fall_cost)) {}

  void add_choices(ModelBuilder& builder, Cell cell) const {
    for (std::size_t d = 0; d < kDirections.size(); ++d) {
      builder.begin_choice(grid_.state(cell), kDirections[d].name);
      add_outcome(builder, grid_.after(cell, kDirections[d]), straight_);
      add_outcome(builder, grid_.after(cell, kDirections[(d + 1) % 4]), aside_);
      add_outcome(builder, grid_.after(cell, kDirections[(d + 3) % 4]), aside_);
    }
  }

 private:
  void add_outcome(ModelBuilder& builder, Cell next, const Number& probability) const {
    const bool falls = grid_.is_cliff(next);
    builder.add_outcome(falls ? State{0} : grid_.state(next), probability, falls ? fall_ : step_);
  }

  const Grid& grid_;
  Number straight_;
  Number aside_;
  Number step_;
  Number fall_;
};

}  // namespace

void CliffParameters::validate() const {
  ParameterChecks check;
  check.whole("width", width, 2, 1000);
  check.whole("height", height, 2, 1000);
  check.setting(horizon, discount);
  check.probability("slip", slip);
  check.done();
}

Model cliff(const CliffParameters& parameters, WorkWatch* watch) {
  const CliffParameters& p = parameters;
  p.validate();
  const auto name = [](Cell c) { return fmt::format("x={},y={}", c.x, c.y); };
  const Grid grid(p);
  const Moves moves(p, grid);
  ModelBuilder builder;
  builder.watched_by(watch);
  builder.name(fmt::format("cliff-{}x{}", p.width, p.height));
  builder.horizon(p.horizon).discount(p.discount).initial(name({0, 0}));
  grid.for_each_state([&](Cell cell) { builder.declare_state(name(cell)); });
  grid.for_each_state([&](Cell cell) {
    if (!grid.is_goal(cell)) moves.add_choices(builder, cell);
  });
  return builder.build();
}

}  // namespace quantiplan
