// Questions in the language of the model checkers, read and sorted; what is not ours is refused by name.
//
//     Pmax=? [ F{"time"}<=100 "done" ]      P>0.5 [ F<=10 x=3 ]      R{"time"}min=? [ F "done" ]
//     quantile(min B, Pmax>0.95 [ F{"time"}<=B "done" ])
//
// A text of several has each behind a name in quotation marks and a colon, or without, and constants;
// semicolons stand between them, and comments begin with //.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "quantiplan/model_checkers.hpp"

namespace quantiplan::prism {

// `source` is a file, or an option such as "--prop". Throws Error(bad_request).
PropertyList parse_property_list(std::string_view text, const std::string& source);

}  // namespace quantiplan::prism
