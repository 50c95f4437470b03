// The model formats, one row each: all that differs between them. A new format is a reader, a writer
// and a row, and a value of Format.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/work_watch.hpp"
#include "io/explicit/tra_model_reader.hpp"
#include "io/prism/prism_reader.hpp"
#include "quantiplan/formats.hpp"
#include "quantiplan/model.hpp"

namespace quantiplan {

struct ReadTask {
  std::string_view text;
  const std::string& source;
  const ReadOptions& options;
  const TraCompanions& beside;  // what stands in the files beside it, where there are any
  WorkWatch& watch;
  ModelBuilder& builder;
};

struct FormatRow {
  FormatInfo info;
  std::string_view article;    // "a .drn": as messages speak of a file
  std::string_view expected;   // what an empty one should have been
  bool is_text;                // checked as such before it is read; false: bytes, read as they are
  bool has_constants;          // --const has a meaning
  bool has_reward_structures;  // --reward has one
  PrismFacts (*read)(const ReadTask& task);
  // Null where one text cannot hold it.
  std::string (*format)(const Model& model, std::vector<std::string>& lost, WorkWatch* watch);
  // Null where it is the text alone.
  void (*write_files)(const Model& model,
                      const std::string& path,
                      std::vector<std::string>& lost,
                      WorkWatch* watch);
};

// In the order of Format.
std::span<const FormatRow> format_table();
const FormatRow& row_of(Format format);

}  // namespace quantiplan
