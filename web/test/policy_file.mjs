// A policy file, followed as docs/policy-format.md says; shares nothing with the page.

const parse = (text) => {
  const [above, below] = String(text).split("/");
  const [whole, after = ""] = above.split(".");
  const sign = whole.startsWith("-") ? -1n : 1n;
  const numerator = sign * BigInt(whole.replace(/^[+-]/, "") + after);
  return { n: numerator, d: 10n ** BigInt(after.length) * BigInt(below ?? "1") };
};
const times = (a, b) => ({ n: a.n * b.n, d: a.d * b.d });
const over = (a, b) => (b.n < 0n ? { n: -a.n * b.d, d: -a.d * b.n } : { n: a.n * b.d, d: a.d * b.n });
const minus = (a, b) => ({ n: a.n * b.d - b.n * a.d, d: a.d * b.d });
const atMost = (a, b) => a.n * b.d <= b.n * a.d;
const floor = (a) => (a.n % a.d < 0n ? a.n / a.d - 1n : a.n / a.d);

export function readPolicy(file) {
  const rules = new Map(file.rules.map((rule) => [`${rule.time ?? 0} ${rule.state}`, rule.choose]));
  const discount = parse(file.discount);
  const halved = (time) => BigInt((file.grid?.halved_at ?? []).filter((at) => at <= time).length);
  const step = (time) => over(parse(file.grid.unit), { n: 1n << halved(time), d: 1n });
  return {
    start() {
      let left = file.grid ? over(parse(file.target), parse(file.grid.unit)) : parse(file.target);
      let power = { n: 1n, d: 1n };
      return {
        time: 0,
        state: file.initial,
        action() {
          const choose = rules.get(`${this.time} ${this.state}`);
          return choose.find(({ upto }) => upto === undefined || atMost(left, parse(upto))).action;
        },
        observe(reward, next) {
          const counted = parse(reward);
          if (file.grid) {
            const steps = floor(over(times(power, counted), step(this.time)));
            const shift = halved(this.time + 1) - halved(this.time);
            left = { n: (left.n / left.d - steps) << shift, d: 1n };
          } else {
            left = over(minus(left, counted), discount);
          }
          power = times(power, discount);
          this.state = next;
          ++this.time;
        },
      };
    },
  };
}
