#include "harness/configurations.hpp"

#include <map>

#include "harness/random_model.hpp"
#include "kernels/backup.hpp"

namespace quantiplan::testing {
namespace {

std::string family(const Options& o) {
  std::string name = o.engine == Engine::steps   ? "steps"
                     : o.engine == Engine::paper ? "paper"
                                                 : "automatic";
  name += o.arithmetic == Arithmetic::exact      ? " exact"
          : o.arithmetic == Arithmetic::floating ? " floating"
                                                 : " automatic";
  name += o.representation == Representation::sparse  ? " sparse"
          : o.representation == Representation::dense ? " dense"
                                                      : " automatic";
  return name;
}

std::vector<std::string> kernel_names() {
  std::vector<std::string> names{"auto"};
  for (const Kernel& kernel : kernels())
    if (kernel.supported()) names.emplace_back(kernel.name);
  return names;
}

}  // namespace

std::vector<Configuration> all_configurations() {
  std::vector<Configuration> all;
  const auto add = [&](Engine engine,
                       Arithmetic arithmetic,
                       Representation representation,
                       const std::string& kernel) {
    for (std::uint32_t threads = 1; threads <= 3; ++threads) {
      Options options;
      options.engine = engine;
      options.arithmetic = arithmetic;
      options.representation = representation;
      options.kernel = kernel;
      options.threads = threads;
      // What is refused must not depend on the machine: some cases fill any memory densely.
      options.memory_limit_bytes = std::uint64_t{1} << 30U;
      all.push_back(
          {family(options) + " " + kernel + " " + std::to_string(threads) + " threads", options});
    }
  };
  for (const Engine engine : {Engine::steps, Engine::paper}) {
    add(engine, Arithmetic::exact, Representation::sparse, "auto");
    add(engine, Arithmetic::floating, Representation::sparse, "auto");
    for (const std::string& kernel : kernel_names())
      add(engine, Arithmetic::floating, Representation::dense, kernel);
  }
  add(Engine::automatic, Arithmetic::automatic, Representation::automatic, "auto");
  add(Engine::steps, Arithmetic::automatic, Representation::automatic, "auto");
  return all;
}

std::vector<Configuration> some_configurations(std::uint64_t seed) {
  static const std::vector<Configuration> all = all_configurations();
  std::map<std::string, std::vector<Configuration>> families;
  for (const Configuration& c : all) families[family(c.options)].push_back(c);
  Dice dice(seed ^ 0x636F6E666967U);
  std::vector<Configuration> some;
  some.reserve(families.size());
  for (const auto& [name, members] : families) some.push_back(dice.pick(members));
  return some;
}

Options exact_options() {
  Options options;
  options.arithmetic = Arithmetic::exact;
  return options;
}

}  // namespace quantiplan::testing
