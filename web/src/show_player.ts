// 6: the player, with the policy that is chosen.
import { ClassAccount, SumAccount } from "./account";
import { type Choice, chosen, currentPoint, followed, page, playedNow, units, world } from "./chosen";
import { byId, fill, h } from "./dom";
import { Player, type Playing } from "./player";
import { policyPicker } from "./show_picture";

function accountOfSums(policy: Choice): SumAccount {
  const own = followed(policy.shown);
  const other = page.table ? followed(page.table) : policy.shown.by === "index" ? own : undefined;
  const sameCount = other && (other === own || (other.follower.unit.compare(own.follower.unit) === 0 && !policy.shown.halved?.length));
  const compared = sameCount ? { ...other, words: page.table ? "then as well as possible" : "then by this policy" } : null;
  return new SumAccount(world, units, own.follower, own.outlook, compared, policy.target);
}
// The class that is promised at the tau that is shown.
function promisedClass(): string | undefined {
  return chosen.which === "expectation" || chosen.which === "price" ? undefined : currentPoint()?.quantile;
}

export function showPlayer(refresh: () => void): void {
  const place = byId("player");
  const policy = playedNow(chosen.which);
  const isByClass = policy?.shown.by === "wealth" || !page.model.sums;
  const why = page.model.adversarial
    ? "In an adversarial setting there is no policy of one's own to follow."
    : isByClass && !page.wealth
      ? "The wealths of this model are not in this file, and so there is no player: `quantiplan simulate --trace` plays episodes."
    : !policy
        ? "There is no table of decisions in this file: see what was left out, at the end."
        : "";
  if (why !== "" || !policy) {
    fill(place, h("p", {}, why));
    return;
  }
  const account = isByClass ? new ClassAccount(page, world, units, policy.shown, promisedClass()) : accountOfSums(policy);
  const playing: Playing = { world, units, account, promised: policy.promised };
  const inner = h("div", {});
  fill(place, h("div", { class: "controls" }, policyPicker("play-policy", refresh)), policy.snapped !== "" && h("p", { class: "snap" }, policy.snapped), inner);
  new Player(inner, playing);
}
