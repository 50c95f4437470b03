"""The greatest or least probability of ending well in a graph of nodes, found as it is explored; in fractions.

`expand(node)` gives the options of a node, each a list of (probability, where): a Fraction, 1 for won and 0 for lost, or a
further node, which is a tuple. Nodes beyond `most` stay unexplored, and the answer is then an interval.

    reach what is won:    staying in the graph for ever is lost      (avoid = False)
    avoid what is lost:   staying in the graph for ever is won       (avoid = True)
"""

import pathlib
import sys
from fractions import Fraction as F

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "prism"))

from levels import reached  # noqa: E402


def chance(first, expand, avoid=False, least=False, most=160):
    """(lower, upper): equal unless the graph was cut."""
    if isinstance(first, F):
        return first, first
    rows, queue, met = {}, [first], {first}
    for node in queue:
        if len(rows) >= most:
            break
        rows[node] = expand(node)
        for option in rows[node]:
            for _, where in option:
                if not isinstance(where, F) and where not in met:
                    met.add(where)
                    queue.append(where)
    ends = [solved(rows, first, avoid, least, worth) for worth in ((F(0), F(1)) if len(met) > len(rows) else (F(0),))]
    return min(ends), max(ends)


def drawn(starts, chance_from):
    """Of a draw, by the intervals from each state."""
    ends = [(p, chance_from(s)) for s, p in starts]
    return sum(p * low for p, (low, _) in ends), sum(p * high for p, (_, high) in ends)


def solved(rows, first, avoid, least, unexplored):
    """Component by component, those first that lead nowhere else: most have a single node."""
    hit = (1 - unexplored) if avoid else unexplored
    value = {}
    for component in components(rows, first):
        moves = {}
        for node in component:
            moves[node] = []
            for option in rows[node]:
                exits, inside = F(0), {}
                for p, where in option:
                    if isinstance(where, F):
                        exits += p * (1 - where if avoid else where)
                    elif where in component:
                        inside[where] = inside.get(where, F(0)) + p
                    else:
                        exits += p * value.get(where, hit)
                moves[node].append((exits, inside))
        value.update(reached(moves, least != avoid))
    return 1 - value[first] if avoid else value[first]


def components(rows, first):
    """Strongly connected components, each as a set, after all that it leads to (Tarjan, without recursion)."""
    number, low, stack, held = {}, {}, [], set()
    work = [(first, iter(onward(rows, first)))]
    number[first] = low[first] = 0
    stack.append(first)
    held.add(first)
    while work:
        node, rest = work[-1]
        for where in rest:
            if where not in number:
                number[where] = low[where] = len(number)
                stack.append(where)
                held.add(where)
                work.append((where, iter(onward(rows, where))))
                break
            if where in held:
                low[node] = min(low[node], number[where])
        else:
            work.pop()
            if work:
                low[work[-1][0]] = min(low[work[-1][0]], low[node])
            if low[node] == number[node]:
                component = set()
                while node not in component:
                    component.add(stack.pop())
                held -= component
                yield component


def onward(rows, node):
    return [where for option in rows[node] for _, where in option if not isinstance(where, F) and where in rows]
