// The JSON of a page: compact, and safe within a script element of HTML.
//
//     total        "-40", "1/3", "inf", "-inf", "miss": exact text, in wealth; of a class its number or text
//     value        [0.9, "9/10"], [0.9, null, "lower bound", 0.91]: what a Value knows
//
// Names pass visible(): what a terminal would obey, or what reorders a line, is spelt out here, too.
#pragma once

#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "quantiplan/level.hpp"
#include "quantiplan/number.hpp"
#include "quantiplan/structure.hpp"
#include "quantiplan/total.hpp"
#include "quantiplan/value.hpp"

namespace quantiplan {

class PageJson {
 public:
  PageJson& key(std::string_view name);
  PageJson& text(std::string_view value);
  PageJson& name(std::string_view value);  // made visible
  PageJson& flag(bool value);
  PageJson& count(std::uint64_t value);
  PageJson& whole(std::int64_t value);
  PageJson& real(double value);  // "inf", "-inf", null
  PageJson& null();
  PageJson& total(const Total& value);
  // The total, or the number of the class, or its text.
  PageJson& level(const Level& level);
  PageJson& value(const Value& value);
  PageJson& optional_value(const std::optional<Value>& value);
  PageJson& texts(const std::vector<std::string>& values);
  // Well-formed JSON, as it stands.
  PageJson& raw(std::string_view json);
  PageJson& begin_object();
  PageJson& end_object();
  PageJson& begin_list();
  PageJson& end_list();

  [[nodiscard]] std::size_t size() const { return buffer_.GetSize(); }
  [[nodiscard]] std::string str() const { return {buffer_.GetString(), buffer_.GetSize()}; }

 private:
  rapidjson::StringBuffer buffer_;
  rapidjson::Writer<rapidjson::StringBuffer> writer_{buffer_};
};

// The classes in ascending order, where not all of them are numbers; else nothing is written.
void write_classes(const std::shared_ptr<const WealthClasses>& classes, PageJson& json);

// No text of it can end a script element, nor begin a comment in one.
std::string inert_json(std::string_view json);

}  // namespace quantiplan
