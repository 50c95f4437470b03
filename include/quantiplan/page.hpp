// The report as a page: one HTML file, complete in itself, to look at an answer and to play with it.
//
//     frontier    w -> G*(w), with the quantiles of every tau; one table of decisions for all of them
//     points      the taus asked for and nine more: the promise, its policies, their distributions
//     prices      what each promise costs in the mean
//     model       the states that are met most, as many as fit: for the picture of the policy, the player
//
// What a setting has not (a mean, a price, a table) is left out, and the page says why. So is what a
// limit leaves no time for.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "quantiplan/answer.hpp"
#include "quantiplan/criterion.hpp"
#include "quantiplan/model.hpp"
#include "quantiplan/options.hpp"
#include "quantiplan/query.hpp"

namespace quantiplan {

struct PageQuery {
  std::vector<Rational> taus;  // each in [0, 1]; at least one
  Sides sides = Sides::lower;
  Setting setting = {};
  // Several initial states, each a question of its own, instead of the setting's: their promises in a table, and
  // the page for the worst of them. Empty: those of the setting.
  std::vector<State> starts = {};
  // Beside the quantile: distributions of the policies that are best by these, at the first tau.
  std::vector<Criterion> criteria = {};
  std::string command = {};  // that made it, for the reader
  // Of the data: states, tables and distributions are left out beyond it, in this order from the end.
  std::size_t most_bytes = 1'300'000;
};

struct PageData {
  std::string json;
  Answer answer;                      // of the taus asked for, as solve() has it
  std::vector<std::string> left_out;  // a sentence each
  bool ended_early = false;           // a limit was met, or the call was interrupted
};

// Throws Error as solve does. Options::check holds for the taus asked for.
PageData page_data(const Model& model, const PageQuery& query, const Options& options = {});

// The page with these data in it. Throws Error(refused), which says how to get it, if the library was
// built without node, by which the page is made.
std::string page_html(const PageData& data);
bool has_page() noexcept;

}  // namespace quantiplan
