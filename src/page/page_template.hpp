// The page without its data, as node made it of web/ (scripts/web.sh); nothing where there was none.
#pragma once

#include <span>
#include <string_view>

namespace quantiplan {

// One after the other. The data go where kPageDataMark stands.
std::span<const std::string_view> page_template() noexcept;
constexpr std::string_view kPageDataMark = "@QUANTIPLAN_DATA@";

}  // namespace quantiplan
