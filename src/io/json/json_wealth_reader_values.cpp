// Single values of "wealth": names, numbers, and which key they stand at.
#include "base/quoted.hpp"
#include "io/json/json_wealth_reader.hpp"
#include "io/json/wealth_keys.hpp"

namespace quantiplan {
namespace {

constexpr std::int64_t kMostComponents = 1000;

}  // namespace

void JsonWealthReader::wealth_value(JsonKind kind, std::string_view text) {
  const auto take = [&](WealthDraft::Name& into) {
    into.line = line();
    string(kind, text, into.text);
  };
  switch (current_key()) {
    case kKindKey:
      take(draft_.kind);
      break;
    case kFirstKey:
      take(draft_.first);
      break;
    case kStartKey:
      take(draft_.start);
      break;
    case kComponentsKey:
      if (kind == JsonKind::number) {
        read_count(text);
      } else {
        wrong_kind(kind, "a list or a whole number");
      }
      break;
    case kWeightsKey:
    case kTableKey:
      wrong_kind(kind, "an object");
      break;
    default:
      wrong_kind(kind, "a list");
  }
}

void JsonWealthReader::read_count(std::string_view text) {
  const auto found = Number::try_parse(text);
  const Fraction* count = found ? found->small() : nullptr;
  if (count == nullptr || count->denominator != 1 || count->numerator < 1 ||
      count->numerator > kMostComponents) {
    problem(line(),
            "components: found " + in_quotes(text, 40) + ", must be a whole number from 1 to " +
                std::to_string(kMostComponents));
    return;
  }
  draft_.components.resize(static_cast<std::size_t>(count->numerator));
}

void JsonWealthReader::component_value(JsonKind kind, std::string_view text) {
  WealthComponent& component = draft_.components.back();
  if (current_key() == kComponentNameKey) {
    string(kind, text, component.name);
    return;
  }
  std::string better;
  if (!string(kind, text, better)) return;
  component.less_is_better = better == "less";
  if (better != "less" && better != "more")
    problem(line(), "better: found " + in_quotes(better) + ", must be 'more' or 'less'");
}

void JsonWealthReader::read_weight(JsonKind kind, std::string_view text) {
  WealthDraft::Weight& weight = draft_.weights.back();
  if (kind != JsonKind::number && kind != JsonKind::string) {
    wrong_kind(kind, "a number, or a string with a number");
    return;
  }
  std::string why;
  if (const auto found = Number::try_parse(text, &why)) {
    weight.weight = found->rational();
  } else {
    problem(line(), "weights: " + in_quotes(weight.label.text) + ": " + why);
  }
}

void JsonWealthReader::transition_value(JsonKind kind, std::string_view text) {
  WealthDraft::Transition& transition = draft_.transitions.back();
  std::string& into = current_key() == kFromKey    ? transition.from
                      : current_key() == kLabelKey ? transition.label
                                                   : transition.to;
  string(kind, text, into);
}

void JsonWealthReader::class_value(JsonKind kind, std::string_view text) {
  switch (node()) {
    case kClasses:
      if (kind != JsonKind::string) {
        wrong_kind(kind, "a string, a list or an object");
      } else {
        WealthDraft::Class& one = draft_.classes.emplace_back();
        one.line = line();
        one.is_one_name = name(kind, text, one.states);
      }
      break;
    case kClass:
      if (current_key() == kClassNameKey) {
        string(kind, text, draft_.classes.back().name.emplace());
      } else {
        wrong_kind(kind, "a list");
      }
      break;
    default:
      name(kind, text, draft_.classes.back().states);
  }
}

bool JsonWealthReader::string(JsonKind kind, std::string_view text, std::string& into) {
  if (kind == JsonKind::string) {
    into = text;
    return true;
  }
  if (node() == kModel) {
    problem(line(), std::string("found ") + name_of(kind) + ", expected a string or an object");
  } else {
    wrong_kind(kind, "a string");
  }
  return false;
}

bool JsonWealthReader::name(JsonKind kind,
                            std::string_view text,
                            std::vector<WealthDraft::Name>& into) {
  into.push_back({"", line()});
  return string(kind, text, into.back().text);
}

}  // namespace quantiplan
