#include "page/page_json.hpp"

#include <cmath>

#include "quantiplan/visible.hpp"

namespace quantiplan {
namespace {

// Nobody reads a longer one.
constexpr std::size_t kMostExactDigits = 60;

}  // namespace

PageJson& PageJson::key(std::string_view name) {
  writer_.Key(name.data(), static_cast<rapidjson::SizeType>(name.size()));
  return *this;
}
PageJson& PageJson::text(std::string_view value) {
  writer_.String(value.data(), static_cast<rapidjson::SizeType>(value.size()));
  return *this;
}
PageJson& PageJson::name(std::string_view value) { return text(visible(value)); }
PageJson& PageJson::flag(bool value) {
  writer_.Bool(value);
  return *this;
}
PageJson& PageJson::count(std::uint64_t value) {
  writer_.Uint64(value);
  return *this;
}
PageJson& PageJson::whole(std::int64_t value) {
  writer_.Int64(value);
  return *this;
}
PageJson& PageJson::real(double value) {
  if (std::isnan(value)) return null();
  if (std::isinf(value)) return text(value > 0 ? "inf" : "-inf");
  writer_.Double(value);
  return *this;
}
PageJson& PageJson::null() {
  writer_.Null();
  return *this;
}
PageJson& PageJson::total(const Total& value) { return text(to_text(value)); }

PageJson& PageJson::level(const Level& level) {
  const auto number = level.number();
  return number ? total(*number) : name(level.class_text());
}

PageJson& PageJson::value(const Value& value) {
  begin_list().real(value.nearest);
  if (value.exact) {
    const std::string exact = to_text(*value.exact);
    if (exact.size() <= kMostExactDigits) text(exact);
  } else if (value.is != Value::Is::rounded) {
    null().text(value.is == Value::Is::lower_bound ? "lower bound" : "upper bound");
    if (value.most) real(*value.most);
  }
  return end_list();
}
PageJson& PageJson::optional_value(const std::optional<Value>& value) {
  return value ? this->value(*value) : null();
}
PageJson& PageJson::texts(const std::vector<std::string>& values) {
  begin_list();
  for (const std::string& value : values) text(value);
  return end_list();
}
PageJson& PageJson::raw(std::string_view json) {
  writer_.RawValue(json.data(), json.size(), rapidjson::kObjectType);
  return *this;
}
PageJson& PageJson::begin_object() {
  writer_.StartObject();
  return *this;
}
PageJson& PageJson::end_object() {
  writer_.EndObject();
  return *this;
}
PageJson& PageJson::begin_list() {
  writer_.StartArray();
  return *this;
}
PageJson& PageJson::end_list() {
  writer_.EndArray();
  return *this;
}

void write_classes(const std::shared_ptr<const WealthClasses>& classes, PageJson& json) {
  if (classes == nullptr) return;
  bool all_numbers = true;
  for (std::size_t i = 1; i <= classes->size(); ++i)
    all_numbers = all_numbers && classes->number(i).has_value();
  if (all_numbers) return;
  json.key("classes").begin_list();
  for (std::size_t i = 1; i <= classes->size(); ++i) json.level({classes, i});
  json.end_list();
}

std::string inert_json(std::string_view json) {
  std::string out;
  out.reserve(json.size());
  for (const char c : json) {
    switch (c) {
      case '<':
        out += "\\u003c";
        break;
      case '>':
        out += "\\u003e";
        break;
      case '&':
        out += "\\u0026";
        break;
      default:
        out += c;
    }
  }
  return out;
}

}  // namespace quantiplan
