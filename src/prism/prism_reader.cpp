#include "prism_reader.hpp"

#include "compile.hpp"
#include "explore.hpp"
#include "memory.hpp"
#include "prism_parser.hpp"
#include "quantiplan/error.hpp"

namespace quantiplan {

PrismFacts read_prism_model(std::string_view text,
                            const std::string& source,
                            const ReadOptions& options,
                            ModelBuilder& builder) {
  // A syntax tree takes about 70 bytes a character.
  constexpr std::uint64_t kBytesPerCharacter = 80;
  const std::uint64_t limit =
      options.memory_limit_bytes > 0 ? options.memory_limit_bytes : free_memory_bytes() / 10 * 8;
  if (const std::uint64_t needed = kBytesPerCharacter * text.size(); needed > limit) {
    throw Error(ErrorCode::refused,
                "memory",
                "reading " + source + " needs about " + bytes_text(needed) + ", the limit is " +
                    bytes_text(limit) + "; expected a shorter program, or more memory");
  }
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
