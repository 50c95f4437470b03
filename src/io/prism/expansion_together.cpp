#include "io/prism/expansion_together.hpp"

namespace quantiplan::prism {
namespace {

// More than a piece should hold.
struct TooMuch {};

class PlainOnly final : public ExpansionNotes {
 public:
  explicit PlainOnly(std::uint64_t most_work) : most_work_(most_work) {}

  void start() {
    is_plain_ = true;
    work_before_ = work_;
  }
  [[nodiscard]] bool is_plain() const noexcept { return is_plain_; }
  [[nodiscard]] std::uint64_t work() const noexcept { return work_ - work_before_; }

  void worked(std::uint64_t parts) override {
    work_ += parts;
    if (work_ > most_work_) throw TooMuch();
  }
  void full() override { throw TooMuch(); }
  void deadlock() override { is_plain_ = false; }
  void chain_with_several() override { is_plain_ = false; }
  void normalised(std::uint32_t /*command*/, const std::string& /*found*/) override {
    is_plain_ = false;
  }

 private:
  std::uint64_t most_work_;
  std::uint64_t work_ = 0;
  std::uint64_t work_before_ = 0;
  bool is_plain_ = true;
};

}  // namespace

void ExpansionTogether::expand(std::uint32_t first, std::uint32_t count) {
  if (!team_) {
    team_.emplace(threads_);
    for (unsigned worker = 0; worker < threads_; ++worker) expanders_.push_back(first_expander_);
    for (unsigned piece = 0; piece < threads_ * kPiecesPerThread; ++piece)
      pieces_.emplace_back(states_, kMostOutcomes);
  }
  first_ = first;
  piece_size_ = static_cast<std::uint32_t>((count + pieces_.size() - 1) / pieces_.size());
  entries_.assign(count, {});
  team_->run((count + piece_size_ - 1) / piece_size_,
             1,
             [this](unsigned worker, std::size_t begin, std::size_t end) {
               for (std::size_t piece = begin; piece < end; ++piece)
                 expand_piece(expanders_[worker], piece);
             });
}

void ExpansionTogether::expand_piece(Expander& expander, std::size_t piece) {
  OutcomeBatch& batch = pieces_[piece];
  batch.clear();
  PlainOnly notes(kMostWork);
  const std::size_t end = std::min(entries_.size(), (piece + 1) * piece_size_);
  for (std::size_t i = piece * piece_size_; i < end; ++i) {
    Entry& own = entries_[i];
    own.begin = batch.mark();
    notes.start();
    try {
      expander.expand(first_ + static_cast<std::uint32_t>(i), batch, notes);
    } catch (const Fault&) {
      return;  // what follows is not asked for
    } catch (const TooMuch&) {
      return;
    }
    own.is_plain = notes.is_plain();
    own.work = notes.work();
    own.end = batch.mark();
  }
}

}  // namespace quantiplan::prism
