#include <gtest/gtest.h>

#include <string>

#include "io/prism/language/prism_parser.hpp"
#include "io/prism/syntax_text.hpp"
#include "io/repeated.hpp"
#include "numbers/thrown.hpp"

namespace quantiplan::prism {
namespace {

std::string one_module_with_system(const std::string& text) {
  return "module M endmodule system " + text + " endsystem";
}

std::string system_tree(const std::string& text) {
  return syntax_text(*parse(one_module_with_system(text), "m.prism").system);
}

std::string system_problem(const std::string& text) {
  return thrown(ErrorCode::bad_model, [&] { parse(one_module_with_system(text), "m.prism"); });
}

TEST(PrismSystem, ReadsCompositions) {
  EXPECT_EQ(system_tree("M"), "M");
  EXPECT_EQ(system_tree("((M))"), "M");
  EXPECT_EQ(system_tree("M || N || K"), "(|| M N K)");
  EXPECT_EQ(system_tree("M ||| N ||| K"), "(||| M N K)");
  EXPECT_EQ(system_tree("M |[a,b]| N"), "(|[]|,a,b M N)");
  EXPECT_EQ(system_tree("M / {a,b}"), "(/,a,b M)");
  EXPECT_EQ(system_tree("M {a<-b, c <- d}"), "(<-,a<-b,c<-d M)");
  EXPECT_EQ(system_tree("\"whole\" M || N"), "(|| M N)");
}

TEST(PrismSystem, BindsFromLoosestToTightest) {
  EXPECT_EQ(system_tree("M || N ||| K |[a]| L/{a}"), "(|| M (||| N (|[]|,a K (/,a L))))");
  EXPECT_EQ(system_tree("M{a<-b}/{b} |[a]| N ||| K || L"),
            "(|| (||| (|[]|,a (/,b (<-,a<-b M)) N) K) L)");
  EXPECT_EQ(system_tree("M |[a]| N |[b]| K"), "(|[]|,b (|[]|,a M N) K)");
  EXPECT_EQ(system_tree("(M || N) ||| (K || L)/{a}"), "(||| (|| M N) (/,a (|| K L)))");
}

TEST(PrismSystem, SaysWhatItFound) {
  EXPECT_EQ(system_problem(""),
            "m.prism:1:28: system: found 'endsystem', a reserved word of the PRISM language, "
            "expected the name of a module or '('");
  EXPECT_EQ(system_problem("M | N"), "m.prism:1:29: system: found '|', expected 'endsystem'");
  EXPECT_EQ(system_problem("M |[a] N"), "m.prism:1:34: system: found 'N', expected '|'");
  EXPECT_EQ(system_problem("M |[]| N"),
            "m.prism:1:31: system: found ']', expected the name of an action");
  EXPECT_EQ(system_problem("M {a<=b}"), "m.prism:1:31: system: found '<=', expected '<-'");
  EXPECT_EQ(system_problem("(M"), "m.prism:1:30: system: found 'endsystem', expected ')'");
  EXPECT_EQ(system_problem("M endsystem system M"),
            "m.prism:1:39: system: found 'system', expected a statement; system ... endsystem was "
            "given before");
}

TEST(PrismSystem, DepthIsLimited) {
  const std::string wanted = "nested too deeply, in more than 1000 levels";
  for (const std::string& text : {repeated("(", 100000),
                                  repeated("M ||| (", 100000),
                                  repeated("M || N ||| K |[a]| (", 100000),
                                  repeated("M |[a]| ", 100000) + "M",
                                  "M" + repeated("/{a}", 100000),
                                  "M" + repeated("{a<-b}", 100000)}) {
    EXPECT_NE(system_problem(text).find(wanted), std::string::npos) << text.substr(0, 40);
  }
  EXPECT_EQ(
      parse(one_module_with_system(repeated("M || ", 100000) + "M"), "").system->operands.size(),
      100001U);
}

}  // namespace
}  // namespace quantiplan::prism
