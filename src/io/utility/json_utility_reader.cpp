#include <array>

#include "io/json/json_walk.hpp"
#include "io/utility/utility_reader.hpp"

namespace quantiplan {
namespace {

constexpr std::string_view kUtilityFormat = "quantiplan-utility/1";

class JsonUtilityReader final : public JsonWalk {
 public:
  explicit JsonUtilityReader(UtilityDraft& draft);

 private:
  struct Shapes;

  void problem(std::uint64_t line, std::string message) override {
    draft_.problem(line, std::move(message));
  }
  [[nodiscard]] bool is_enough() const override { return draft_.is_full(); }

  void read_slope(JsonValue found, std::optional<Rational>& slope) {
    if (const auto given = number(found)) slope = given->rational();
  }
  void begin_point() { count_ = 0; }
  void read_coordinate(JsonValue found) {
    const std::size_t position = count_++;
    if (position >= coordinates_.size()) return;
    coordinates_[position].reset();
    if (const auto given = number(found)) coordinates_[position] = given->rational();
  }
  void finish_point() {
    if (count_ != coordinates_.size()) {
      problem(first_line(),
              "a point: found " + std::to_string(count_) + (count_ == 1 ? " number" : " numbers") +
                  ", expected two: [wealth, utility]");
    } else if (coordinates_[0] && coordinates_[1]) {
      draft_.add({*coordinates_[0], *coordinates_[1]}, first_line());
    }
  }

  UtilityDraft& draft_;
  std::array<std::optional<Rational>, 2> coordinates_;
  std::size_t count_ = 0;
};

struct JsonUtilityReader::Shapes {
  using R = JsonUtilityReader;

  static constexpr Shape kPoint{
      .title = "a point",
      .items = value("", [](R& r, JsonValue found) { r.read_coordinate(found); }),
      .begin = first([](R& r) { r.begin_point(); }),
      .end = last([](R& r) { r.finish_point(); })};
  static constexpr Shape kPoints{.title = "the list of points",
                                 .items = list("", kPoint, "a list of two numbers")};
  static constexpr Place kKeys[] = {
      value("format", [](R& r, JsonValue found) { r.read_format(found, kUtilityFormat); })
          .required(),
      // For people.
      value("name", [](R& r, JsonValue found) { r.is_string(found); }),
      list("points", kPoints).required(),
      value("slope_below",
            [](R& r, JsonValue found) { r.read_slope(found, r.draft_.slope_below); }),
      value("slope_above",
            [](R& r, JsonValue found) { r.read_slope(found, r.draft_.slope_above); }),
  };
  static constexpr Shape kUtility{.title = "the utility", .keys = kKeys};
  static constexpr Place kDocument = object("", kUtility);
};

JsonUtilityReader::JsonUtilityReader(UtilityDraft& draft)
    : JsonWalk(Shapes::kDocument), draft_(draft) {}

}  // namespace

void read_json_utility(std::string_view text, UtilityDraft& draft) {
  JsonUtilityReader reader(draft);
  if (const auto fault = read_json(text, reader)) draft.problem(fault->line, fault->message);
}

}  // namespace quantiplan
