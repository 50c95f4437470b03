// What is asked of quantiplan solve.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "arguments/arguments.hpp"
#include "arguments/properties.hpp"
#include "exit_code.hpp"
#include "quantiplan/comparison.hpp"
#include "quantiplan/solve.hpp"

namespace quantiplan::cli {

struct SolveArguments {
  ModelArgument model;
  QuantileArguments quantiles;
  SettingArguments setting;
  EngineArguments engine;
  OutputArguments output;
  bool check = false;
  bool distribution = false;
  bool no_comparison = false;
  bool mixed = false;
  std::optional<std::string> criterion;
  std::optional<std::string> compare;
  std::optional<std::string> prefer;
  std::optional<std::string> mean_gap;
  std::vector<std::string> attitude;
  std::optional<std::string> policy_out;
  PropertyArguments properties;

  void declare(CLI::App& command);

  [[nodiscard]] ExitCode run() const;

 private:
  void declare_wishes(CLI::App& command);
  // To be shown beside the policies'. None where the setting has no such policy: an adversary's, a
  // wealth that is no number.
  static std::optional<Distribution> expectation(const Model& given,
                                                 const Setting& wanted,
                                                 const Answer& answer,
                                                 const Options& options);

  // Makes what --distribution adds, each for itself. An answer must not be lost because one of them
  // is too large, nor must the others: that one is left out, and the answer is a partial one. So
  // are those for which there is no time, all with one message.
  static ExitCode make_distributions(const Model& given,
                                     const Setting& wanted,
                                     Options options,
                                     const TimeLeft& clock,
                                     Answer& answer,
                                     std::optional<Distribution>& other);

  ExitCode write_report(const Model& given,
                        const Setting& wanted,
                        const Options& options,
                        const TimeLeft& clock,
                        Answer& answer,
                        const Comparison* compared,
                        std::chrono::steady_clock::time_point found_at) const;

  // Quantiles, or another criterion; `read_files`: what output may not overwrite.
  [[nodiscard]] ExitCode run_query(Query query,
                                   Options options,
                                   const std::vector<InputFile>& read_files) const;

  // What is shown of one optimal policy is not shown of a table of others.
  [[nodiscard]] ExitCode run_by_attitude(const Query& query, const Options& options) const;

  // Of another criterion there are no sides, and no promises to be kept besides.
  void refuse_what_quantiles_have() const;

  // Other policies are solved for beside an answer where that is not noticed, in products; rationals
  // count for a hundred.
  static bool clock_allows(const Answer& answer, const TimeLeft& clock);

  // With the quantile- and the expectation-optimal policy, at the first tau.
  static std::optional<Comparison> comparison_of(const Model& given,
                                                 Query query,
                                                 Options options,
                                                 const TimeLeft& clock);

  // All that is read: the model, tables of utilities, a file of questions.
  [[nodiscard]] std::vector<InputFile> inputs() const;

  // Rows of a table instead of answers.
  [[nodiscard]] ExitCode run_comparison(Query query, Options options) const;

  // Checkpoints belong to one question.
  static void refuse_checkpoints_with(const char* others);

  // What the question says itself is not said beside it.
  [[nodiscard]] ExitCode run_questions(const Options& options) const;
};

Prefer prefer_of(const std::string& text);
Rational mean_gap_of(const std::string& text);

}  // namespace quantiplan::cli
