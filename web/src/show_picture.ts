// 5: the policy as a picture.
import { pictureChart } from "./charts";
import { availablePolicies, chartWidth, chosen, followed, page, policyName, policyNow, units, type Which, world } from "./chosen";
import { byId, fill, h, table } from "./dom";
import { figure } from "./figures";
import { ONE } from "./fraction";
import { Collected, drawPicture } from "./picture";

const palette = ["#4269d0", "#efb118", "#ff725c", "#6cc5b0", "#3ca951", "#ff8ab7", "#a463f2", "#97bbf5", "#9c6b4e", "#9498a0"];
const actionColours = new Map(page.play.actions.map((name, k) => [name, palette[k % palette.length]!]));
let collected: Collected | null | undefined;
function collectedRanges(): Collected | null {
  if (collected === undefined) {
    const work = (world.horizon ?? 0) * world.choices.flat().reduce((sum, c) => sum + c.outcomes.length, 0);
    collected = world.horizon !== null && world.isComplete && page.model.sums && work < 20_000_000 ? new Collected(world, world.horizon) : null;
  }
  return collected;
}

export function policyPicker(id: string, refresh: () => void): HTMLElement {
  const available = availablePolicies();
  return h(
    "label",
    {},
    "Policy ",
    h(
      "select",
      {
        id,
        onchange: (event: Event) => {
          chosen.which = (event.target as HTMLSelectElement).value as Which;
          refresh();
          byId(id).focus();
        },
      },
      ...available.map((which) => h("option", { value: which, selected: which === chosen.which }, policyName(which))),
    ),
  );
}

export function showPicture(refresh: () => void): void {
  const place = byId("picture");
  const policy = policyNow(chosen.which);
  if (!policy) {
    fill(place, h("p", {}, "There is no table of decisions in this file: see what was left out, at the end."));
    return;
  }
  const { follower, outlook } = followed(policy.shown);
  const hasRules = (s: number): boolean => (policy.shown.rules[s]?.length ?? 0) > 0;
  if (!hasRules(chosen.state)) chosen.state = policy.shown.rules.findIndex((r) => r.length > 0);
  const search = h("input", {
    type: "search",
    id: "state-search",
    list: "state-names",
    value: world.states[chosen.state] ?? "",
    autocomplete: "off",
    size: Math.max(16, Math.min(40, (world.states[chosen.state] ?? "").length + 2)),
    onchange: (event: Event) => {
      const input = event.target as HTMLInputElement;
      const wanted = input.value.trim().toLowerCase();
      let found = world.states.findIndex((name, s) => hasRules(s) && name.toLowerCase() === wanted);
      if (found < 0) found = world.states.findIndex((name, s) => hasRules(s) && name.toLowerCase().includes(wanted));
      if (found < 0) {
        fill(byId("state-said"), `No state on this page has “${input.value}” in its name.`);
        return;
      }
      chosen.state = found;
      showPicture(refresh);
      byId("state-search").focus();
    },
  });
  const listed = world.states.map((name, s) => ({ name, s })).filter(({ s }) => s < world.shown && hasRules(s));
  const met = page.play.met[chosen.state] ?? 0;
  const picture = drawPicture({ world, follower, outlook, units, state: chosen.state, target: Number.isNaN(policy.target) ? 0 : policy.target, collected: collectedRanges() });
  const isByTime = policy.shown.by === "time";
  const legend = h(
    "ul",
    { class: "legend" },
    ...picture.actions.map((action) => {
      const dot = h("span", { class: "swatch", "aria-hidden": "true" });
      dot.style.background = actionColours.get(action) ?? "";
      return h("li", {}, dot, action);
    }),
  );
  const discounted = world.discount.compare(ONE) !== 0 ? ", discounted to time 0" : "";
  fill(
    place,
    h(
      "div",
      { class: "controls" },
      policyPicker("picture-policy", refresh),
      h("label", {}, "State ", search),
      h("datalist", { id: "state-names" }, ...listed.slice(0, 2000).map(({ name }) => h("option", { value: name }))),
      h("label", { class: "screen" }, "or one of those met most ", h("select", { id: "state-select", onchange: (event: Event) => { chosen.state = Number((event.target as HTMLSelectElement).value); showPicture(refresh); byId("state-select").focus(); } },
        ...listed.slice(0, 60).map(({ name, s }) => h("option", { value: s, selected: s === chosen.state }, name)),
        listed.findIndex(({ s }) => s === chosen.state) >= 60 && h("option", { value: chosen.state, selected: true }, world.states[chosen.state]!))),
    ),
    h("p", { id: "state-said", class: "note", "aria-live": "polite" },
      `${policy.snapped}${world.states[chosen.state]!} is met in ${figure(Math.round(1000 * met) / 10)} % of 400 sampled episodes. ` +
      (world.isComplete ? "" : `${world.shown} of ${page.play.reachable} states are in this file. `) +
      (outlook ? `The stronger the colour, the greater the chance of keeping the promise${outlook.isRough ? " (about)" : ""}.` : "")),
    legend,
    pictureChart(picture.cells, actionColours, {
      x: "time →",
      y: picture.classes ? "wealth so far" : `↑ ${units.noun} so far${discounted}`,
      ...(picture.classes ? { classes: picture.classes } : {}),
      isStationary: policy.shown.stationary,
    }, chartWidth(place), `What the policy does in ${world.states[chosen.state]!}, by time and ${units.noun} so far; the same in words below.`),
    isByTime && h("p", { class: "note" }, "This policy looks at time and state only."),
    picture.words.length > 0 && h("details", {}, h("summary", {}, "The same in words"),
      h("div", { class: "scroll tall", tabindex: 0, role: "region", "aria-label": "Rules in words" }, table(policy.shown.stationary ? ["Rule"] : ["Time", `By the ${units.noun} so far`], picture.words.map(({ time, ranges }) => (policy.shown.stationary ? [ranges] : [String(time), ranges]))))),
  );
}
