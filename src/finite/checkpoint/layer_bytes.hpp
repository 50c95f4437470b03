// Layers and decisions as bytes, and back.
#pragma once

#include <cstddef>
#include <vector>

#include "finite/cluster/byte_strings.hpp"
#include "finite/decisions.hpp"
#include "finite/pass/layer_record.hpp"
#include "finite/pass/step_layer.hpp"

namespace quantiplan {

void put_spans(const std::vector<Span<double>>& spans, std::vector<std::byte>& out);
std::vector<Span<double>> get_spans(ByteReader& reader);

void put_steps(const SpannedSteps<double>& layer, std::vector<std::byte>& out);
SpannedSteps<double> get_steps(ByteReader& reader);

void put_rules(const Decisions::LayerRules& rules, std::vector<std::byte>& out);
Decisions::LayerRules get_rules(ByteReader& reader);

// The layer that a record keeps of a time.
void put_kept(const LayerRecord& record, std::uint64_t time, std::vector<std::byte>& out);
// Returns the bytes that it holds from then on.
std::uint64_t get_kept(ByteReader& reader, std::uint64_t time, LayerRecord& record);

}  // namespace quantiplan
