// The order a CSV gives its states: by number if every id is one, else as they appear.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace quantiplan {

// Positions in `names`, in the order of the states. Equal numbers ("1", "01") stay as they appear.
std::vector<std::uint32_t> order_of_ids(const std::vector<std::string_view>& names);

}  // namespace quantiplan
