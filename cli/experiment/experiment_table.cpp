#include "experiment/experiment_table.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "quantiplan/error.hpp"
#include "quantiplan/formats.hpp"

namespace quantiplan::cli {
namespace {

Cells split_line(std::string_view line) {
  Cells cells;
  while (true) {
    const auto comma = line.find(',');
    cells.emplace_back(line.substr(0, comma));
    if (comma == std::string_view::npos) return cells;
    line.remove_prefix(comma + 1);
  }
}

}  // namespace

ExperimentTable::ExperimentTable(std::string path, Cells columns, std::size_t key_width)
    : path_(std::move(path)), columns_(std::move(columns)), key_width_(key_width) {
  if (std::filesystem::exists(path_)) read(read_text(path_));
}

std::string ExperimentTable::joined(const Cells& cells) {
  return fmt::format("{}", fmt::join(cells, ","));
}

void ExperimentTable::read(const std::string& text) {
  std::size_t line_number = 0;
  std::size_t begin = 0;
  while (begin < text.size()) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const Cells cells = split_line(std::string_view(text).substr(begin, end - begin));
    begin = end + 1;
    ++line_number;
    if (line_number == 1 ? cells == columns_ : cells.size() == columns_.size()) {
      if (line_number > 1) add(cells);
      continue;
    }
    throw Error(
        ErrorCode::io,
        fmt::format("{}:{}", path_, line_number),
        line_number == 1
            ? fmt::format("no table of this experiment, expected the columns {}; remove the "
                          "file, or give another --out",
                          joined(columns_))
            : fmt::format("found {} cells, expected {}; remove the line to have it computed "
                          "again",
                          cells.size(),
                          columns_.size()));
  }
}

Cells ExperimentTable::row(const Cells& key) const {
  const auto found = rows_.find(joined(key));
  return found == rows_.end() ? Cells{} : list_[found->second];
}

void ExperimentTable::add(const Cells& row) {
  const Cells key(row.begin(), row.begin() + static_cast<std::ptrdiff_t>(key_width_));
  const auto [at, is_new] = rows_.try_emplace(joined(key), list_.size());
  if (is_new)
    list_.push_back(row);
  else
    list_[at->second] = row;
}

void ExperimentTable::save() const {
  std::string text = joined(columns_) + '\n';
  for (const Cells& row : list_) text += joined(row) + '\n';
  write_text(path_, text);
}

}  // namespace quantiplan::cli
