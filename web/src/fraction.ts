// Exact numbers, as the program writes them: "-31.89", "1/3", "1e-3".

export class Fraction {
  constructor(
    readonly numerator: bigint,
    readonly denominator: bigint, // above 0
  ) {}

  static of(numerator: bigint, denominator: bigint): Fraction {
    if (denominator < 0n) return Fraction.of(-numerator, -denominator);
    const common = gcd(numerator < 0n ? -numerator : numerator, denominator);
    return common > 1n
      ? new Fraction(numerator / common, denominator / common)
      : new Fraction(numerator, denominator);
  }

  // Undefined where the text is no number.
  static parse(text: string): Fraction | undefined {
    const ratio = /^\s*([+-]?\d{1,400})\s*\/\s*(\d{1,400})\s*$/.exec(text);
    if (ratio) {
      const below = BigInt(ratio[2]!);
      return below === 0n ? undefined : Fraction.of(BigInt(ratio[1]!), below);
    }
    const decimal = /^\s*([+-]?)(\d{0,400})(?:\.(\d{0,400}))?(?:[eE]([+-]?\d{1,3}))?\s*$/.exec(text);
    if (!decimal || (decimal[2] === "" && (decimal[3] ?? "") === "")) return undefined;
    const after = decimal[3] ?? "";
    const digits = BigInt((decimal[2] ?? "") + after);
    const exponent = Number(decimal[4] ?? "0") - after.length;
    const signed = decimal[1] === "-" ? -digits : digits;
    return exponent >= 0
      ? new Fraction(signed * 10n ** BigInt(exponent), 1n)
      : Fraction.of(signed, 10n ** BigInt(-exponent));
  }

  // Of a double its shortest text, which is what the program means by it.
  static ofDouble(value: number): Fraction {
    return Fraction.parse(String(value)) ?? new Fraction(0n, 1n);
  }

  plus(other: Fraction): Fraction {
    return Fraction.of(
      this.numerator * other.denominator + other.numerator * this.denominator,
      this.denominator * other.denominator,
    );
  }
  minus(other: Fraction): Fraction {
    return this.plus(other.negated());
  }
  times(other: Fraction): Fraction {
    return Fraction.of(this.numerator * other.numerator, this.denominator * other.denominator);
  }
  over(other: Fraction): Fraction {
    return Fraction.of(this.numerator * other.denominator, this.denominator * other.numerator);
  }
  negated(): Fraction {
    return new Fraction(-this.numerator, this.denominator);
  }
  compare(other: Fraction): number {
    const left = this.numerator * other.denominator;
    const right = other.numerator * this.denominator;
    return left < right ? -1 : left > right ? 1 : 0;
  }
  // The greatest whole number that is not above.
  floor(): bigint {
    const quotient = this.numerator / this.denominator;
    return this.numerator % this.denominator < 0n ? quotient - 1n : quotient;
  }
  toNumber(): number {
    const above = Number(this.numerator);
    const below = Number(this.denominator);
    if (Number.isFinite(above) && Number.isFinite(below)) return above / below;
    // Both have hundreds of digits: sixty bits of each will do.
    const shift = BigInt(Math.max(0, bits(this.denominator) - 60));
    return Number(this.numerator >> shift) / Number(this.denominator >> shift);
  }
  // A finite decimal where there is one, else a fraction.
  toString(): string {
    let rest = this.denominator;
    let twos = 0;
    let fives = 0;
    for (; rest % 2n === 0n; rest /= 2n) ++twos;
    for (; rest % 5n === 0n; rest /= 5n) ++fives;
    if (rest !== 1n) return `${this.numerator}/${this.denominator}`;
    const places = Math.max(twos, fives);
    if (places === 0) return String(this.numerator);
    const scaled = (this.numerator * 10n ** BigInt(places)) / this.denominator;
    const digits = String(scaled < 0n ? -scaled : scaled).padStart(places + 1, "0");
    const sign = scaled < 0n ? "-" : "";
    return `${sign}${digits.slice(0, -places)}.${digits.slice(-places)}`;
  }
}

export const ZERO = new Fraction(0n, 1n);
export const ONE = new Fraction(1n, 1n);

function bits(value: bigint): number {
  return value.toString(2).length;
}

function gcd(a: bigint, b: bigint): bigint {
  while (b !== 0n) [a, b] = [b, a % b];
  return a;
}
