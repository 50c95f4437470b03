#include "io/prism/language/scope.hpp"

namespace quantiplan::prism {

ErrorCode Complaints::code() const {
  return of_ == Of::program ? ErrorCode::bad_model : ErrorCode::bad_request;
}

std::string Complaints::at(Place place) const {
  if (place.line == 0 || of_ == Of::expression) return source_;
  return source_ + ":" + std::to_string(place.line) + ":" + std::to_string(place.column);
}

void Complaints::add(Place place, const std::string& message) {
  const bool has_column = of_ == Of::expression && place.line != 0;
  ++count_;
  const std::string text =
      has_column ? "column " + std::to_string(place.column) + ": " + message : message;
  if (said_.insert(at(place) + ": " + text).second) problems_.add(at(place), text);
}

void Complaints::throw_if_any() const { problems_.throw_if_any(code()); }

void Complaints::fail(Place place, const std::string& message) const {
  Complaints last(source_, of_);
  last.add(place, message);
  last.throw_if_any();
  throw Error(code(), source_, message);  // never reached: there is one problem
}

}  // namespace quantiplan::prism
