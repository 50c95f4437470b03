// 4: the price of the promise.
import { priceChart } from "./charts";
import { chartWidth, chosen, policyNow, priceNow, units } from "./chosen";
import { byId, fill, h } from "./dom";
import { chanceWords, figure } from "./figures";
import { Fraction, ONE, ZERO } from "./fraction";
import { sideSymbol } from "./show_promise";

// `choose`: what follows from a choice, elsewhere on the page.
export function showPrice(choose: () => void): void {
  const place = byId("prices");
  const price = priceNow();
  if (!price || price.points.length === 0) {
    fill(place, h("p", {}, "There is no price curve for this kind of problem: see what was left out, at the end."));
    return;
  }
  const at = chosen.price >= 0 && chosen.price < price.points.length ? chosen.price : price.points.length - 1;
  const [level, probability, mean, bound] = price.points[at]!;
  const most = units.mean(price.points[0]![2]);
  fill(
    place,
    h("p", { class: "about" }, `With probability ${sideSymbol(price.side)} ${ONE.minus(Fraction.parse(price.tau) ?? ZERO).toString()} (tau ${price.tau}): each point is a policy with the best mean of those that promise as much. The dashed line is a bound that no policy exceeds. Choose a point: the picture and the player below show its policy.`),
    priceChart(price, units, at, chartWidth(place), (next) => {
      chosen.price = next;
      if (policyNow("price")) chosen.which = "price";
      choose();
      byId("prices").querySelectorAll<SVGElement>(".price-dots circle")[next]?.focus();
    }),
    h(
      "p",
      { id: "price-said", "aria-live": "polite" },
      `Promising ${units.text(level)} (kept with ${chanceWords(probability)}): mean ${units.meanText(mean)}; no policy that promises as much has a better mean than ${figure(units.mean(bound))}. ` +
        (at === 0 ? "This promise is free: the policy with the best mean keeps it." : `Against the best mean that is a price of ${figure(Math.abs(most - units.mean(mean)))}.`),
    ),
    chosen.which === "price" && h(
      "p",
      { id: "price-shown", class: "note" },
      policyNow("price")?.snapped ?? "",
      "Look at its policy: ",
      h("a", { href: "#picture-title" }, "as a picture"),
      ", or ",
      h("a", { href: "#player-title" }, "in an episode"),
      ".",
    ),
  );
}
