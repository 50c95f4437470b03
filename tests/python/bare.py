"""The package with nothing but numpy: everything that needs more is imported when it is asked for."""

import sys

import quantiplan as qp

m = qp.Model.from_arrays([[[0.5, 0.5], [0, 1]]], [1, 2], horizon=3, initial=0)
r = m.solve(tau=0.1)[0.1]
assert r.quantile == 3 and r.certificate == "exact" and r.distribution.levels.size == 3
assert r.policy.start().act(0) == 0 and r.policy.explain(0) and r.check()
assert m.frontier() and m.threshold(4) and r.policy.simulate(100, seed=1).totals.size == 100
extra = {"pandas", "scipy", "gymnasium", "matplotlib", "tqdm", "polars"} & set(sys.modules)
assert not extra, extra
