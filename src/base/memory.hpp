// How much memory there is, and how amounts of it are written.
#pragma once

#include <cstdint>
#include <string>

namespace quantiplan {

// Memory the system could still give: MemAvailable, or the control group's room if that is less.
std::uint64_t free_memory_bytes();
// Memory of its own that the process holds now, its program's files not counted; 0 where nobody
// says.
std::uint64_t resident_bytes();
// "3.2 GiB".
std::string bytes_text(std::uint64_t bytes);

}  // namespace quantiplan
