#include <gtest/gtest.h>

#include <string>

#include "io/prism/language/prism_parser.hpp"
#include "io/prism/syntax_text.hpp"
#include "io/repeated.hpp"
#include "numbers/thrown.hpp"

namespace quantiplan::prism {
namespace {

std::string expression_tree(const std::string& text) {
  return syntax_text(parse_expression(text, "--goal"));
}

std::string expression_problem(const std::string& text) {
  return thrown(ErrorCode::bad_request, [&] { parse_expression(text, "--goal"); });
}

TEST(PrismExpression, ReadsLeaves) {
  EXPECT_EQ(expression_tree("3"), "3");
  EXPECT_EQ(expression_tree(".5"), "0.5");
  EXPECT_EQ(expression_tree("2e1"), "20.0");
  EXPECT_EQ(expression_tree("123456789012345678901234567890"), "123456789012345678901234567890");
  EXPECT_EQ(expression_tree("true"), "true");
  EXPECT_EQ(expression_tree(" false // no\n"), "false");
  EXPECT_EQ(expression_tree("x_1"), "x_1");
  EXPECT_EQ(expression_tree("\"other label\""), "\"other label\"");
  EXPECT_EQ(expression_tree("((x))"), "x");
}

TEST(PrismExpression, BindsFromLoosestToTightest) {
  EXPECT_EQ(expression_tree("a ? b : c => d <=> e | f & !g = h < i + j * -k"),
            "(? a b (=> c (<=> d (| e (& f (! (= g (< h (+ i (* j (neg k)))))))))))");
  EXPECT_EQ(expression_tree("-k * j + i < h = g & f | e <=> d => c ? b : a"),
            "(? (=> (<=> (| (& (= (< (+ (* (neg k) j) i) h) g) f) e) d) c) b a)");
}

TEST(PrismExpression, ANegationCoversTheComparison) {
  EXPECT_EQ(expression_tree("!x=1"), "(! (= x 1))");
  EXPECT_EQ(expression_tree("!x=1 & y"), "(& (! (= x 1)) y)");
  EXPECT_EQ(expression_tree("!!x"), "(! (! x))");
  EXPECT_EQ(expression_tree("x = (!y)"), "(= x (! y))");
  EXPECT_EQ(expression_problem("x = !y"),
            "--goal: column 5: found '!', expected an operand; a negation here needs parentheses: "
            "(!...)");
}

TEST(PrismExpression, GroupsFromTheLeft) {
  EXPECT_EQ(expression_tree("a/b/c*d*e"), "(* (/ (/ a b) c) d e)");
  EXPECT_EQ(expression_tree("a*b/c"), "(/ (* a b) c)");
  EXPECT_EQ(expression_tree("a => b => c"), "(=> (=> a b) c)");
  EXPECT_EQ(expression_tree("a <=> b <=> c"), "(<=> (<=> a b) c)");
  EXPECT_EQ(expression_tree("a = b != c"), "(!= (= a b) c)");
  EXPECT_EQ(expression_tree("0 <= x <= 2"), "(<= (<= 0 x) 2)");
}

TEST(PrismExpression, ConditionalsGroupFromTheRight) {
  EXPECT_EQ(expression_tree("a ? 1 : b ? 2 : 3"), "(? a 1 (? b 2 3))");
  EXPECT_EQ(expression_tree("a ? b ? 1 : 2 : 3"), "(? a (? b 1 2) 3)");
}

TEST(PrismExpression, ChainsAreOneNode) {
  EXPECT_EQ(expression_tree("a+b+c"), "(+ a b c)");
  EXPECT_EQ(expression_tree("a+(b+c)"), "(+ a (+ b c))");
  EXPECT_EQ(expression_tree("(a+b)+c"), "(+ (+ a b) c)");
  EXPECT_EQ(expression_tree("a&b&c|d&e|f"), "(| (& a b c) (& d e) f)");
  EXPECT_EQ(expression_tree("a*b*c"), "(* a b c)");
}

TEST(PrismExpression, LongerSumsHaveNegativeTerms) {
  EXPECT_EQ(expression_tree("a-b"), "(- a b)");
  EXPECT_EQ(expression_tree("1-p-q*r+s"), "(+ 1 (neg p) (neg (* q r)) s)");
  EXPECT_EQ(expression_tree("a+b-c"), "(+ a b (neg c))");
  EXPECT_EQ(expression_tree("-a--b"), "(- (neg a) (neg b))");
  EXPECT_EQ(expression_tree("x<-1"), "(< x (neg 1))");
}

TEST(PrismExpression, ReadsFunctions) {
  EXPECT_EQ(expression_tree("min(a,max(b,c,1+2),3)"), "(min a (max b c (+ 1 2)) 3)");
  EXPECT_EQ(expression_tree("floor(x)+ceil(y)+round(z)"), "(+ (floor x) (ceil y) (round z))");
  EXPECT_EQ(expression_tree("pow(2,x)*mod(y,3)/log(8,2)"), "(/ (* (pow 2 x) (mod y 3)) (log 8 2))");
  EXPECT_EQ(expression_tree("func(min,a,b)+func(mod, c, d)"), "(+ (min a b) (mod c d))");
  EXPECT_EQ(expression_tree("floor + mod"), "(+ floor mod)");
}

TEST(PrismExpression, ReadsPowers) {
  EXPECT_EQ(expression_tree("2*x^2"), "(* 2 (pow x 2))");
  EXPECT_EQ(expression_tree("x^2*3"), "(* (pow x 2) 3)");
  EXPECT_EQ(expression_tree("(x^y)^z"), "(pow (pow x y) z)");
  EXPECT_EQ(expression_tree("-x^2"), "(pow (neg x) 2)");  // as Storm reads it
}

TEST(PrismExpression, CountsTheOperandsOfFunctions) {
  EXPECT_EQ(expression_tree("min(a)"), "(min a)");
  EXPECT_EQ(expression_problem("1+mod(a,b,c)"),
            "--goal: column 3: found 'mod' with 3 operands, expected 2 operands");
  EXPECT_EQ(expression_problem("floor(a,b)"),
            "--goal: column 1: found 'floor' with 2 operands, expected 1 operand");
  EXPECT_EQ(expression_problem("sqrt(a)"),
            "--goal: column 1: found the function 'sqrt', expected min, max, floor, ceil, round, "
            "pow, mod or log");
  EXPECT_EQ(expression_problem("floor()"), "--goal: column 7: found ')', expected an expression");
  EXPECT_EQ(expression_problem("max"), "--goal: column 4: found the end of the text, expected '('");
  EXPECT_EQ(expression_problem("floor(a;"), "--goal: column 8: found ';', expected ',' or ')'");
}

TEST(PrismExpression, KnowsThePlacesOfOperators) {
  const Expression sum = parse_expression("ab +\n  (c - min(d, e))", "--goal");
  EXPECT_EQ(sum.place.column, 4U);
  const Expression& difference = sum.operands[1];
  EXPECT_EQ(difference.place.line, 2U);
  EXPECT_EQ(difference.place.column, 6U);
  EXPECT_EQ(difference.operands[1].place.column, 8U);
  EXPECT_EQ(difference.operands[1].operands[1].place.column, 15U);
}

TEST(PrismExpression, SaysWhatItFound) {
  EXPECT_EQ(expression_problem(""),
            "--goal: column 1: found the end of the text, expected an expression");
  EXPECT_EQ(expression_problem("x +"),
            "--goal: column 4: found the end of the text, expected an expression");
  EXPECT_EQ(expression_problem("x = 1)"),
            "--goal: column 6: found ')', expected an operator or the end of the expression");
  EXPECT_EQ(expression_problem("(x\n= 1"),
            "--goal: line 2, column 4: found the end of the text, expected ')'");
  EXPECT_EQ(expression_problem("a ? b"),
            "--goal: column 6: found the end of the text, expected ':'");
  EXPECT_EQ(expression_problem("P > 1"),
            "--goal: column 1: found 'P', a reserved word of the PRISM language, expected an "
            "expression");
  EXPECT_EQ(expression_problem("\"done"),
            "--goal: column 1: found '\"done' without closing quotation mark, expected an "
            "expression");
  EXPECT_EQ(expression_problem("2x"),
            "--goal: column 2: found 'x', expected an operator or the end of the expression");
}

TEST(PrismExpression, KnowsOperatorsOfOtherLanguages) {
  EXPECT_EQ(expression_problem("x^2^3"),
            "--goal: column 4: found '^', expected another operator; a power of a power needs "
            "parentheses: (x^y)^z");
  EXPECT_EQ(expression_problem("x%2"),
            "--goal: column 2: found '%', expected an operator; a remainder is written mod(x,y)");
  EXPECT_EQ(expression_problem("a && b"),
            "--goal: column 4: found '&', expected an operand; 'and' is a single '&'");
  EXPECT_EQ(expression_problem("a || b"),
            "--goal: column 4: found '|', expected an operand; 'or' is a single '|'");
  EXPECT_EQ(expression_problem("a == b"),
            "--goal: column 4: found '=', expected an operand; equality is a single '='");
}

TEST(PrismExpression, NumbersHaveLimits) {
  EXPECT_NE(expression_problem("x + 1e9999")
                .find("--goal: column 5: '1e9999' is no number: the exponent"),
            std::string::npos);
  EXPECT_NE(expression_problem(std::string(1001, '1')).find("more than 1000 characters"),
            std::string::npos);
}

TEST(PrismExpression, DepthIsLimitedWhereverItComesFrom) {
  const int many = 100000;
  const std::string wanted = "nested too deeply, in more than 1000 levels";
  for (const std::string& text : {
           repeated("(", many) + "x" + repeated(")", many),
           repeated("(", many),
           repeated("!", many) + "x",
           repeated("-", many) + "x",
           repeated("a ? b : ", many) + "c",
           repeated("a ? ", many),
           repeated("floor(", many),
           repeated("func(min,", many),
           repeated("a+(", many),
           repeated("a => b <=> c | d & !e = f < g + h * -(", many),
           repeated("1/", many) + "1",
           repeated("1=", many) + "1",
           repeated("1<", many) + "1",
           repeated("a=>", many) + "a",
           repeated("1/1*", many) + "1",
       }) {
    EXPECT_NE(expression_problem(text).find(wanted), std::string::npos) << text.substr(0, 40);
  }
  EXPECT_EQ(parse_expression(repeated("(", 900) + "x" + repeated(")", 900), "").name, "x");
  EXPECT_EQ(parse_expression(repeated("1/", 999) + "1", "").operands.size(), 2U);
}

TEST(PrismExpression, LongChainsAreNotDeep) {
  for (const char* link : {"x+", "x-", "x+1-", "x*", "x&", "x|", "x&y|"}) {
    const Expression chain = parse_expression(repeated(link, 20000) + "x", "");
    EXPECT_GT(chain.operands.size(), 20000U) << link;
  }
}

}  // namespace
}  // namespace quantiplan::prism
