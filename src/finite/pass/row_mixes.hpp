// The mixtures of one time that several choices share, each computed once.
//
//     M_row(y) = sum over the row's outcomes of  p * D_{t+1}(s', y)
//
// on the least interval that holds what all its choices ask for, where that is no wider than what
// they ask for one by one: rewards may lie far apart on a fine grid. See shared_rows.hpp.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "finite/pass/dense_layer.hpp"
#include "finite/pass/pass.hpp"
#include "kernels/backup.hpp"

namespace quantiplan {

class RowMixes {
 public:
  // Finds which rows pay at a time with these spans, and lays out their arrays.
  void plan(const PassInput<double>& input,
            std::uint64_t time,
            const std::vector<Span<double>>& spans);
  // No more of them than these residuals of the next time, which hold all that will be asked for.
  void restrict(const Interval& asked);
  // The rows that pay, each with the residuals it is computed for.
  [[nodiscard]] std::vector<std::pair<std::uint32_t, Interval>> shared() const;
  [[nodiscard]] bool is_shared(const PassInput<double>& input, Choice c) const;
  [[nodiscard]] std::uint64_t bytes() const noexcept { return 8 * size_; }
  // Computes them on several threads; half-done if the limits ended it.
  void run(const PassInput<double>& input,
           const Arithmetics<double>& numbers,
           std::uint64_t time,
           const DenseLayer& later,
           const Limits& limits);

  // The mixture of a choice as a single term, for a span that begins after `from`; false if the
  // choice has none.
  [[nodiscard]] bool term_of(const PassInput<double>& input,
                             Choice c,
                             std::int64_t reward,
                             std::int64_t from,
                             MixTerm& out) const;
  [[nodiscard]] std::uint64_t multiply_adds() const noexcept { return multiply_adds_; }

  struct Row {
    Interval asked;  // in residuals of the next time
    std::uint32_t users = 0;
    double one_by_one = 0;  // the sum of what they ask for
    std::uint64_t begin = 0;
    double below = 1;
    double above = 0;
  };
  // The plan, for a backend that computes them elsewhere: by row, those of two users or more; none if
  // there is none.
  [[nodiscard]] const std::vector<Row>& rows() const noexcept { return rows_; }
  [[nodiscard]] std::uint64_t entries() const noexcept { return size_; }

 private:
  std::vector<Row> rows_;  // by row
  std::uint64_t size_ = 0;
  std::unique_ptr<double[]> values_;
  std::uint64_t capacity_ = 0;
  std::uint64_t multiply_adds_ = 0;
};

// The outcomes of a choice as terms of the kernels, for a span that begins after `from`.
void append_terms(const PassInput<double>& input,
                  const Arithmetics<double>& numbers,
                  std::uint64_t time,
                  Choice c,
                  bool rewarded,
                  std::int64_t from,
                  const DenseLayer& later,
                  std::vector<MixTerm>& out);

}  // namespace quantiplan
