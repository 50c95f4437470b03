#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <map>

#include "io/umb/tar_archive.hpp"
#include "io/umb/umb_model.hpp"
#include "numbers/thrown.hpp"
#include "quantiplan/formats.hpp"

namespace quantiplan {
namespace {

template <class Value>
std::string array(const std::vector<Value>& values) {
  std::string out(values.size() * sizeof(Value), '\0');
  if (!values.empty()) std::memcpy(out.data(), values.data(), out.size());
  return out;
}

// Two states; the first leads to itself and to the second, with rewards on its branches.
struct SmallUmb {
  std::string players = "1";
  std::string more;  // of the transition system
  std::string annotations =
      R"({"rewards": {"r": {"applies-to": ["branches"], "type": {"type": "int", "size": 8}}}})";
  std::map<std::string, std::string> files{
      {"state-is-initial.bin", array<std::uint64_t>({1})},
      {"state-to-choices.bin", array<std::uint64_t>({0, 1, 1})},
      {"choice-to-branches.bin", array<std::uint64_t>({0, 3})},
      {"branch-to-target.bin", array<std::uint64_t>({0, 1, 1})},
      {"branch-to-probability.bin", array<double>({0.5, 0.25, 0.25})},
      {"annotations/rewards/r/branches/values.bin", array<std::int8_t>({0, 3, -4})},
  };

  [[nodiscard]] std::string bytes() const {
    TarWriter tar;
    tar.add("index.json",
            R"({"format-version": 1, "format-revision": 0, "transition-system": {"time": "discrete",
 "#players": )" +
                players +
                R"(, "#states": 2, "#initial-states": 1, "#choices": 1, "#choice-actions": 0,
 "#branches": 3, "#branch-actions": 0, "#observations": 0,
 "branch-probability-type": {"type": "double", "size": 64})" +
                more + "}, \"annotations\": " + annotations + "}");
    for (const auto& [path, content] : files) tar.add(path, content);
    return tar.take();
  }
  [[nodiscard]] Model read() const { return parse_model(bytes(), Format::umb, "m.umb").model; }
  [[nodiscard]] std::string problem() const {
    return thrown(ErrorCode::bad_model, [&] { static_cast<void>(read()); });
  }
};

TEST(Umb, BranchesAreOutcomesWithRewardsOfTheirOwn) {
  const Model model = SmallUmb().read();
  EXPECT_EQ(model.state_count(), 2U);
  EXPECT_TRUE(model.is_terminal(State{1}));
  const auto outcomes = model.outcomes(Choice{0});
  ASSERT_EQ(outcomes.size(), 3U);
  EXPECT_EQ(model.probability(outcomes[1]), Rational(1, 4));
  EXPECT_EQ(model.reward(outcomes[1]), 3);
  EXPECT_EQ(model.reward(outcomes[2]), -4);
  EXPECT_EQ(model.initial()->only(), State{0});
  EXPECT_FALSE(model.is_chain());
  SmallUmb chain;
  chain.players = "0";
  EXPECT_TRUE(chain.read().is_chain());
}

TEST(Umb, KeepsRationalsExactly) {
  ModelBuilder builder;
  builder.initial("(x=-2,b=true)").label("done").labelled("(x=5,b=false)");
  builder.begin_choice("(x=-2,b=true)", "go")
      .add_outcome("(x=5,b=false)", "1/3", Number(Rational("100000000000000000000/7")))
      .add_outcome("(x=-2,b=true)", "2/3", "-1/3");
  const Model model = builder.build();
  std::vector<std::string> lost;
  const std::string bytes = format_model(model, Format::umb, &lost);
  EXPECT_TRUE(lost.empty());
  const Model again = parse_model(bytes, Format::umb, "again").model;
  EXPECT_EQ(again.state_name(State{0}), "(x=-2,b=true)");
  EXPECT_EQ(again.state_name(State{1}), "(x=5,b=false)");
  ASSERT_NE(again.find_label("done"), nullptr);
  EXPECT_EQ(again.find_label("done")->states, std::vector<State>{State{1}});
  const auto outcomes = again.outcomes(*again.find_choice(State{0}, "go"));
  EXPECT_EQ(again.probability(outcomes[0]), Rational(1, 3));
  EXPECT_EQ(again.reward(outcomes[0]), Rational("100000000000000000000/7"));
  EXPECT_EQ(again.reward(outcomes[1]), Rational(-1, 3));
  EXPECT_TRUE(again.is_terminal(State{1}));
}

TEST(Umb, RefusesByNameWhatItIsNot) {
  SmallUmb umb;
  umb.players = "2";
  EXPECT_NE(umb.problem().find("games are not supported"), std::string::npos);
  umb = {};
  umb.more = R"(, "#extra": 1)";
  EXPECT_EQ(umb.problem(), "");
  const auto changed = [](const std::string& from, const std::string& to) {
    std::string bytes = SmallUmb().bytes();
    const std::size_t at = bytes.find(from);
    bytes.replace(at, from.size(), to + std::string(from.size() - to.size(), ' '));
    return thrown(ErrorCode::bad_model,
                  [&] { static_cast<void>(parse_model(bytes, Format::umb, "m.umb")); });
  };
  EXPECT_NE(changed("\"discrete\"", "\"urgent\"").find("continuous time"), std::string::npos);
  EXPECT_NE(changed("\"#observations\": 0", "\"#observations\": 3").find("POMDPs"),
            std::string::npos);
  EXPECT_NE(changed("\"double\", \"size\": 64", "\"double-interval\"").find("interval MDPs"),
            std::string::npos);
}

TEST(Umb, TrustsNoLength) {
  const auto with = [](const std::string& path, const std::string& content) {
    SmallUmb umb;
    umb.files[path] = content;
    return umb.problem();
  };
  EXPECT_EQ(with("branch-to-target.bin", array<std::uint64_t>({0, 1})),
            "m.umb: branch-to-target.bin: has 16 bytes, expected 24, as many as index.json says");
  EXPECT_EQ(with("branch-to-target.bin", array<std::uint64_t>({0, 1, 2})),
            "m.umb: branch-to-target.bin: branch 2 leads to state 2, expected one below 2");
  EXPECT_EQ(with("choice-to-branches.bin", array<std::uint64_t>({0, 4})),
            "m.umb: choice-to-branches.bin: entry 1 is 4, expected ranges that ascend from 0 to 3");
  EXPECT_EQ(with("state-to-choices.bin", array<std::uint64_t>({1, 0, 1})),
            "m.umb: state-to-choices.bin: entry 0 is 1, expected ranges that ascend from 0 to 1");
  EXPECT_EQ(with("state-is-initial.bin", array<std::uint64_t>({3})),
            "m.umb: state-is-initial.bin: names 2 states, expected 1, as index.json says");
  EXPECT_EQ(with("state-is-initial.bin", array<std::uint64_t>({5})),
            "m.umb: state-is-initial.bin: has bits behind the last of 2, expected zeros");
  EXPECT_EQ(with("branch-to-probability.bin", array<double>({0.5, std::nan(""), 0.5})),
            "m.umb: branch-to-probability.bin: value 1 is not finite, expected a number");
  SmallUmb huge;
  huge.more = "";
  std::string bytes = huge.bytes();
  const std::string said = "\"#states\": 2,";
  bytes.replace(bytes.find(said), said.size(), "\"#states\":9999");
  EXPECT_NE(thrown(ErrorCode::bad_model,
                   [&] { static_cast<void>(parse_model(bytes, Format::umb, "m.umb")); }),
            "");
}

std::string tar_problem(const std::string& bytes) {
  return thrown(ErrorCode::bad_model, [&] { const TarArchive archive(bytes, "a.tar"); });
}

// Changes a byte of the first header and makes its checksum right again.
std::string tar_with(std::size_t at, const std::string& text) {
  TarWriter tar;
  tar.add("name", "content");
  std::string bytes = tar.take();
  bytes.replace(at, text.size(), text);
  bytes.replace(148, 8, std::string(8, ' '));
  unsigned sum = 0;
  for (std::size_t i = 0; i < 512; ++i) sum += static_cast<unsigned char>(bytes[i]);
  std::string digits(6, '0');
  for (std::size_t i = 6; i-- > 0; sum /= 8) digits[i] = static_cast<char>('0' + sum % 8);
  bytes.replace(148, 6, digits);
  bytes[154] = '\0';
  return bytes;
}

TEST(Tar, RefusesWhatIsNoPlainFile) {
  EXPECT_EQ(tar_problem(tar_with(0, "name")), "");
  EXPECT_EQ(tar_problem(tar_with(0, "../x")),
            "a.tar: the archive has a path '../x' that climbs out of the archive");
  EXPECT_EQ(tar_problem(tar_with(0, "/etc")),
            "a.tar: the archive has a path '/etc' that is absolute");
  EXPECT_EQ(tar_problem(tar_with(0, "a//b")),
            "a.tar: the archive has a path 'a//b' that has an empty part");
  EXPECT_EQ(tar_problem(tar_with(156, "2")),
            "a.tar: the archive entry 'name' is a link, expected files only");
  EXPECT_EQ(tar_problem(tar_with(156, "S")),
            "a.tar: the archive entry 'name' is a sparse file, expected files only");
  EXPECT_EQ(tar_problem(tar_with(124, "77777777777")),
            "a.tar: the archive entry 'name' says 8589934591 bytes, but 1536 are left");
  EXPECT_EQ(tar_problem(tar_with(124, "\x80       x  ")),
            "a.tar: the archive entry 'name' has a size that is no octal number");
  std::string broken = tar_with(0, "name");
  broken[0] = 'N';
  EXPECT_EQ(tar_problem(broken), "a.tar: the archive has a header with a wrong checksum");
  TarWriter twice;
  twice.add("a", "1");
  twice.add("a", "2");
  EXPECT_EQ(tar_problem(twice.take()),
            "a.tar: the archive entry 'a' is there twice, expected once");
}

}  // namespace
}  // namespace quantiplan
