#include "io/json/json_events.hpp"

// RapidJSON 1.1.0 adds an offset to the null pointer of its empty stack, which clang's sanitizer
// stops.
#ifdef __clang__
#pragma clang attribute push(__attribute__((no_sanitize("pointer-overflow"))), apply_to = function)
#endif
#include <rapidjson/reader.h>
#ifdef __clang__
#pragma clang attribute pop
#endif

#include <algorithm>
#include <iterator>

#include "base/quoted.hpp"
#include "quantiplan/number.hpp"

namespace quantiplan {
namespace {

// NOLINTBEGIN(readability-identifier-naming): these two classes have the names RapidJSON calls.

// RapidJSON's idea of an input, with a line count. The end of the text reads as NUL.
class LinedStream {
 public:
  using Ch = char;
  explicit LinedStream(std::string_view text) : text_(text) {}

  [[nodiscard]] char Peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  char Take() {
    const char c = Peek();
    if (c == '\n') ++line_;
    if (at_ < text_.size()) ++at_;
    return c;
  }
  [[nodiscard]] std::size_t Tell() const { return at_; }
  [[nodiscard]] std::uint64_t line() const { return line_; }

  // Only for parsing in place, which is not done.
  char* PutBegin() { return nullptr; }
  void Put(char) {}
  void Flush() {}
  std::size_t PutEnd(char*) { return 0; }

 private:
  std::string_view text_;
  std::size_t at_ = 0;
  std::uint64_t line_ = 1;
};

// RapidJSON's idea of a receiver, which watches the depth.
class Adapter : public rapidjson::BaseReaderHandler<rapidjson::UTF8<>, Adapter> {
 public:
  Adapter(const LinedStream& stream, JsonEvents& receiver, int most_depth)
      : stream_(stream), receiver_(receiver), most_depth_(most_depth) {}

  bool Null() { return receiver_.scalar(JsonKind::null, "null", stream_.line()); }
  bool Bool(bool value) {
    return receiver_.scalar(JsonKind::boolean, value ? "true" : "false", stream_.line());
  }
  bool RawNumber(const char* text, rapidjson::SizeType length, bool) {
    return receiver_.scalar(JsonKind::number, {text, length}, stream_.line());
  }
  bool String(const char* text, rapidjson::SizeType length, bool) {
    return whole_characters({text, length}) &&
           receiver_.scalar(JsonKind::string, {text, length}, stream_.line());
  }
  bool Key(const char* text, rapidjson::SizeType length, bool) {
    return whole_characters({text, length}) && receiver_.key({text, length}, stream_.line());
  }
  bool StartObject() { return deeper() && receiver_.open(JsonKind::object, stream_.line()); }
  bool StartArray() { return deeper() && receiver_.open(JsonKind::list, stream_.line()); }
  bool EndObject(rapidjson::SizeType) { return shallower(); }
  bool EndArray(rapidjson::SizeType) { return shallower(); }

  [[nodiscard]] const std::optional<TextFault>& fault() const { return fault_; }

 private:
  bool deeper() {
    if (++depth_ <= most_depth_) return true;
    fault_ = {stream_.line(),
              "nested too deeply, must be at most " + std::to_string(most_depth_) + " levels"};
    return false;
  }
  bool shallower() {
    --depth_;
    return receiver_.close(stream_.line());
  }
  // An escape such as \ud800 alone is no character, though RapidJSON lets the second half pass.
  bool whole_characters(std::string_view text) {
    if (is_utf8(text)) return true;
    fault_ = {stream_.line(),
              "found half a surrogate pair in " + in_quotes(text) + ", must be a character"};
    return false;
  }

  const LinedStream& stream_;
  JsonEvents& receiver_;
  int most_depth_;
  int depth_ = 0;
  std::optional<TextFault> fault_;
};

// NOLINTEND(readability-identifier-naming)

struct Expectation {
  rapidjson::ParseErrorCode code;
  const char* text;
};
constexpr Expectation kExpectations[] = {
    {rapidjson::kParseErrorDocumentEmpty, "an object"},
    {rapidjson::kParseErrorDocumentRootNotSingular, "the end of the text"},
    {rapidjson::kParseErrorObjectMissName, "a key in double quotes"},
    {rapidjson::kParseErrorObjectMissColon, "':'"},
    {rapidjson::kParseErrorObjectMissCommaOrCurlyBracket, "',' or '}'"},
    {rapidjson::kParseErrorArrayMissCommaOrSquareBracket, "',' or ']'"},
    {rapidjson::kParseErrorStringUnicodeEscapeInvalidHex, "four hexadecimal digits after \\u"},
    {rapidjson::kParseErrorStringUnicodeSurrogateInvalid, "a whole surrogate pair"},
    {rapidjson::kParseErrorStringEscapeInvalid, "an escape such as \\n or \\u00e9"},
    {rapidjson::kParseErrorStringMissQuotationMark, "'\"' at the end of the string"},
    {rapidjson::kParseErrorNumberMissFraction, "digits after the point"},
    {rapidjson::kParseErrorNumberMissExponent, "digits after the 'e'"},
};

const char* expected(rapidjson::ParseErrorCode code) {
  const auto* found = std::ranges::find(kExpectations, code, &Expectation::code);
  return found == std::end(kExpectations) ? "a value" : found->text;
}

// What stands at the fault: up to the next white space or delimiter, at least one character.
std::string_view token_at(std::string_view text, std::size_t at) {
  const std::string_view rest = text.substr(std::min(at, text.size()));
  const std::size_t end = rest.find_first_of(" \t\r\n,:[]{}\"", 1);
  return rest.substr(0, end);
}

// RapidJSON reads no number beyond a double's range, not even as text.
std::string large_number_message(std::string_view token) {
  std::string why;
  if (!Number::try_parse(token, &why)) return why;
  return "the number " + in_quotes(token, 40) + " is beyond 1e308, must be written as a string";
}

std::string syntax_message(std::string_view text, const rapidjson::ParseResult& result) {
  const std::string_view token = token_at(text, result.Offset());
  const std::string found = token.empty() ? "the end of the text" : in_quotes(token, 40);
  return "no valid JSON: found " + found + ", expected " + expected(result.Code());
}

}  // namespace

const char* name_of(JsonKind kind) {
  constexpr const char* kNames[] = {
      "an object", "a list", "a string", "a number", "true or false", "null"};
  return kNames[static_cast<std::size_t>(kind)];
}

std::optional<TextFault> read_json(std::string_view text, JsonEvents& receiver, int most_depth) {
  constexpr unsigned kFlags = rapidjson::kParseIterativeFlag |
                              rapidjson::kParseNumbersAsStringsFlag |
                              rapidjson::kParseValidateEncodingFlag;
  LinedStream stream(text);
  Adapter adapter(stream, receiver, most_depth);
  rapidjson::Reader reader;
  const rapidjson::ParseResult result = reader.Parse<kFlags>(stream, adapter);
  if (!result.IsError()) return std::nullopt;
  if (result.Code() == rapidjson::kParseErrorTermination) return adapter.fault();
  if (result.Code() == rapidjson::kParseErrorNumberTooBig) {
    receiver.large_number(stream.line(), large_number_message(token_at(text, result.Offset())));
    return std::nullopt;
  }
  return TextFault{stream.line(), syntax_message(text, result)};
}

}  // namespace quantiplan
