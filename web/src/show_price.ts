// 4: the price of the promise.
import { priceChart } from "./charts";
import { chartWidth, chosen, page, units } from "./chosen";
import { byId, fill, h } from "./dom";
import { chanceWords, figure } from "./figures";
import { Fraction, ONE, ZERO } from "./fraction";
import { sideSymbol } from "./show_promise";

export function showPrice(): void {
  const place = byId("prices");
  const price = page.prices.find((p) => p.side === chosen.side && Fraction.parse(p.tau)?.compare(chosen.tau) === 0) ??
    page.prices.find((p) => p.side === chosen.side) ?? page.prices[0];
  if (!price || price.points.length === 0) {
    fill(place, h("p", {}, "There is no price curve for this kind of problem: see what was left out, at the end."));
    return;
  }
  const at = chosen.price >= 0 && chosen.price < price.points.length ? chosen.price : price.points.length - 1;
  const [level, probability, mean, bound] = price.points[at]!;
  const most = units.mean(price.points[0]![2]);
  fill(
    place,
    h("p", { class: "about" }, `With probability ${sideSymbol(price.side)} ${ONE.minus(Fraction.parse(price.tau) ?? ZERO).toString()} (tau ${price.tau}): each point is a policy with the best mean of those that promise as much. The dashed line is a bound that no policy exceeds. Choose a point.`),
    priceChart(price, units, at, chartWidth(place), (next) => {
      chosen.price = next;
      showPrice();
      byId("prices").querySelectorAll<SVGElement>(".price-dots circle")[next]?.focus();
    }),
    h(
      "p",
      { id: "price-said", "aria-live": "polite" },
      `Promising ${units.text(level)} (kept with ${chanceWords(probability)}): mean ${figure(units.mean(mean))}; no policy that promises as much has a better mean than ${figure(units.mean(bound))}. ` +
        (at === 0 ? "This promise is free: the policy with the best mean keeps it." : `Against the best mean that is a price of ${figure(Math.abs(most - units.mean(mean)))}.`),
    ),
  );
}
