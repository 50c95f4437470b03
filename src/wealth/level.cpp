#include "quantiplan/level.hpp"

#include <stdexcept>

#include "quantiplan/structure.hpp"

namespace quantiplan {
namespace {

void require(bool holds, const char* what) {
  if (!holds) throw std::logic_error(what);
}

}  // namespace

const Total& Level::total() const {
  require(!is_class(), "the total of a class of wealth");
  return total_;
}

std::size_t Level::position() const {
  require(is_class(), "the position of a total");
  return position_;
}

std::size_t Level::rank() const {
  const std::size_t at = position();
  return classes_->rank(at);
}

std::size_t Level::class_count() const {
  require(is_class(), "the classes of a total");
  return classes_->count();
}

std::string Level::class_text() const {
  const std::size_t at = position();
  return classes_->text(at);
}

std::optional<Total> Level::number() const {
  return is_class() ? classes_->number(position_) : total_;
}

bool operator==(const Level& a, const Level& b) {
  if (!a.is_class() && !b.is_class()) return a.total_ == b.total_;
  if (a.classes_ == b.classes_) return a.position_ == b.position_;
  return a.is_class() && b.is_class() && a.class_text() == b.class_text();
}

std::weak_ordering operator<=>(const Level& a, const Level& b) {
  if (!a.is_class() && !b.is_class()) return a.total_ <=> b.total_;
  require(a.classes_ == b.classes_, "levels of different kinds are compared");
  return a.position_ <=> b.position_;
}

std::string to_text(const Level& level) {
  return level.is_class() ? level.class_text() : to_text(level.total());
}

}  // namespace quantiplan
