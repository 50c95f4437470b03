#include "quantiplan/attitude.hpp"

#include <fmt/format.h>

#include <array>
#include <utility>

#include "base/quoted.hpp"
#include "quantiplan/error.hpp"

namespace quantiplan {
namespace {

constexpr const char* kFlag = "--attitude";
constexpr std::string_view kWithin = "within:";

using NamedAttitude = std::pair<std::string_view, Attitude (*)()>;
constexpr std::array<NamedAttitude, 4> kPlainAttitudes{
    {{"resolute", &Attitude::resolute},
     {"replan", &Attitude::replan},
     {"subgame-perfect", &Attitude::subgame_perfect},
     {"recursive", &Attitude::recursive}}};

}  // namespace

Attitude Attitude::within(std::optional<Rational> delta) {
  if (delta && *delta < 0) {
    throw Error(
        ErrorCode::bad_request,
        kFlag,
        fmt::format("within: found {}, expected DELTA of at least 0, or inf", to_text(*delta)));
  }
  Attitude out(Kind::within);
  out.delta_ = std::move(delta);
  return out;
}

Attitude Attitude::parse(std::string_view text) {
  for (const auto& [name, make] : kPlainAttitudes) {
    if (text == name) return make();
  }
  if (!text.starts_with(kWithin)) {
    throw Error(ErrorCode::bad_request,
                kFlag,
                fmt::format("found {}, expected resolute, replan, subgame-perfect, recursive, "
                            "within:DELTA or all",
                            in_quotes(text)));
  }
  const std::string_view delta = text.substr(kWithin.size());
  if (delta == "inf") return within(std::nullopt);
  std::string why;
  const auto number = Number::try_parse(delta, &why);
  if (!number) throw Error(ErrorCode::bad_request, kFlag, fmt::format("within: {}", why));
  return within(number->rational());
}

std::vector<Attitude> Attitude::all() {
  std::vector<Attitude> out;
  out.reserve(kPlainAttitudes.size() + 1);
  for (const auto& [name, make] : kPlainAttitudes) out.push_back(make());
  out.push_back(within(Rational(0)));
  return out;
}

std::string to_text(const Attitude& attitude) {
  if (attitude.kind() == Attitude::Kind::within) {
    const auto& delta = attitude.delta();
    return std::string(kWithin) + (delta ? to_text(*delta) : "inf");
  }
  return std::string(kPlainAttitudes[static_cast<std::size_t>(attitude.kind())].first);
}

}  // namespace quantiplan
