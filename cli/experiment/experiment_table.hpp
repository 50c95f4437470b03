// A table of measurements on disk: rows by key, kept as soon as they are known.
//
// A run that is interrupted and begun again finds its finished rows and computes the others. After
// each row the whole file is written under a temporary name and renamed, so that it is never half.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace quantiplan::cli {

using Cells = std::vector<std::string>;

class ExperimentTable {
 public:
  // The first `key_width` columns tell rows apart. Reads the file if there is one; throws
  // Error(io) where it is no table of these columns.
  ExperimentTable(std::string path, Cells columns, std::size_t key_width);

  [[nodiscard]] bool has(const Cells& key) const { return rows_.contains(joined(key)); }
  // The row of a key, all columns; empty if there is none.
  [[nodiscard]] Cells row(const Cells& key) const;
  // Rows that have the key already are replaced; in the order they were first added.
  void add(const Cells& row);
  void save() const;

 private:
  static std::string joined(const Cells& cells);
  void read(const std::string& text);

  std::string path_;
  Cells columns_;
  std::size_t key_width_;
  std::map<std::string, std::size_t> rows_;  // by key: position in list_
  std::vector<Cells> list_;
};

}  // namespace quantiplan::cli
