#include "finite/checkpoint/layer_bytes.hpp"

namespace quantiplan {
namespace {

template <class T>
void put_list(const std::vector<T>& list, std::vector<std::byte>& out) {
  put<std::uint64_t>(out, list.size());
  put_all<T>(out, list);
}

template <class T>
std::vector<T> get_list(ByteReader& reader) {
  const auto size = reader.get<std::uint64_t>();
  if (size > reader.left() / sizeof(T))
    throw Error(ErrorCode::refused, "checkpoint", "a list ends early, expected it as written");
  std::vector<T> list(size);
  reader.get_all<T>(list);
  return list;
}

}  // namespace

void put_spans(const std::vector<Span<double>>& spans, std::vector<std::byte>& out) {
  put_list(spans, out);
}

std::vector<Span<double>> get_spans(ByteReader& reader) { return get_list<Span<double>>(reader); }

void put_steps(const SpannedSteps<double>& layer, std::vector<std::byte>& out) {
  put_list(layer.spans, out);
  put_list(layer.steps.begin, out);
  put_list(layer.steps.upto, out);
  put_list(layer.steps.value, out);
}

SpannedSteps<double> get_steps(ByteReader& reader) {
  SpannedSteps<double> layer;
  layer.spans = get_list<Span<double>>(reader);
  layer.steps.begin = get_list<std::uint64_t>(reader);
  layer.steps.upto = get_list<std::int64_t>(reader);
  layer.steps.value = get_list<double>(reader);
  return layer;
}

void put_rules(const Decisions::LayerRules& rules, std::vector<std::byte>& out) {
  put_list(rules.begin, out);
  put_list(rules.upto, out);
  put_list(rules.what, out);
}

Decisions::LayerRules get_rules(ByteReader& reader) {
  Decisions::LayerRules rules;
  rules.begin = get_list<std::uint64_t>(reader);
  rules.upto = get_list<std::int64_t>(reader);
  rules.what = get_list<std::uint32_t>(reader);
  return rules;
}

void put_kept(const LayerRecord& record, std::uint64_t time, std::vector<std::byte>& out) {
  put<std::uint8_t>(out, record.is_dense(time) ? 1 : 0);
  if (!record.is_dense(time)) return put_steps(record.sparse(time), out);
  const DenseLayer& layer = record.dense(time);
  put_list(layer.spans(), out);
  for (std::size_t slot = 0; slot < layer.spans().size(); ++slot)
    put_all<double>(out, {layer.row(slot), layer.span(slot).width()});
}

std::uint64_t get_kept(ByteReader& reader, std::uint64_t time, LayerRecord& record) {
  if (reader.get<std::uint8_t>() == 0) {
    record.keep(time, get_steps(reader));
    return record.sparse(time).bytes();
  }
  DenseLayer layer;
  std::vector<Span<double>> spans = get_list<Span<double>>(reader);
  if (dense_entries(spans) > reader.left() / sizeof(double))
    throw Error(ErrorCode::refused, "checkpoint", "a layer ends early, expected it as written");
  layer.reset(std::move(spans), 0);
  for (std::size_t slot = 0; slot < layer.spans().size(); ++slot)
    reader.get_all<double>({layer.row(slot), layer.span(slot).width()});
  record.keep(time, layer);
  return layer.bytes();
}

}  // namespace quantiplan
