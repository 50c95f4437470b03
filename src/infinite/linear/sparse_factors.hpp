// Factors L U of a sparse regular matrix A, for any number of right-hand sides; in doubles or modulo a prime.
//
//     row_i -= (a_ik / a_kk) row_k      for every row i that has column k, one pivot k after the other
//
// Pivots stand on the diagonal. Of I - P, P the moves of a policy that leaves its states almost surely, every order
// does: it stays an M-matrix, whose diagonal is positive. So the next pivot is the one with the least product of its
// row's and column's other entries, which limits what is filled in [Ma]. Modulo a prime a pivot may be 0 by chance.
// Cost: the multiply-adds of the elimination, which end where they exceed what the caller allows.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/limits.hpp"

namespace quantiplan {

// Row by row.
template <class Number>
struct SparseRows {
  std::vector<std::uint64_t> begin{0};
  std::vector<std::uint32_t> column;
  std::vector<Number> value;

  [[nodiscard]] std::size_t size() const noexcept { return begin.size() - 1; }
  void add(std::uint32_t at, Number number) {
    column.push_back(at);
    value.push_back(std::move(number));
  }
  void close_row() { begin.push_back(column.size()); }
  // The same for entries of one column that are to be one, their sum.
  void close_row_of_sums() {
    constexpr std::size_t kShort = 32;
    const std::size_t first = begin.back();
    if (column.size() - first <= kShort) {
      sum_in_place(first);
      close_row();
      return;
    }
    std::vector<std::pair<std::uint32_t, Number>> row;
    for (std::size_t k = begin.back(); k < column.size(); ++k)
      row.emplace_back(column[k], std::move(value[k]));
    column.resize(begin.back());
    value.resize(begin.back());
    std::ranges::stable_sort(row, {}, [](const auto& entry) { return entry.first; });
    for (auto& [at, number] : row) {
      if (column.size() > begin.back() && column.back() == at)
        value.back() += number;
      else
        add(at, std::move(number));
    }
    close_row();
  }

 private:
  // Each entry in turn to its place among those before it.
  void sum_in_place(std::size_t first) {
    std::size_t end = first;
    for (std::size_t k = first; k < column.size(); ++k) {
      const std::uint32_t own = column[k];
      Number number = std::move(value[k]);
      std::size_t at = end;
      while (at > first && column[at - 1] >= own) --at;
      if (at < end && column[at] == own) {
        value[at] += number;
        continue;
      }
      for (std::size_t i = end; i > at; --i) {
        column[i] = column[i - 1];
        value[i] = std::move(value[i - 1]);
      }
      column[at] = own;
      value[at] = std::move(number);
      ++end;
    }
    column.resize(end);
    value.resize(end);
  }
};

// Doubles as a field, as sparse_factors sees one.
struct DoubleField {
  using Number = double;
  [[nodiscard]] double inverse(double a) const { return 1 / a; }
  [[nodiscard]] double product(double a, double b) const { return a * b; }
  // a - b c
  [[nodiscard]] double less(double a, double b, double c) const { return a - b * c; }
  [[nodiscard]] static bool is_pivot(double a) { return a > 0; }
};

// Pivots by their degree; from some size on only by its magnitude. Whose degree has changed stands there twice.
class PivotQueue {
 public:
  static constexpr std::uint64_t kDone = ~std::uint64_t{0};

  void push(std::uint64_t degree, std::uint32_t pivot) {
    const std::size_t at = bucket(degree);
    least_ = std::min(least_, at);
    buckets_[at].push_back(pivot);
  }
  // One of the least degree; there must be one.
  template <class DegreeOf>
  std::uint32_t take(const DegreeOf& degree_of) {
    for (;; ++least_) {
      auto& open = buckets_[least_];
      while (!open.empty()) {
        const std::uint32_t pivot = open.back();
        open.pop_back();
        const std::uint64_t degree = degree_of(pivot);
        if (degree != kDone && bucket(degree) == least_) return pivot;
      }
    }
  }

 private:
  static constexpr std::size_t kExact = 128;
  static std::size_t bucket(std::uint64_t degree) {
    if (degree < kExact) return degree;
    // Four for each power of 2.
    const auto power = static_cast<unsigned>(std::bit_width(degree));
    return kExact + 4 * power + static_cast<std::size_t>((degree >> (power - 3)) & 3U);
  }

  std::array<std::vector<std::uint32_t>, kExact + 4 * 65> buckets_;
  std::size_t least_ = 0;
};

template <class Field>
class SparseFactors {
 public:
  using Number = typename Field::Number;

  SparseFactors() = default;
  explicit SparseFactors(Field field) : field_(std::move(field)) {}

  [[nodiscard]] bool empty() const noexcept { return pivots_.empty(); }
  [[nodiscard]] std::uint64_t entries() const noexcept { return lower_.size() + upper_.size(); }
  static constexpr std::uint64_t kBytesPerEntry = 2 * (sizeof(Number) + 8);

  // False, and empty, where a pivot is none, or it takes more than `most_work` multiply-adds, or more memory than
  // there is, or the limits ended it.
  bool factor(const SparseRows<Number>& matrix, std::uint64_t most_work, const Limits& limits) {
    forget();
    Elimination work(matrix, field_);  // at most one entry of a row in each column
    std::uint64_t next_look = 0;
    for (std::size_t left = matrix.size(); left > 0; --left) {
      if (!work.eliminate(work.next_pivot(), *this) || work.done > most_work) return forget();
      if (work.done < next_look) continue;
      next_look = work.done + kWorkPerLook;
      if (limits.ended() || !limits.would_fit((entries() + work.open_entries) * kBytesPerEntry))
        return forget();
    }
    return true;
  }

  // x of A x = b, in place of b.
  void solve(std::vector<Number>& b) const {
    for (const Pivot& p : pivots_) {
      const Number known = b[p.at];
      if (known == Number{}) continue;
      for (std::uint64_t i = p.lower; i < p.lower_end; ++i)
        b[lower_[i].at] = field_.less(b[lower_[i].at], lower_[i].number, known);
    }
    for (std::size_t k = pivots_.size(); k-- > 0;) {
      const Pivot& p = pivots_[k];
      Number sum = b[p.at];
      for (std::uint64_t i = p.upper; i < p.upper_end; ++i)
        sum = field_.less(sum, upper_[i].number, b[upper_[i].at]);
      b[p.at] = field_.product(sum, p.inverse);
    }
  }

 private:
  static constexpr std::uint64_t kWorkPerLook = 1 << 20;

  struct Entry {
    std::uint32_t at;
    Number number;
  };
  struct Pivot {
    std::uint32_t at;
    Number inverse;
    std::uint64_t lower, lower_end;  // of L: which rows, and by which factor
    std::uint64_t upper, upper_end;  // of U: which columns, without the diagonal
  };

  // What is left of the matrix.
  struct Elimination {
    const Field& field;
    std::vector<std::vector<Entry>> rows;
    std::vector<std::vector<std::uint32_t>> in_column;  // rows, also those that are done
    std::vector<std::uint32_t> open_in_column;
    std::vector<bool> is_done;
    std::vector<std::uint32_t> position;  // of a column in the row at hand, plus 1
    PivotQueue order;
    std::uint64_t done = 0;  // multiply-adds
    std::uint64_t open_entries = 0;

    Elimination(const SparseRows<Number>& matrix, const Field& own)
        : field(own),
          rows(matrix.size()),
          in_column(matrix.size()),
          open_in_column(matrix.size(), 0),
          is_done(matrix.size(), false),
          position(matrix.size(), 0) {
      for (const std::uint32_t j : matrix.column) ++open_in_column[j];
      for (std::uint32_t j = 0; j < rows.size(); ++j) in_column[j].reserve(open_in_column[j]);
      for (std::uint32_t i = 0; i < rows.size(); ++i) {
        rows[i].reserve(matrix.begin[i + 1] - matrix.begin[i]);
        for (std::uint64_t k = matrix.begin[i]; k < matrix.begin[i + 1]; ++k) {
          rows[i].push_back({matrix.column[k], matrix.value[k]});
          in_column[matrix.column[k]].push_back(i);
        }
      }
      for (std::uint32_t i = 0; i < rows.size(); ++i) order.push(degree(i), i);
      open_entries = matrix.column.size();
    }

    [[nodiscard]] std::uint64_t degree(std::uint32_t i) const {
      return std::uint64_t{open_in_column[i]} * rows[i].size();
    }
    std::uint32_t next_pivot() {
      return order.take(
          [&](std::uint32_t i) { return is_done[i] ? PivotQueue::kDone : degree(i); });
    }

    bool eliminate(std::uint32_t pivot, SparseFactors& out) {
      Number diagonal{};
      Pivot p{pivot, {}, out.lower_.size(), 0, out.upper_.size(), 0};
      for (const Entry& e : rows[pivot]) {
        --open_in_column[e.at];
        if (e.at == pivot)
          diagonal = e.number;
        else
          out.upper_.push_back(e);
      }
      p.upper_end = out.upper_.size();
      if (!Field::is_pivot(diagonal)) return false;
      is_done[pivot] = true;
      p.inverse = field.inverse(diagonal);
      for (const std::uint32_t i : in_column[pivot]) {
        if (!is_done[i]) subtract(i, p, out);
      }
      p.lower_end = out.lower_.size();
      open_entries -= rows[pivot].size();
      for (std::uint64_t k = p.upper; k < p.upper_end; ++k)
        order.push(degree(out.upper_[k].at), out.upper_[k].at);
      for (std::uint64_t k = p.lower; k < p.lower_end; ++k)
        order.push(degree(out.lower_[k].at), out.lower_[k].at);
      std::vector<Entry>().swap(rows[pivot]);
      std::vector<std::uint32_t>().swap(in_column[pivot]);
      out.pivots_.push_back(p);
      return true;
    }

    void subtract(std::uint32_t i, const Pivot& p, SparseFactors& out) {
      std::vector<Entry>& row = rows[i];
      const std::size_t before = row.size();
      for (std::uint32_t k = 0; k < row.size(); ++k) position[row[k].at] = k + 1;
      const std::uint32_t at = position[p.at] - 1;
      const Number factor = field.product(row[at].number, p.inverse);
      for (std::uint64_t k = p.upper; k < p.upper_end; ++k) {
        const Entry& e = out.upper_[k];
        if (position[e.at] != 0) {
          Number& number = row[position[e.at] - 1].number;
          number = field.less(number, factor, e.number);
          continue;
        }
        row.push_back({e.at, field.less(Number{}, factor, e.number)});
        position[e.at] = static_cast<std::uint32_t>(row.size());
        in_column[e.at].push_back(i);
        ++open_in_column[e.at];
      }
      for (const Entry& e : row) position[e.at] = 0;
      row[at] = row.back();
      row.pop_back();
      out.lower_.push_back({i, factor});
      done += row.size() + (p.upper_end - p.upper);
      open_entries += row.size() - before;
    }
  };

  bool forget() {
    pivots_.clear();
    lower_.clear();
    upper_.clear();
    return false;
  }

  Field field_;
  std::vector<Pivot> pivots_;
  std::vector<Entry> lower_;
  std::vector<Entry> upper_;
};

}  // namespace quantiplan
