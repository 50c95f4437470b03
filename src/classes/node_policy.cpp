#include "classes/node_policy.hpp"

#include <vector>

#include "classes/wealth_rule_maker.hpp"

namespace quantiplan {

Policy policy_of_nodes(const Expansion& expansion,
                       const ResolvedSetting& setting,
                       const NodeChoices& choices) {
  const Model& model = expansion.model;
  Policy out;
  out.setting = setting;
  WealthRuleMaker rules(*expansion.structure);
  std::vector<bool> met(expansion.layers.front().size(), true);
  for (std::size_t t = 0; t < expansion.layers.size(); ++t) {
    const Expansion::Layer& layer = expansion.layers[t];
    const bool is_last = t + 1 == expansion.layers.size();
    std::vector<bool> next(is_last ? 0 : expansion.layers[t + 1].size(), false);
    for (std::uint32_t i = 0; i < layer.size(); ++i) {
      if (!met[i] || expansion.is_final(t, i)) continue;
      const ChoiceRange all = model.choices(layer.state[i]);
      const std::uint32_t chosen = choices[t][i];
      rules.add(t, layer.state[i], layer.wealth[i], all[chosen]);
      std::size_t arc = layer.begin[i];
      for (std::uint32_t c = 0; c < chosen; ++c) arc += model.outcomes(all[c]).size();
      for (std::size_t o = 0; o < model.outcomes(all[chosen]).size(); ++o)
        next[layer.next[arc + o]] = true;
    }
    met = std::move(next);
  }
  rules.fill(out);
  return out;
}

}  // namespace quantiplan
