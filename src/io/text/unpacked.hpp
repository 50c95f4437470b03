// Texts that were packed by gzip, xz or zstd, unpacked under limits.
//
// What comes out of a few bytes may never end, as what comes out of a pipe: it is held to the
// same bound (most_of_a_stream), to 400 times those bytes (or 64 MiB, where that is more) and to the
// memory of the watch, block by block.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/work_watch.hpp"

namespace quantiplan {

enum class Packing { gzip, xz, zstd };

// By the first bytes.
std::optional<Packing> packing_of(std::string_view beginning);
// "model.json" of "model.json.gz", .xz and .zst; other paths as they are.
std::string without_packing(const std::string& path);
// The path, or where there is no such file the first of path.gz, path.xz and path.zst that is there.
std::string plain_or_packed(const std::string& path);

// Several streams in a row are one text, as their tools have it. Throws Error(io) for what is
// damaged, cut short, or longer than the bound, Error(refused) at a limit.
std::string unpacked(std::string_view packed,
                     Packing packing,
                     const std::string& path,
                     WorkWatch& watch);

}  // namespace quantiplan
