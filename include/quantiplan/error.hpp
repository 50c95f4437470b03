// The one exception of Quantiplan: the request, the model or a file makes no sense, or is refused.
//
// An Error carries one or more problems (a model is read to its end, and up to 20 problems are
// reported together). Each has a place ("commute.json:7", "--tau", or empty) and a message that
// says what was found and what was expected. A sound request that ends early is no Error: it is an
// Answer with a status (answer.hpp).
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <vector>

namespace quantiplan {

enum class ErrorCode {
  bad_number,   // a text that is no exact decimal or fraction
  bad_request,  // an option, a tau, a horizon, an initial state, ranks that are not alike
  bad_model,    // a model that cannot be read or does not describe an MDP
  bad_policy,   // a policy that cannot be read or does not fit the model
  refused,      // sound, but outside what can be computed exactly or within the memory limit
  io,           // a file that cannot be opened, read or written, a checkpoint that is damaged
};

struct Problem {
  std::string place;
  std::string message;
};

class Error : public std::runtime_error {
 public:
  Error(ErrorCode code, std::string place, std::string message);
  Error(ErrorCode code, std::vector<Problem> problems);

  [[nodiscard]] ErrorCode code() const noexcept { return code_; }
  // At least one; in the order they were met.
  [[nodiscard]] const std::vector<Problem>& problems() const noexcept { return problems_; }

 private:
  ErrorCode code_;
  std::vector<Problem> problems_;
};

// Collects problems while a file is read, so that a user sees many at once.
class Problems {
 public:
  static constexpr std::size_t kMost = 20;

  void add(std::string place, std::string message);
  [[nodiscard]] bool any() const noexcept { return !list_.empty(); }
  // After kMost problems a reader may stop: add() ignores what comes later.
  [[nodiscard]] bool full() const noexcept { return list_.size() >= kMost; }
  // Throws Error(code) with everything collected; does nothing if nothing was.
  void throw_if_any(ErrorCode code) const;

 private:
  std::vector<Problem> list_;
};

}  // namespace quantiplan
