// Sections as Markdown, put into a page between markers of their own.
//
//     <!-- bench: growth -->        everything between the two is replaced,
//     <!-- end of bench -->         the rest of the page is left as it is
#pragma once

#include <string>

#include "table.hpp"

namespace quantiplan::bench {

// The table and the ratios, without the title.
std::string section_markdown(const Section& section);

// Throws std::runtime_error if the page has no such markers.
std::string with_block(const std::string& page, const std::string& name, const std::string& block);

}  // namespace quantiplan::bench
