// 7: how sure it is, and how it was made.
import { page, units } from "./chosen";
import { byId, fill, h, table } from "./dom";
import { figure } from "./figures";
import { checkWords } from "./show_promise";

export function showAbout(): void {
  const rows = page.points.filter((p) => p.asked).map((p) => [
    `${p.tau}, ${p.side}`,
    p.quantile === undefined ? "–" : units.bracket(p.quantile, p.upper ?? p.quantile),
    `${p.certificate}${p.status === "solved" ? "" : `, ${p.status.replace("_", " ")}`}`,
    p.check ? checkWords(p) : "not asked for",
  ]);
  const findings = page.points.filter((p) => p.asked && p.check).flatMap((p) => p.check!.findings.map((f) => `tau ${p.tau}, ${p.side}: ${f}`));
  fill(
    byId("about"),
    h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Certificates" }, table(["Tau and side", "Quantile", "Certificate", "Checker"], rows)),
    findings.length > 0 && h("details", {}, h("summary", {}, "What the checker confirmed"), h("ul", {}, ...findings.map((f) => h("li", {}, f)))),
    h("dl", { class: "facts" },
      ...pair("Model", page.model.line),
      ...pair("Engine", page.engine.used),
      ...pair("Why", page.engine.why),
      ...(page.engine.left_open && page.points.some((p) => p.asked && p.status === "unsettled") ? pair("Left open", page.engine.left_open) : []),
      ...pair("Time", `${figure(page.engine.solve_seconds)} s for the taus asked for, ${figure(page.engine.seconds)} s for the whole report`),
      ...pair("Version", `quantiplan ${page.version}`),
      ...(page.command ? [h("dt", {}, "Command"), h("dd", {}, h("code", { id: "command" }, page.command))] : [])),
    page.left_out.length > 0 && h("div", {}, h("h3", {}, "Left out"), h("ul", { id: "left-out" }, ...page.left_out.map((what) => h("li", {}, what)))),
  );
}
function pair(name: string, text: string): HTMLElement[] {
  return [h("dt", {}, name), h("dd", {}, text)];
}
