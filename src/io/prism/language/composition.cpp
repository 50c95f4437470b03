#include "io/prism/language/composition.hpp"

#include <algorithm>
#include <iterator>
#include <map>

#include "base/quoted.hpp"

namespace quantiplan::prism {
namespace {

constexpr std::size_t kMostBehaviours = 100000;
constexpr std::size_t kMostParticipants = 10'000'000;  // of all of them

// A part of the system: what it can do, and the actions it knows (which it may block).
struct Process {
  std::vector<Behaviour> behaviours;
  std::set<std::string> alphabet;
};

class Composer {
 public:
  Composer(const std::vector<ModuleActions>& modules, Complaints& complaints)
      : modules_(modules), complaints_(complaints), is_used_(modules.size(), false) {
    for (const ModuleActions& module : modules)
      known_.insert(module.actions.begin(), module.actions.end());
  }

  // Renamings make actions, too, wherever they stand.
  void learn_actions(const Composition& term) {
    for (const Renaming& renaming : term.renamings) known_.insert(renaming.to);
    for (const Composition& operand : term.operands) learn_actions(operand);
  }

  Process of_module(std::size_t m) {
    Process out;
    for (const std::string& action : modules_[m].actions) {
      out.behaviours.push_back({action, {{m, action}}});
      if (!action.empty()) out.alphabet.insert(action);
    }
    return out;
  }

  Process of(const Composition& term) {
    using Kind = Composition::Kind;
    if (term.kind == Kind::module) return of_name(term);
    Process out = of(term.operands[0]);
    if (term.kind == Kind::hiding) return hidden(std::move(out), term);
    if (term.kind == Kind::renaming) return renamed(out, term);
    for (std::size_t i = 1; i < term.operands.size(); ++i) {
      const Process next = of(term.operands[i]);
      if (term.kind == Kind::full) {
        const std::set<std::string> both = shared(out, next);
        out = beside(std::move(out), next, both);
      } else if (term.kind == Kind::interleaved) {
        out = beside(std::move(out), next, {});
      } else {
        out = beside(std::move(out), next, {term.actions.begin(), term.actions.end()});
        for (const std::string& action : term.actions) require_known(action, term.place);
      }
    }
    return out;
  }

  Process of_all() {
    Process out = of_module(0);
    for (std::size_t m = 1; m < modules_.size(); ++m) {
      const Process next = of_module(m);
      const std::set<std::string> both = shared(out, next);
      out = beside(std::move(out), next, both);
    }
    return out;
  }

  void require_all_modules(Place place) {
    for (std::size_t m = 0; m < modules_.size(); ++m) {
      if (!is_used_[m])
        complaints_.add(place,
                        "the system leaves out module " + in_quotes(modules_[m].name) +
                            ", expected each module once");
    }
  }

 private:
  Process of_name(const Composition& term) {
    for (std::size_t m = 0; m < modules_.size(); ++m) {
      if (modules_[m].name != term.module) continue;
      if (is_used_[m])
        complaints_.add(
            term.place,
            "module " + in_quotes(term.module) + " is in the system twice, expected once");
      is_used_[m] = true;
      return of_module(m);
    }
    complaints_.add(term.place,
                    "unknown module " + in_quotes(term.module) + ", expected one of the program's");
    return {};
  }

  // One that this part lacks may be named all the same: A |[a]| B blocks an action of A alone.
  void require_known(const std::string& action, Place place) {
    if (!known_.contains(action))
      complaints_.add(place,
                      "unknown action " + in_quotes(action) + ", expected one that a module has");
  }

  static std::set<std::string> shared(const Process& a, const Process& b) {
    std::set<std::string> both;
    for (const std::string& action : b.alphabet)
      if (a.alphabet.contains(action)) both.insert(action);
    return both;
  }

  // What is done alone stays where it is: there may be thousands of modules.
  Process beside(Process a, const Process& b, const std::set<std::string>& together) {
    a.alphabet.insert(b.alphabet.begin(), b.alphabet.end());
    const auto is_alone = [&](const Behaviour& x) { return !together.contains(x.action); };
    std::vector<Behaviour> waiting;
    if (!together.empty()) {
      const auto first = std::stable_partition(a.behaviours.begin(), a.behaviours.end(), is_alone);
      waiting.assign(std::move_iterator(first), std::move_iterator(a.behaviours.end()));
      a.behaviours.erase(first, a.behaviours.end());
    }
    std::ranges::copy_if(b.behaviours, std::back_inserter(a.behaviours), is_alone);
    std::size_t participants = 0;
    for (const Behaviour& x : waiting) {
      for (const Behaviour& y : b.behaviours) {
        if (y.action != x.action) continue;
        Behaviour& joint = a.behaviours.emplace_back(x);
        joint.participants.insert(
            joint.participants.end(), y.participants.begin(), y.participants.end());
        participants += joint.participants.size();
        if (a.behaviours.size() > kMostBehaviours || participants > kMostParticipants)
          complaints_.fail({}, "the system has more than 100000 ways to act together");
      }
    }
    return a;
  }

  Process hidden(Process process, const Composition& term) {
    for (const std::string& action : term.actions) {
      require_known(action, term.place);
      process.alphabet.erase(action);
      for (Behaviour& x : process.behaviours)
        if (x.action == action) x.action.clear();
    }
    return process;
  }

  Process renamed(const Process& process, const Composition& term) {
    std::map<std::string, std::string> to;
    for (const Renaming& renaming : term.renamings) {
      require_known(renaming.from, renaming.place);
      if (!to.emplace(renaming.from, renaming.to).second)
        complaints_.add(renaming.place,
                        "action " + in_quotes(renaming.from) + " is renamed twice, expected once");
    }
    const auto new_name = [&](const std::string& action) {
      const auto found = to.find(action);
      return found == to.end() ? action : found->second;
    };
    Process out;
    for (Behaviour x : process.behaviours) {
      x.action = new_name(x.action);
      out.behaviours.push_back(std::move(x));
    }
    for (const std::string& action : process.alphabet) out.alphabet.insert(new_name(action));
    return out;
  }

  const std::vector<ModuleActions>& modules_;
  Complaints& complaints_;
  std::vector<bool> is_used_;
  std::set<std::string> known_;
};

// Actions in the order in which the behaviours, and so the modules, name them.
void put_in_order(std::vector<Behaviour>& behaviours, const std::vector<ModuleActions>& modules) {
  std::map<std::string, std::size_t> rank{{"", 0}};
  for (const ModuleActions& module : modules)
    for (const std::string& action : module.actions) rank.try_emplace(action, rank.size());
  for (const Behaviour& x : behaviours) rank.try_emplace(x.action, rank.size());
  std::ranges::stable_sort(behaviours, [&](const Behaviour& x, const Behaviour& y) {
    return rank[x.action] < rank[y.action];
  });
}

}  // namespace

std::vector<Behaviour> compose(const std::vector<ModuleActions>& modules,
                               const std::optional<Composition>& system,
                               Complaints& complaints) {
  Composer composer(modules, complaints);
  if (system) composer.learn_actions(*system);
  Process all = system ? composer.of(*system) : composer.of_all();
  if (system) composer.require_all_modules(system->place);
  if (complaints.any()) return {};
  put_in_order(all.behaviours, modules);
  return std::move(all.behaviours);
}

}  // namespace quantiplan::prism
