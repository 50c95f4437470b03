#include "io/prism/prism_reader.hpp"

#include "io/prism/compile.hpp"
#include "io/prism/explore.hpp"
#include "io/prism/language/prism_parser.hpp"

namespace quantiplan {

PrismFacts read_prism_model(std::string_view text,
                            const std::string& source,
                            const ReadOptions& options,
                            WorkWatch& watch,
                            ModelBuilder& builder) {
  // A syntax tree takes about 70 bytes a character.
  constexpr std::uint64_t kBytesPerCharacter = 80;
  watch.ask(kBytesPerCharacter * text.size());
  return explore_program(prism::parse(text, source, &watch), source, options, watch, builder);
}

PrismFacts explore_program(const prism::Program& program,
                           const std::string& source,
                           const ReadOptions& options,
                           WorkWatch& watch,
                           ModelBuilder& builder) {
  prism::CompiledProgram compiled = prism::compile(program, source, options, watch);
  watch.look();
  const prism::Complaints complaints(source, prism::Complaints::Of::program);
  builder.horizon(kInfiniteHorizon);
  PrismFacts facts{std::move(compiled.notices), std::move(compiled.definitions)};
  for (std::string& notice : prism::explore(compiled.machine, complaints, options, watch, builder))
    facts.notices.push_back(std::move(notice));
  return facts;
}

}  // namespace quantiplan
