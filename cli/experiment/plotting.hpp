// Figures from the tables of an experiment, drawn by matplotlib.
//
// The script (experiment_plots.py) is part of the program and goes to `python3 -` on its standard
// input, so that it is found wherever the program is.
#pragma once

#include <string>

namespace quantiplan::cli {

// Empty if it went well; else what to do, in one line.
std::string draw_figure(const std::string& figure, const std::string& folder);

}  // namespace quantiplan::cli
