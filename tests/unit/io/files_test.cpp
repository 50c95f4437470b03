#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>

#include "io/example_commute.hpp"
#include "io/temporary_folder.hpp"
#include "io/text/watched_text.hpp"
#include "numbers/thrown.hpp"
#include "quantiplan/formats.hpp"

namespace quantiplan {
namespace {

namespace fs = std::filesystem;

using Files = TemporaryFolder;

void write_empty(const std::string& path) { write_text(path, ""); }

TEST_F(Files, AreWrittenAndReadWhole) {
  const std::string text = std::string(200000, 'x') + "\nend";
  write_text(path("a.txt"), text);
  EXPECT_EQ(read_text(path("a.txt")), text);
  write_text(path("a.txt"), "short");
  EXPECT_EQ(read_text(path("a.txt")), "short");
  EXPECT_EQ(count(), 1U);  // no temporary file is left
}

TEST_F(Files, KeepTheirPermissionsWhenReplaced) {
  write_text(path("a.txt"), "one");
  for (const auto mode : {0600U, 0666U}) {  // the second more than a umask leaves
    ::chmod(path("a.txt").c_str(), mode);
    write_text(path("a.txt"), "two");
    EXPECT_EQ(fs::status(path("a.txt")).permissions(), fs::perms(mode));
  }
}

TEST_F(Files, LinksStayLinks) {
  write_text(path("target.txt"), "one");
  fs::create_symlink("target.txt", path("link.txt"));
  write_text(path("link.txt"), "two");
  EXPECT_TRUE(fs::is_symlink(path("link.txt")));
  EXPECT_EQ(read_text(path("target.txt")), "two");
}

TEST_F(Files, LinksThatLeadNowhereOrToThemselvesAreRefused) {
  fs::create_symlink("nowhere.txt", path("dangling.txt"));
  fs::create_symlink("second.txt", path("first.txt"));
  fs::create_symlink("first.txt", path("second.txt"));
  for (const auto& call : {write_empty, require_writable}) {
    EXPECT_EQ(thrown(ErrorCode::io, [&] { call(path("dangling.txt")); }),
              path("dangling.txt") + ": cannot write: it is a link to '" + path("nowhere.txt") +
                  "', which does not exist; expected a file, or a name that is free");
    EXPECT_EQ(
        thrown(ErrorCode::io, [&] { call(path("first.txt")); }),
        path("first.txt") + ": cannot write: it is a link that leads to itself, expected a file");
  }
  EXPECT_EQ(count(), 3U);
}

TEST_F(Files, FilesOfAModelAreThoseBesideATra) {
  EXPECT_EQ(files_read("m.json"), std::vector<std::string>{"m.json"});
  write_text(path("m.lab"), "");
  write_text(path("m1.srew"), "");
  EXPECT_EQ(files_read(path("m.tra")),
            (std::vector<std::string>{path("m.tra"), path("m.lab"), path("m1.srew")}));
  EXPECT_EQ(
      files_written("d.x/m", Format::tra),
      (std::vector<std::string>{"d.x/m", "d.x/m.lab", "d.x/m.sta", "d.x/m.srew", "d.x/m.trew"}));
  EXPECT_EQ(files_written("m.tra", Format::json), std::vector<std::string>{"m.tra"});
}

TEST_F(Files, DevicesAreWrittenInPlace) {
  write_text("/dev/null", "gone");
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

TEST_F(Files, SayWhyTheyCannotBeReadOrWritten) {
  const auto io = [](const auto& call) { return thrown(ErrorCode::io, call); };
  EXPECT_EQ(io([&] { read_text(path("none")); }),
            path("none") + ": cannot open: No such file or directory");
  EXPECT_EQ(io([&] { read_text(path("")); }), path("") + ": cannot read: Is a directory");
  EXPECT_EQ(io([&] { write_text(path(""), ""); }),
            path("") + ": cannot write: it is a folder, expected a file name");
  EXPECT_EQ(io([&] { write_text(path("no/file"), ""); }),
            path("no/file") + ": cannot open for writing: No such file or directory");
  EXPECT_EQ(count(), 0U);
}

TEST_F(Files, AFullDeviceIsAnError) {
  EXPECT_EQ(thrown(ErrorCode::io, [&] { write_text("/dev/full", "x"); }),
            "/dev/full: cannot write: No space left on device");
}

TEST_F(Files, WhatBeginsWithANulIsNotRead) {
  EXPECT_EQ(thrown(ErrorCode::io, [] { (void)read_text("/dev/zero"); }),
            "/dev/zero:1: found a NUL byte, must be text");
}

TEST(Streams, HaveAShareOfTheMemory) {
  constexpr std::uint64_t kGiB = std::uint64_t{1} << 30U;
  EXPECT_EQ(most_of_a_stream(1), kGiB / 4);
  EXPECT_EQ(most_of_a_stream(32 * kGiB), 2 * kGiB);
  EXPECT_EQ(most_of_a_stream(1000 * kGiB), 4 * kGiB);
}

TEST_F(Files, TheEndingDecidesTheFormatAndElseTheText) {
  const Model model = example_commute();
  write_model(model, path("m.JSON"));
  write_model(model, path("m.csv"));
  EXPECT_EQ(read_text(path("m.csv")).substr(0, 11), "idstatefrom");
  EXPECT_EQ(read_model(path("m.JSON")).model.outcome_count(), 5U);
  fs::rename(path("m.JSON"), path("json"));
  fs::rename(path("m.csv"), path("csv"));
  EXPECT_EQ(read_model(path("json")).model.name(), "commute");
  EXPECT_EQ(read_model(path("csv")).model.outcome_count(), 5U);
  EXPECT_EQ(thrown(ErrorCode::bad_request, [&] { write_model(model, path("m.txt")); }),
            path("m.txt") +
                ": the ending says no format, must be .json, .csv, .prism, .tra, .drn or .umb");
}

TEST_F(Files, PoliciesGoToFilesAndBack) {
  const Model model = example_commute();
  Policy policy;
  policy.setting = resolve(model, {});
  policy.rules.push_back({0, State{0}, {{{}, Choice{1}}}});
  write_policy(policy, model, path("p.json"));
  EXPECT_EQ(format_policy(read_policy(path("p.json"), model), model), format_policy(policy, model));
}

}  // namespace
}  // namespace quantiplan
