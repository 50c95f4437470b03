// The page: controls, and what is redrawn when something is chosen.
import { availablePolicies, chosen, page, policyNow, sides } from "./chosen";
import { byId, fill, h } from "./dom";
import { Fraction, ONE, ZERO } from "./fraction";
import { showAbout } from "./show_about";
import { showDistributions } from "./show_laws";
import { showPicture } from "./show_picture";
import { showPlayer } from "./show_player";
import { showPrice } from "./show_price";
import { showStarts } from "./show_starts";
import { showFrontier, showPromise } from "./show_promise";

function refreshPolicy(): void {
  if (!policyNow(chosen.which)) chosen.which = availablePolicies()[0] ?? "best";
  showPrice(refreshPolicy);
  showPicture(refreshPolicy);
  showPlayer(refreshPolicy);
}
function refresh(): void {
  showPromise();
  showFrontier();
  showDistributions();
  refreshPolicy();
}

let waiting = 0;
function setTau(text: string, from: "slider" | "text" | "list"): void {
  const tau = Fraction.parse(text);
  const input = byId("tau") as HTMLInputElement;
  const isValid = !!tau && tau.compare(ZERO) >= 0 && tau.compare(ONE) <= 0;
  input.setAttribute("aria-invalid", String(!isValid));
  fill(byId("tau-said"), isValid ? "" : "Expected a number between 0 and 1, such as 0.1 or 1/3.");
  if (!isValid || !tau) return;
  chosen.tau = tau;
  chosen.tauText = text;
  chosen.price = -1;
  if (from !== "text") input.value = text;
  if (from !== "slider") (byId("tau-slider") as HTMLInputElement).value = String(tau.toNumber());
  cancelAnimationFrame(waiting);
  waiting = requestAnimationFrame(refresh);
}

function showControls(): void {
  const listed = [...new Set(page.points.map((p) => p.tau))];
  const slider = h("input", {
    type: "range",
    id: "tau-slider",
    min: 0.001,
    max: 0.999,
    step: 0.001,
    value: chosen.tau.toNumber(),
    list: "taus",
    "aria-label": "tau",
    oninput: (event: Event) => setTau((event.target as HTMLInputElement).value, "slider"),
  });
  const text = h("input", { type: "text", id: "tau", inputmode: "decimal", size: 7, value: chosen.tauText, autocomplete: "off", "aria-describedby": "tau-said", onchange: (event: Event) => setTau((event.target as HTMLInputElement).value, "text") });
  fill(
    byId("controls"),
    h("label", { for: "tau" }, "tau"),
    text,
    slider,
    h("datalist", { id: "taus" }, ...listed.map((tau) => h("option", { value: Fraction.parse(tau)?.toNumber() ?? 0 }))),
    sides.length > 1 &&
      h("fieldset", {}, h("legend", {}, "side"), ...sides.map((side) => h("label", {}, h("input", { type: "radio", name: "side", value: side, checked: side === chosen.side, onchange: () => { chosen.side = side; refresh(); } }), side))),
    h("span", { id: "tau-said", role: "status" }),
    h("span", { class: "chips" }, ...listed.map((tau) => h("button", { type: "button", class: page.points.some((p) => p.tau === tau && p.asked) ? "chip asked" : "chip", "data-tau": tau, onclick: () => setTau(tau, "list") }, tau))),
  );
}

function start(): void {
  document.title = `${page.model.name || "model"}: Quantiplan report`;
  fill(byId("title"), page.model.name || "Quantiplan report");
  fill(byId("line"), page.model.line);
  if (page.model.adversarial) fill(byId("frontier-about"), "The probability of each level that is guaranteed, whatever is done.");
  byId("theme").addEventListener("click", () => {
    const root = document.documentElement;
    const dark = root.dataset["theme"] ? root.dataset["theme"] === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset["theme"] = dark ? "light" : "dark";
  });
  if (!policyNow(chosen.which)) chosen.which = availablePolicies()[0] ?? "best";
  showControls();
  showStarts();
  refresh();
  showAbout();
  let width = innerWidth;
  addEventListener("resize", () => {
    if (innerWidth === width) return;
    width = innerWidth;
    cancelAnimationFrame(waiting);
    waiting = requestAnimationFrame(() => { showFrontier(); showDistributions(); showPrice(refreshPolicy); showPicture(refreshPolicy); });
  });
}

start();
