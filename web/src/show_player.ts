// 6: the player, with the policy that is chosen.
import { chosen, followed, page, playedNow, units, world } from "./chosen";
import { byId, fill, h } from "./dom";
import { Player, type Playing } from "./player";
import { policyPicker } from "./show_picture";

export function showPlayer(refresh: () => void): void {
  const place = byId("player");
  const policy = playedNow(chosen.which);
  const why = page.model.adversarial
    ? "In an adversarial setting there is no policy of one's own to follow."
    : !page.model.sums
      ? "Where wealth is no sum of rewards, episodes are played by `quantiplan simulate --trace`, not here."
      : !policy
        ? "There is no table of decisions in this file: see what was left out, at the end."
        : "";
  if (why !== "" || !policy) {
    fill(place, h("p", {}, why));
    return;
  }
  const own = followed(policy.shown);
  const other = page.table ? followed(page.table) : policy.shown.by === "index" ? own : undefined;
  const sameCount = other && (other === own || (other.follower.unit.compare(own.follower.unit) === 0 && !policy.shown.halved?.length));
  const playing: Playing = {
    world,
    units,
    follower: own.follower,
    outlook: own.outlook,
    compared: sameCount ? { ...other, words: page.table ? "then as well as possible" : "then by this policy" } : null,
    promised: policy.promised,
    target: policy.target,
  };
  const inner = h("div", {});
  fill(place, h("div", { class: "controls" }, policyPicker("play-policy", refresh)), policy.snapped !== "" && h("p", { class: "snap" }, policy.snapped), inner);
  new Player(inner, playing);
}
