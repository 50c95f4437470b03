// Collects what is wrong with the parameters of a domain, so that a user sees all of it at once.
//
//     ParameterChecks check;
//     check.want(levels >= 2, "levels", levels, "at least 2");
//     check.done();        throws "--levels: found 1, must be at least 2"
//
// A parameter goes by its name on the command line, as an option of the solver does.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <string_view>

#include "model/setting_range.hpp"
#include "model/shown.hpp"
#include "quantiplan/error.hpp"

namespace quantiplan {

class ParameterChecks {
 public:
  // Unless it holds: found this value of the parameter, which must be as `wanted` says.
  template <class Value>
  void want(bool holds, std::string_view name, const Value& found, std::string_view wanted) {
    if (!holds) add(name, fmt::format("found {}, must be {}", text(found), wanted));
  }
  void probability(std::string_view name, const Rational& value) {
    want(value >= 0 && value <= 1, name, value, "from 0 to 1");
  }
  void not_negative(std::string_view name, const Rational& value) {
    want(value >= 0, name, value, "at least 0");
  }
  void whole(std::string_view name,
             std::uint64_t value,
             std::uint64_t least,
             std::uint64_t greatest) {
    want(value >= least && value <= greatest,
         name,
         value,
         fmt::format("from {} to {}", least, greatest));
  }
  void setting(std::uint64_t horizon, const Rational& discount) {
    if (const std::string wrong = wrong_finite_horizon(horizon); !wrong.empty())
      add("horizon", wrong);
    if (const std::string wrong = wrong_discount(discount); !wrong.empty()) add("discount", wrong);
  }
  // Throws Error(bad_request) with everything found wrong so far.
  void done() const { problems_.throw_if_any(ErrorCode::bad_request); }

 private:
  void add(std::string_view name, std::string message) {
    problems_.add(fmt::format("--{}", name), std::move(message));
  }
  static std::string text(const Rational& value) { return shown(value); }
  template <class Value>
  static std::string text(const Value& value) {
    return fmt::format("{}", value);
  }

  Problems problems_;
};

}  // namespace quantiplan
