"""Text to syntax for the second reader (oracle.py): tokens, and one method a rule.

Expressions are trees: ("number", v), ("name", n), ("label", n), or (operator or function, operand, ...).
"""

import re
from fractions import Fraction

TOKEN = re.compile(
    r"""(?P<blank>\s+|//[^\n]*)
      | (?P<number>\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?)
      | (?P<name>[A-Za-z_]\w*)
      | (?P<quoted>"[^"\n]*")
      | (?P<symbol>\|\|\||\|\||\|\[|\]\||<=>|=>|<=|>=|!=|->|\.\.|[-+*/<>=!&|?:;,()\[\]{}'])""",
    re.VERBOSE,
)


class OracleError(Exception):
    """The text is no program, or it does something undefined."""


def tokens_of(text):
    tokens, at = [], 0
    while at < len(text):
        match = TOKEN.match(text, at)
        if match is None:
            raise OracleError(f"no token at {text[at:at + 20]!r}")
        at = match.end()
        if match.lastgroup != "blank":
            tokens.append((match.lastgroup, match.group()))
    return tokens + [("end", "")]


# Operators, loosest first; "?:" is looser than all, the minus sign tighter.
LEVELS = [["=>"], ["<=>"], ["|"], ["&"], ["!"], ["=", "!="], ["<", "<=", ">=", ">"], ["+", "-"], ["*", "/"]]
FUNCTIONS = {"min", "max", "floor", "ceil", "round", "pow", "mod", "log"}


class Parser:
    def __init__(self, text):
        self.tokens, self.at = tokens_of(text), 0

    def sees(self, *texts):
        """Whether these tokens come next. (A quoted text is never a symbol.)"""
        ahead = self.tokens[self.at:self.at + len(texts)]
        return len(ahead) == len(texts) and all(k != "quoted" and t == x for (k, t), x in zip(ahead, texts))

    def take(self, *texts):
        found = self.sees(*texts)
        self.at += len(texts) if found else 0
        return found

    def need(self, *texts):
        if not self.take(*texts):
            raise OracleError(f"found {self.tokens[self.at:self.at + 4]}, expected {texts}")

    def kind(self, kind):
        found, text = self.tokens[self.at]
        if found != kind:
            raise OracleError(f"found {text!r}, expected a {kind}")
        self.at += 1
        return text

    def name(self):
        return self.kind("name")

    def optional(self, mark, rule, otherwise=None):
        return rule() if self.take(mark) else otherwise

    # Expressions, loosest first.

    def expression(self):
        condition = self.level(0)
        if not self.take("?"):
            return condition
        then = self.expression()
        self.need(":")
        return ("?", condition, then, self.expression())

    def level(self, i):
        if i == len(LEVELS):
            return ("neg", self.level(i)) if self.take("-") else self.basic()
        if LEVELS[i] == ["!"]:
            return ("!", self.level(i)) if self.take("!") else self.level(i + 1)
        left = self.level(i + 1)
        while any(self.sees(o) for o in LEVELS[i]):
            operator = self.kind("symbol")
            left = (operator, left, self.level(i + 1))
        return left

    def basic(self):
        kind, text = self.tokens[self.at]
        self.at += 1
        if kind == "number":
            return ("number", int(text) if text.isdigit() else Fraction(text))
        if kind == "quoted":
            return ("label", text[1:-1])
        if kind == "name" and text in ("true", "false"):
            return ("number", text == "true")
        if kind == "name" and text in FUNCTIONS and self.take("("):
            operands = [self.expression()]
            while self.take(","):
                operands.append(self.expression())
            self.need(")")
            return (text, *operands)
        if kind == "name":
            return ("name", text)
        if text == "(":
            inner = self.expression()
            self.need(")")
            return inner
        raise OracleError(f"found {text!r}, expected an expression")

    # Statements.

    def program(self):
        p = {"kind": None, "constants": {}, "formulas": {}, "globals": [], "modules": {}, "labels": {}, "rewards": [],
             "init": None, "system": None}
        while self.tokens[self.at][0] != "end":
            word = self.name()
            if word in ("mdp", "dtmc", "nondeterministic", "probabilistic"):
                p["kind"] = "mdp" if word in ("mdp", "nondeterministic") else "dtmc"
            elif word == "const":
                kind = self.name() if self.tokens[self.at][1] in ("int", "double", "bool") else "int"
                name = self.name()
                p["constants"][name] = (kind, self.optional("=", self.expression))
                self.need(";")
            elif word == "formula":
                name = self.name()
                self.need("=")
                p["formulas"][name] = self.expression()
                self.need(";")
            elif word == "label":
                name = self.kind("quoted")[1:-1]
                self.need("=")
                p["labels"][name] = self.expression()
                self.need(";")
            elif word == "global":
                p["globals"].append(self.variable())
            elif word == "module":
                self.module(p)
            elif word == "rewards":
                p["rewards"].append(self.rewards())
            elif word == "init":
                p["init"] = self.expression()
                self.need("endinit")
            elif word == "system":
                p["system"] = self.composition()
                self.need("endsystem")
            else:
                raise OracleError(f"found {word!r}, expected a statement")
        return p

    def variable(self):
        name = self.name()
        self.need(":")
        if self.take("bool"):
            low = high = None
        else:
            self.need("[")
            low = self.expression()
            self.need("..")
            high = self.expression()
            self.need("]")
        initial = self.optional("init", self.expression)
        self.need(";")
        return name, low, high, initial

    def module(self, p):
        name = self.name()
        if self.take("="):
            original, renamings = self.name(), {}
            self.need("[")
            while not self.take("]"):
                old = self.name()
                self.need("=")
                renamings[old] = self.name()
                self.take(",")
            self.need("endmodule")
            p["modules"][name] = ("copy", original, renamings)
            return
        variables, commands = [], []
        while not self.take("endmodule"):
            if self.take("["):
                commands.append(self.command())
            else:
                variables.append(self.variable())
        p["modules"][name] = ("module", variables, commands)

    def command(self):
        action = "" if self.sees("]") else self.name()
        self.need("]")
        guard = self.expression()
        self.need("->")
        updates = [self.update()]
        while self.take("+"):
            updates.append(self.update())
        self.need(";")
        return action, guard, updates

    def update(self):
        start = self.at
        if not self.take("true") and not (self.take("(") and self.tokens[self.at + 1][1] == "'"):
            self.at = start
            probability = self.expression()
            self.need(":")
        else:
            self.at, probability = start, ("number", 1)
        assignments = {}
        if self.take("true"):
            return probability, assignments
        while True:
            self.need("(")
            name = self.name()
            self.need("'", "=")
            if name in assignments:
                raise OracleError(f"{name!r} is assigned twice")
            assignments[name] = self.expression()
            self.need(")")
            if not self.take("&"):
                return probability, assignments

    def rewards(self):
        name = self.kind("quoted")[1:-1] if self.tokens[self.at][0] == "quoted" else ""
        items = []
        while not self.take("endrewards"):
            action = target = None
            if self.take("["):
                action = "" if self.sees("]") else self.name()
                self.need("]")
            guard = self.expression()
            if action is not None:
                target = self.optional("->", self.expression)
            self.need(":")
            items.append((action, guard, target, self.expression()))
            self.need(";")
        return name, items

    # system: || binds loosest, then |||, then |[a]|, then / {a} and {a<-b}.

    def composition(self):
        left = self.interleaved()
        while self.take("||"):
            left = ("on", None, left, self.interleaved())
        return left

    def interleaved(self):
        left = self.on_actions()
        while self.take("|||"):
            left = ("on", frozenset(), left, self.on_actions())
        return left

    def on_actions(self):
        left = self.hidden_or_renamed()
        while self.take("|["):
            actions = self.names("]|")
            left = ("on", frozenset(actions), left, self.hidden_or_renamed())
        return left

    def names(self, end):
        found = []
        while not self.take(end):
            found.append(self.name())
            self.take(",")
        return found

    def hidden_or_renamed(self):
        if self.take("("):
            inner = self.composition()
            self.need(")")
        else:
            inner = ("module", self.name())
        while True:
            if self.take("/", "{"):
                inner = ("rename", {a: "" for a in self.names("}")}, inner)
            elif self.take("{"):
                renamings = {}
                while not self.take("}"):
                    old = self.name()
                    self.need("<", "-")
                    renamings[old] = self.name()
                    self.take(",")
                inner = ("rename", renamings, inner)
            else:
                return inner
