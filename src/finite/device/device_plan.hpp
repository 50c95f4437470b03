// How the functions of a layer lie in the memory of a device, and which warp does what with them.
//
//     entries   function after function, begin[s] = sum of the widths before s
//     pieces    kPiece entries of one function; warp = piece
//     tiles     kTile entries of one function; tile after tile, or function after function (backup_kernel.hpp)
//
// Index arithmetic only: no device is needed to test it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "device/backup_kernel.hpp"
#include "device/layer_kernels.hpp"
#include "finite/pass/span.hpp"

namespace quantiplan {

// The functions of spans, packed; and their entries together.
struct DeviceLayout {
  std::vector<device::Function> functions;
  std::uint64_t entries = 0;
};
DeviceLayout device_layout(std::span<const Span<double>> spans);

// By function: the stretches of `size` entries, a power of two, before it; one more than functions.
std::vector<std::uint64_t> stretches_before(std::span<const device::Function> functions,
                                            std::uint32_t size);

// The order in which the tiles of a layer are backed up.
struct TilePlan {
  bool by_function = true;  // else the first tiles of all functions, the second, ..
  std::uint64_t warps = 0;
  std::vector<std::uint64_t> tile_begin;  // by function, where it is by function
};

// `later_functions`: how many are read; `reach`: how far the residuals that a tile reads may lie apart besides its own.
TilePlan tile_plan(std::span<const device::Function> functions,
                   std::uint64_t later_functions,
                   std::uint64_t reach,
                   std::uint64_t cache_bytes);

// What the arrays of a pass take on a device, the model included.
struct DeviceNeed {
  std::uint64_t states = 0;
  std::uint64_t choices = 0;
  std::uint64_t outcomes = 0;
  std::uint64_t most_entries = 0;
  bool decisions = false;
  [[nodiscard]] std::uint64_t bytes() const noexcept;
};

}  // namespace quantiplan
