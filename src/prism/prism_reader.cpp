#include "prism_reader.hpp"

#include "compile.hpp"
#include "explore.hpp"
#include "prism_parser.hpp"

namespace quantiplan {

PrismFacts read_prism_model(std::string_view text,
                            const std::string& source,
                            const ReadOptions& options,
                            ModelBuilder& builder) {
  const prism::Program program = prism::parse(text, source);
  prism::CompiledProgram compiled = prism::compile(program, source, options);
  const prism::Complaints complaints(source, prism::Complaints::Of::program);
  builder.horizon(kInfiniteHorizon);
  PrismFacts facts{std::move(compiled.notices), std::move(compiled.definitions)};
  for (std::string& notice : prism::explore(compiled.machine, complaints, options, builder))
    facts.notices.push_back(std::move(notice));
  return facts;
}

}  // namespace quantiplan
