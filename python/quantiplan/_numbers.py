"""Exact numbers in, exact numbers out.

Into the library every number goes as text, which is read exactly: a float means its shortest decimal, so
that 0.1 is one tenth. Out of it come `fractions.Fraction`, and `Value`s, which are floats that know more.
"""

from __future__ import annotations

import math
import numbers
from collections.abc import Iterable
from decimal import Context, Decimal
from fractions import Fraction
from typing import Any, Union

from ._errors import NumberError, Problem, RequestError

Number = Union[int, float, Fraction, Decimal, str]
Total = Union[Fraction, float, str]

# Longer texts are refused by the library, and by Python beyond 4300 digits: such numbers go in as hexadecimal ones.
_LONG_BITS = 1500
# Exponents beyond these are refused by the library, and would take all memory here.
_MOST_EXPONENT = 1000


def text_of(value: Any, what: str = "") -> str:
    """The exact text of a number."""
    kind = type(value)
    if kind is bool or kind.__module__ == "numpy" and getattr(value, "dtype", None) == bool:
        raise NumberError([Problem(what, f"found {value!r}, expected a number")])
    if kind is float:
        text = repr(value)
        if text in ("inf", "-inf", "nan"):
            raise NumberError([Problem(what, f"found {text}, expected a finite number")])
        return text
    if kind is int:
        return _text_of_fraction(value, 1)
    if kind is str:
        text = str(value).strip()
        if text.startswith("#"):
            raise NumberError([Problem(what, f"found {value!r}, expected a number")])
        return text
    if isinstance(value, Fraction):
        return _text_of_fraction(value.numerator, value.denominator)
    if isinstance(value, Decimal):
        if not value.is_finite():
            raise NumberError([Problem(what, f"found {value}, expected a finite number")])
        if value and abs(value.adjusted()) > _MOST_EXPONENT:
            raise NumberError([Problem(what, f"found {value:.3e}, expected an exponent from -1000 to 1000")])
        return text_of(Fraction(value))
    if isinstance(value, numbers.Integral):
        return text_of(int(value))
    if isinstance(value, float):  # numpy.float64 and Value among them
        return text_of(float(value), what)
    if isinstance(value, numbers.Real) or hasattr(value, "dtype"):
        text = str(value)  # numpy.float32: the shortest decimal of its own precision
        if text.strip("-").lower() in ("inf", "nan"):
            raise NumberError([Problem(what, f"found {text}, expected a finite number")])
        return text
    raise NumberError([Problem(what, f"found {value!r}, expected a number")])


def _text_of_fraction(numerator: int, denominator: int) -> str:
    if max(numerator.bit_length(), denominator.bit_length()) > _LONG_BITS:
        return f"#{numerator:x}/{denominator:x}"
    return str(numerator) if denominator == 1 else f"{numerator}/{denominator}"


def total_text(value: Any, what: str) -> str:
    """The text of a total, which may be an infinity."""
    if isinstance(value, float) and math.isinf(value):
        return "inf" if value > 0 else "-inf"
    return text_of(value, what)


def texts_of(values: Any, what: str) -> list[str]:
    """The texts of one number or of several."""
    if isinstance(values, (str, bytes, numbers.Number)) or not isinstance(values, Iterable):
        return [text_of(values, what)]
    if getattr(values, "shape", None) == ():  # an array of one number is no sequence
        return [text_of(values.item(), what)]  # type: ignore[attr-defined]
    return [text_of(value, what) for value in values]


def exact(value: Any, what: str = "") -> Fraction:
    """The number that a value means: exact(0.1) is Fraction(1, 10).

    >>> exact(0.1)
    Fraction(1, 10)
    """
    text = value if isinstance(value, str) else text_of(value, what)
    try:
        if text.startswith("#"):
            numerator, _, denominator = text[1:].partition("/")
            return Fraction(int(numerator, 16), int(denominator, 16))
        if is_short(text):
            return Fraction(text)
        raise ValueError
    except (ValueError, ZeroDivisionError):
        raise RequestError([Problem(what, f"found {value!r}, expected a number")]) from None


def is_short(text: str) -> bool:
    """False of texts that the library refuses for their length or their exponent."""
    _, _, exponent = text.lower().partition("e")
    return len(text) <= 1000 and (len(exponent) <= 5 or not exponent.strip("+-").isdigit())


class Value(float):
    """A probability or a mean: a float, and what is known of it.

    `exact` is the Fraction, where it is known; `certainty` says what the float is: "exact" (the nearest
    float), "rounded" (computed in floats, nothing is certified), "at least" or "at most" (a bound that
    holds, with the bound on the other side in `most` where there is one), or "estimate" (of a sample).

    >>> import quantiplan as qp
    >>> p = qp.read("examples/commute.json").solve(tau=.3)[.3].probability
    >>> p, p.exact, p.certainty
    (0.72, Fraction(18, 25), 'exact')
    """

    exact: Fraction | None
    certainty: str
    most: float | None

    @classmethod
    def of(cls, parts: tuple[float, Fraction | None, str, float | None] | None) -> Value | None:
        """From what the extension module hands out; None where there is nothing."""
        if parts is None:
            return None
        value = cls(parts[0])
        _, value.exact, value.certainty, value.most = parts
        return value

    @classmethod
    def known(cls, parts: tuple[float, Fraction | None, str, float | None]) -> Value:
        """The same where there is something."""
        value = cls.of(parts)
        assert value is not None
        return value

    def __repr__(self) -> str:
        sign = {"at least": ">= ", "at most": "<= "}.get(self.certainty, "")
        return sign + float.__repr__(self)

    __str__ = __repr__

    def _shown(self) -> str:
        """After the name of what it is: "= 0.72", or ">= 0.72" of a bound."""
        return f"{self}" if self.certainty in ("at least", "at most") else f"= {self}"


def float_of(total: Total | None) -> float:
    """A total as a float; not a number where it is a miss or a class."""
    if total is None or isinstance(total, str):
        return math.nan
    try:
        return float(total)
    except OverflowError:  # a Fraction that is greater than all floats
        return math.inf if total > 0 else -math.inf


def floats_of(low: Total | None, high: Total | None) -> tuple[float, float]:
    """The ends of a bracket as floats: the nearest ones where they are equal, else rounded outwards, so that what lies
    between them stays there."""
    ends = float_of(low), float_of(high)
    if low == high or not (isinstance(low, Fraction) and isinstance(high, Fraction)):
        return ends
    below, above = ends
    if below > low:
        below = math.nextafter(below, -math.inf)
    if above < high:
        above = math.nextafter(above, math.inf)
    return below, above


def _decimal(value: int) -> Decimal:
    """Of any number of digits, to as many as are shown."""
    cut = max(0, value.bit_length() - 200)
    return Decimal(value >> cut) * Decimal(2) ** cut


def _decimal_text(units: int, places: int) -> str:
    """So many units of the last of these decimal places."""
    digits = str(abs(units) * 10 ** max(0, -places)).rjust(places + 1, "0")
    text = digits if places <= 0 else f"{digits[:-places]}.{digits[-places:]}".rstrip("0").rstrip(".")
    return f"-{text}" if units < 0 else text


def _exact_text(value: Fraction) -> str | None:
    """All of a number, where that is short: an integer, a decimal such as 0.125, or a fraction such as 2/3."""
    if value.denominator == 1:
        return str(value.numerator) if value.numerator.bit_length() <= 200 else None
    if max(value.numerator.bit_length(), value.denominator.bit_length()) > 60:
        return None
    for places in range(1, 17):
        scaled = value * 10**places
        if scaled.denominator == 1:
            text = _decimal_text(scaled.numerator, places)
            return text if len(text) <= 18 else None
    return str(value) if len(str(value)) <= 9 else None


def shown(total: Total | None) -> str:
    """A total for people: all of it where that is short, else ten digits behind a "~"."""
    if total is None:
        return "none"
    if not isinstance(total, Fraction):
        return str(total)
    exact = _exact_text(total)
    if exact is not None:
        return exact
    nearest = float_of(total)
    if math.isinf(nearest) or nearest == 0:
        digits = Context(prec=10)
        text = f"{digits.divide(_decimal(total.numerator), _decimal(total.denominator)).normalize(digits):g}"
    else:
        text = f"{nearest:.10g}"
    return text if Fraction(text) == total else f"~{text}"


def bracket_shown(low: Total | None, high: Total | None) -> str:
    """The ends of a bracket for people: all of both where they are short, else rounded outwards by at most a tenth of
    its width."""
    if low == high:
        return shown(low)
    if isinstance(low, Fraction) and isinstance(high, Fraction) and low < high:
        if not all((text := _exact_text(end)) is not None and len(text) <= 12 for end in (low, high)):
            tenth = (high - low) / 10
            places = len(str(tenth.denominator // tenth.numerator)) if tenth < 1 else 1 - len(str(int(tenth)))
            unit = Fraction(10) ** -places
            return f"[{_decimal_text(low // unit, places)}, {_decimal_text(-(-high // unit), places)}]"
    return f"[{shown(low)}, {shown(high)}]"
