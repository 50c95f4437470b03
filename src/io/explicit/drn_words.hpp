// Words of Storm's explicit format that reader and writer share.
#pragma once

#include <string_view>

namespace quantiplan {

constexpr std::string_view kNoLabel = "__NOLABEL__";    // the action of a choice without a label
constexpr std::string_view kNameComment = "// name: ";  // ours: the name of the state above

}  // namespace quantiplan
