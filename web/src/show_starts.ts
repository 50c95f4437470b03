// Several initial states: what is promised from each, at the taus that were asked for.
import { page, units } from "./chosen";
import type { Starts } from "./data";
import { byId, fill, h, table } from "./dom";
import { chanceWords } from "./figures";

type Question = Starts["questions"][number];

// Greater is better, for whoever counts in wealth; what has no common order stays as it is.
function order(a: Question["rows"][number], b: Question["rows"][number]): number {
  if (a[1] === b[1]) return 0;
  return units.isAsGood(a[1], b[1]) ? 1 : -1;
}

function questionTable({ tau, side, rows }: Question, starts: Starts): HTMLElement {
  const ordered = [...rows].sort(order);
  const cells = ordered.map(([name, lower, upper, probability]) => [
    h("span", name === starts.shown ? { class: "taken" } : {}, name, name === starts.shown && h("span", { class: "tag" }, "this page")),
    units.bracket(lower, upper),
    probability ? chanceWords(probability) : "–",
  ]);
  const heading = units.cost ? "Least cost" : "Quantile";
  return h(
    "div",
    { class: "scroll tall", tabindex: 0, role: "region", "aria-label": `Initial states, tau ${tau}, ${side} side` },
    table(["Initial state", heading, `Greatest P(${units.noun} ${units.cost ? "≤" : "≥"} it)`], cells, `tau ${tau}, ${side} side: the worst first`),
  );
}

export function showStarts(): void {
  const { starts } = page;
  if (!starts) return;
  byId("starts").hidden = false;
  const left = starts.of - (starts.questions[0]?.rows.length ?? 0);
  fill(
    byId("starts-table"),
    h("p", { class: "about" }, `The model has ${starts.of} initial states, each a question of its own. The rest of this page begins in ${starts.shown}, the worst of them; `, h("code", {}, "--initial"), " makes that of another."),
    ...starts.questions.map((question) => questionTable(question, starts)),
    left > 0 && h("p", { class: "note" }, `${left} more are left out; quantiplan solve --json has all.`),
  );
}
