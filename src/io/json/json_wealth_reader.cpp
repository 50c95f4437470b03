#include "io/json/json_wealth_reader.hpp"

#include "io/json/wealth_keys.hpp"
#include "quantiplan/error.hpp"

namespace quantiplan {
WealthDeclaration JsonWealthReader::read(std::string_view text) {
  WealthDeclaration declared;
  const auto fault = read_json(text, *this);
  declared.line = draft_.line;
  if (!is_begun_) return declared;
  declared.is_damaged = true;
  if (is_done_ && faults_.empty()) {
    if (auto wealth = settled_wealth(draft_, faults_)) {
      declared.wealth = *std::move(wealth);
      declared.is_damaged = false;
    }
  }
  // What is wrong with a text that is no JSON is said by the reader of the rest.
  if (!fault) declared.faults = std::move(faults_);
  return declared;
}

void JsonWealthReader::large_number(std::uint64_t /*line*/, std::string /*why*/) {}

JsonWalk::Shape JsonWealthReader::shape(Node node) const {
  switch (node) {
    case kWealth:
      return {"the wealth", kWealthKeys};
    case kComponents:
      return {"'components'", {}};
    case kComponent:
      return {"a component", kComponentKeys};
    case kLabels:
      return {"'labels'", {}};
    case kWeights:
      return {"'weights'", {}};
    case kStates:
    case kStatesOfClass:
      return {"'states'", {}};
    case kTransitions:
      return {"'transitions'", {}};
    case kTransition:
      return {"a transition", kTransitionKeys};
    case kClasses:
      return {"'classes'", {}};
    case kClass:
      return {"a class", kClassKeys};
    case kListedClass:
      return {"a class", {}};
    case kTable:
      return {"'table'", {}};
    case kRow:
      return {"a row of 'table'", {}};
    default:
      return {"the model", {}};
  }
}

JsonWalk::Node JsonWealthReader::enter(JsonKind kind) {
  const bool object = kind == JsonKind::object;
  Node entered = kSkipped;
  switch (node()) {
    case kDocument:
      return object ? Node{kModel} : kSkipped;
    case kModel:
      if (object) entered = kWealth;
      break;
    case kWealth:
      entered = enter_wealth(object);
      break;
    case kComponents:
      if (object) entered = kComponent;
      if (object) draft_.components.emplace_back();
      break;
    case kTransitions:
      if (object) entered = kTransition;
      if (object) draft_.transitions.emplace_back().line = line();
      break;
    case kClasses:
      entered = object ? kClass : kListedClass;
      draft_.classes.emplace_back().line = line();
      break;
    case kClass:
      if (current_key() == kClassStatesKey && !object) entered = kStatesOfClass;
      break;
    case kTable:
      if (object) entered = kRow;
      break;
    default:
      break;
  }
  if (entered == kSkipped) value(kind, "");  // says what is expected
  return entered;
}

JsonWalk::Node JsonWealthReader::enter_wealth(bool is_object) const {
  switch (current_key()) {
    case kComponentsKey:
      return is_object ? kSkipped : Node{kComponents};
    case kLabelsKey:
      return is_object ? kSkipped : Node{kLabels};
    case kWeightsKey:
      return is_object ? Node{kWeights} : kSkipped;
    case kStatesOfWealthKey:
      return is_object ? kSkipped : Node{kStates};
    case kTransitionsKey:
      return is_object ? kSkipped : Node{kTransitions};
    case kClassesKey:
      return is_object ? kSkipped : Node{kClasses};
    case kTableKey:
      return is_object ? Node{kTable} : kSkipped;
    default:
      return kSkipped;
  }
}

void JsonWealthReader::leave(Node node) {
  switch (node) {
    case kWealth:
      require({kKindKey});
      for (int key = 0; key < static_cast<int>(kWealthKeys.size()); ++key)
        draft_.keys |= static_cast<std::uint32_t>(has(key)) << static_cast<unsigned>(key);
      is_done_ = true;
      break;
    case kTransition:
      require({kFromKey, kLabelKey, kTransitionToKey});
      break;
    case kClass:
      require({kClassStatesKey});
      break;
    default:
      break;
  }
}

void JsonWealthReader::value(JsonKind kind, std::string_view text) {
  switch (node()) {
    case kModel:
      is_done_ = true;
      if (string(kind, text, draft_.kind.text)) draft_.kind.line = line();
      break;
    case kWealth:
      wealth_value(kind, text);
      break;
    case kComponents:
      draft_.components.emplace_back();
      if (kind != JsonKind::string) {
        wrong_kind(kind, "a string or an object");
      } else {
        draft_.components.back().name = text;
      }
      break;
    case kComponent:
      component_value(kind, text);
      break;
    case kLabels:
      name(kind, text, draft_.labels);
      break;
    case kWeights:
      read_weight(kind, text);
      break;
    case kStates:
      name(kind, text, draft_.states);
      break;
    case kTransition:
      transition_value(kind, text);
      break;
    case kClasses:
    case kClass:
    case kListedClass:
    case kStatesOfClass:
      class_value(kind, text);
      break;
    case kRow:
      string(kind, text, draft_.transitions.back().to);
      break;
    case kDocument:
      break;
    default:
      wrong_kind(kind, "an object");
  }
}

bool JsonWealthReader::map_key(std::string_view name) {
  switch (node()) {
    case kModel:
      if (is_done_ || name != "wealth") return false;
      is_begun_ = true;
      draft_.line = line();
      return true;
    case kWeights:
      draft_.weights.push_back({{std::string(name), line()}, {}});
      return true;
    case kTable:
      row_ = name;
      return true;
    case kRow:
      draft_.transitions.push_back({row_, std::string(name), "", line()});
      return true;
    default:
      return true;
  }
}

void JsonWealthReader::problem(std::uint64_t line, std::string message) {
  faults_.push_back({line, "wealth: " + std::move(message)});
}

bool JsonWealthReader::is_enough() const { return is_done_ || faults_.size() > Problems::kMost; }

}  // namespace quantiplan
