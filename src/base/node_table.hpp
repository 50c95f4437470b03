// The distinct (slot, level) pairs met at one time, numbered in the order they were met.
//
// An open-addressing hash table over flat arrays: a million nodes cost about 24 MB. The numbering
// depends only on the order of insertion, so whatever is summed by node is summed in the same order
// on every run.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

namespace quantiplan {

struct Node {
  std::uint32_t slot = 0;
  std::int64_t level = 0;  // a residual target, or the wealth so far
  friend bool operator==(const Node&, const Node&) = default;
};

class NodeTable {
 public:
  static constexpr std::uint32_t kAbsent = std::numeric_limits<std::uint32_t>::max();
  // Bytes a node costs here, its share of the hash table included.
  static constexpr std::uint64_t kBytesPerNode = sizeof(Node) + 4 * sizeof(std::uint32_t);

  // Number of the node, new or old.
  std::uint32_t insert(Node node) {
    if (2 * (nodes_.size() + 1) > buckets_.size()) grow();
    std::uint32_t& bucket = buckets_[bucket_of(node)];
    if (bucket == kAbsent) {
      bucket = static_cast<std::uint32_t>(nodes_.size());
      nodes_.push_back(node);
    }
    return bucket;
  }
  // Number of the node, or kAbsent.
  [[nodiscard]] std::uint32_t find(Node node) const {
    return buckets_.empty() ? kAbsent : buckets_[bucket_of(node)];
  }
  [[nodiscard]] const std::vector<Node>& nodes() const noexcept { return nodes_; }
  [[nodiscard]] std::size_t size() const noexcept { return nodes_.size(); }

 private:
  [[nodiscard]] std::size_t bucket_of(Node node) const noexcept {
    // The finaliser of SplitMix64 [SLF]: every bit of the level reaches every bit of the bucket,
    // also where levels are multiples of a high power of two, as under a discount of 1/2.
    std::uint64_t hash = static_cast<std::uint64_t>(node.level) +
                         (static_cast<std::uint64_t>(node.slot) + 1) * 0x9E3779B97F4A7C15U;
    hash = (hash ^ (hash >> 30U)) * 0xBF58476D1CE4E5B9U;
    hash = (hash ^ (hash >> 27U)) * 0x94D049BB133111EBU;
    hash ^= hash >> 31U;
    std::size_t at = static_cast<std::size_t>(hash) & (buckets_.size() - 1);
    while (buckets_[at] != kAbsent && nodes_[buckets_[at]] != node) {
      at = (at + 1) & (buckets_.size() - 1);
    }
    return at;
  }
  void grow() {
    buckets_.assign(buckets_.empty() ? 16 : 2 * buckets_.size(), kAbsent);
    for (std::uint32_t i = 0; i < nodes_.size(); ++i) buckets_[bucket_of(nodes_[i])] = i;
  }

  std::vector<Node> nodes_;
  std::vector<std::uint32_t> buckets_;
};

}  // namespace quantiplan
