// The model formats, each a reader and a writer; PRISM's explicit files are in tra_files.hpp. A
// text has passed check_text.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/work_watch.hpp"
#include "io/text/checked_text.hpp"
#include "quantiplan/formats.hpp"
#include "quantiplan/model.hpp"

namespace quantiplan {

// Feed `builder`, problems included; the caller builds. A JSON text that breaks off within its list
// of states gives the one problem that is to be shown: any other would follow from it.
std::optional<TextFault> read_json_model(std::string_view text, ModelBuilder& builder);
void read_csv_model(std::string_view text, ModelBuilder& builder);
// Returns notices; throws Error(bad_model), and Error(bad_request) for an unknown reward model.
std::vector<std::string> read_drn_model(std::string_view text,
                                        const std::string& source,
                                        const ReadOptions& options,
                                        ModelBuilder& builder);

// Throw Error(refused) at a limit of `watch`, if there is one.
std::string format_json_model(const Model& model, WorkWatch* watch);
std::string format_csv_model(const Model& model, std::vector<std::string>& lost, WorkWatch* watch);
std::string format_prism_model(const Model& model,
                               std::vector<std::string>& lost,
                               WorkWatch* watch);
std::string format_drn_model(const Model& model, std::vector<std::string>& lost, WorkWatch* watch);

}  // namespace quantiplan
