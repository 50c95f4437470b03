// quantiplan_bench: every figure of docs/performance.md in one run.
//
// Exit codes: 0 done; 1 a bound was missed and --strict was given; 2 a wrong option; 4 two engines,
// kernels or thread counts gave different answers.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "agreement.hpp"
#include "machine_facts.hpp"
#include "markdown.hpp"
#include "quantiplan/formats.hpp"
#include "sections.hpp"

namespace quantiplan::bench {
namespace {

struct Entry {
  const char* name;
  Section (*run)(const Plan&);
};
constexpr Entry kSections[] = {{"one-tau", one_tau_section},
                               {"many-taus", many_taus_section},
                               {"real", real_section},
                               {"plain", plain_section},
                               {"methods", method_section},
                               {"growth", bracket_growth_section},
                               {"growth-exact", growth_section},
                               {"threads", threads_section},
                               {"dense-pass", dense_pass_section},
                               {"kernels", kernel_section},
                               {"infinite", infinite_section},
                               {"forward", forward_section},
                               {"structures", structures_section},
                               {"exploration", exploration_section},
                               {"storage", storage_section},
                               {"promises", promises_section},
                               {"gpu", gpu_section},
                               {"gpu-large", gpu_large_section},
                               {"criteria", criteria_section},
                               {"risk-levels", risk_levels_section}};

struct Output {
  bool json = false;
  bool strict = false;
  std::string page;  // a Markdown file to put the tables into; may be empty
};

// One write at the end: the figures of a page come from one run.
void update_page(const std::string& path,
                 const std::vector<std::string>& names,
                 const std::vector<Section>& sections) {
  std::string page = with_block(read_text(path), "machine", machine_facts() + "\n");
  for (std::size_t i = 0; i < names.size(); ++i) {
    // What this machine cannot measure stays as it was.
    if (!sections[i].rows.empty()) page = with_block(page, names[i], section_markdown(sections[i]));
  }
  write_text(path, page);
}

int run(const Plan& plan, const std::vector<std::string>& only, const Output& output) {
  std::vector<Section> sections;
  std::vector<std::string> names;
  bool all_hold = true;
  for (const Entry& entry : kSections) {
    if (!only.empty() && std::ranges::find(only, entry.name) == only.end()) continue;
    fmt::print(stderr, "{} ...\n", entry.name);
    sections.push_back(entry.run(plan));
    names.emplace_back(entry.name);
    // Tiny models and a single round say nothing about speed.
    if (plan.quick) {
      for (Ratio& ratio : sections.back().ratios) ratio.bound = Ratio::Bound::none;
    }
    for (const Ratio& ratio : sections.back().ratios) all_hold = all_hold && ratio.holds();
    if (!output.json) {
      fmt::print("{}\n", section_text(sections.back()));
      std::fflush(stdout);
    }
  }
  if (output.json) fmt::print("{}", sections_json(sections));
  if (!output.page.empty()) update_page(output.page, names, sections);
  return output.strict && !all_hold ? 1 : 0;
}

int run(int argc, char** argv) {
  Plan plan;
  Output output;
  std::vector<std::string> only;
  CLI::App app{"Measures Quantiplan against the paper's algorithm, and against itself."};
  CLI::Option* quick = app.add_flag(
      "--quick", plan.quick, "small sizes, one round: a smoke test, its times mean nothing");
  app.add_flag("--json", output.json, "print one JSON object instead of tables");
  app.add_flag("--strict", output.strict, "exit 1 if a measured ratio misses its expected bound");
  app.add_option("--page", output.page, "also put the tables into this Markdown page")
      ->excludes(quick);
  std::vector<std::string> names;
  for (const Entry& entry : kSections) names.emplace_back(entry.name);
  app.add_option("--only", only, "sections to run")->delimiter(',')->check(CLI::IsMember(names));
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  if (plan.quick) plan.effort = {1, 1};
  try {
    return run(plan, only, output);
  } catch (const Disagreement& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 4;
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 3;
  }
}

}  // namespace
}  // namespace quantiplan::bench

int main(int argc, char** argv) { return quantiplan::bench::run(argc, argv); }
