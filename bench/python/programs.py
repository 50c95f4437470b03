"""Programs in the PRISM language for the comparison with other tools, in our own words, of any size."""

from __future__ import annotations


def joined(lines: list[str]) -> str:
    return "\n".join(lines) + "\n"


def backoff(stations: int, most: int) -> str:
    """The test suite's backoff for more stations: after the t-th collision one of 2^min(t, most) slots."""
    every = range(1, stations + 1)
    senders = "+".join(f"(send{i} ? 1 : 0)" for i in every)
    lines = ["mdp", "const double noise = 0.1;", f"formula clash = {senders} > 1;"]
    lines += [f"formula send{i} = !done{i} & wait{i}=0;" for i in every]
    for i in every:
        lines += [
            f"module station{i}",
            f"  done{i} : bool;",
            f"  wait{i} : [0..{2**most - 1}];",
            f"  tries{i} : [0..{most}];",
            f"  [slot] done{i} -> true;",
            f"  [slot] !done{i} & wait{i}>0 -> (wait{i}'=wait{i}-1);",
            f"  [slot] send{i} & !clash -> 1-noise : (done{i}'=true) & (tries{i}'=0) + noise : true;",
        ]
        for tries in range(most + 1):
            after = min(most, tries + 1)
            window = 2**after
            moves = " + ".join(f"1/{window} : (wait{i}'={w}) & (tries{i}'={after})" for w in range(window))
            lines.append(f"  [slot] send{i} & clash & tries{i}={tries} -> {moves};")
            if tries < most:
                careful = " + ".join(f"1/{2**most} : (wait{i}'={w}) & (tries{i}'={most})" for w in range(2**most))
                lines.append(f"  [slot] send{i} & clash & tries{i}={tries} -> {careful};")
        lines.append("endmodule")
    sent = " & ".join(f"done{i}" for i in every)
    lines += [f'label "sent" = {sent};', 'rewards "slots"', f"  !({sent}) : 1;", "endrewards"]
    return joined(lines)


def named_coin(processes: int, spread: int) -> str:
    """The test suite's shared coin, where every process is a module of its own."""
    every = range(1, processes + 1)
    edge, most = spread * processes, (spread + 1) * processes
    lines = ["mdp", f"global counter : [{-most}..{most}] init 0;"]
    for i in every:
        lines += [
            f"module process{i}",
            f"  at{i} : [0..5];  // flips, adds, takes, looks, heads, tails",
            f"  [] at{i}=0 -> 0.5 : (at{i}'=1) + 0.5 : (at{i}'=2);",
            f"  [] at{i}=1 & counter<{most} -> (at{i}'=3) & (counter'=counter+1);",
            f"  [] at{i}=2 & counter>{-most} -> (at{i}'=3) & (counter'=counter-1);",
            f"  [] at{i}=3 & counter>={edge} -> (at{i}'=4);",
            f"  [] at{i}=3 & counter<={-edge} -> (at{i}'=5);",
            f"  [] at{i}=3 & counter<{edge} & counter>{-edge} -> (at{i}'=0);",
            "endmodule",
        ]
    decided = " & ".join(f"at{i}>3" for i in every)
    some = [" | ".join(f"at{i}={side}" for i in every) for side in (4, 5)]
    lines += [f'label "decided" = {decided};', f'label "disagree" = {decided} & ({some[0]}) & ({some[1]});']
    lines += ['rewards "steps"', "  true : 1;", "endrewards"]
    return joined(lines)


def listening(stations: int, most: int, length: int, delay: int) -> str:
    """Stations that listen before they send, for `length` ticks: a message is heard after `delay` ticks.

    Two that began within that time clash and stop, and after its t-th clash a station waits for one of 2^min(t, most)
    multiples of `delay` ticks.
    """
    every = range(1, stations + 1)
    senders = "+".join(f"(at{i}=1 ? 1 : 0)" for i in every)
    lines = [
        "mdp",
        f"formula senders = {senders};",
        f"formula heard = age>={delay};",
        "formula clash = senders>1 & heard;",
        "formula ends = " + " | ".join(f"(at{i}=1 & count{i}={length})" for i in every) + ";",
        "module channel",
        f"  age : [0..{delay}];  // since somebody began to send",
        "  [tick] senders=0 | clash | ends -> (age'=0);",
        f"  [tick] senders>0 & !clash & !ends -> (age'=min({delay}, age+1));",
        "endmodule",
    ]
    longest = max(length, 2**most * delay)
    for i in every:
        lines += [
            f"module station{i}",
            f"  at{i} : [0..3];  // ready, sends, waits, has sent",
            f"  count{i} : [0..{longest}];  // ticks sent or still to wait",
            f"  tries{i} : [0..{most}];",
            f"  [] at{i}=0 & !heard -> (at{i}'=1) & (count{i}'=0);",
            f"  [tick] at{i}=0 -> true;",
            f"  [tick] at{i}=1 & !clash & count{i}<{length} -> (count{i}'=count{i}+1);",
            f"  [tick] at{i}=1 & !clash & count{i}={length} -> (at{i}'=3) & (count{i}'=0) & (tries{i}'=0);",
            f"  [tick] at{i}=2 & count{i}>1 -> (count{i}'=count{i}-1);",
            f"  [tick] at{i}=2 & count{i}<=1 -> (at{i}'=0) & (count{i}'=0);",
            f"  [tick] at{i}=3 -> true;",
        ]
        for tries in range(most + 1):
            after = min(most, tries + 1)
            waits = [delay * slot for slot in range(2**after)]
            moves = " + ".join(
                f"1/{len(waits)} : (at{i}'=2) & (count{i}'={wait}) & (tries{i}'={after})" for wait in waits
            )
            lines.append(f"  [tick] at{i}=1 & clash & tries{i}={tries} -> {moves};")
        lines.append("endmodule")
    sent = " & ".join(f"at{i}=3" for i in every)
    lines += [f'label "sent" = {sent};', 'rewards "ticks"', f"  [tick] !({sent}) : 1;", "endrewards"]
    return joined(lines)


def acknowledged(most: int, shortest: int, longest: int, pause: int) -> str:
    """Two stations without wires: neither hears a clash, only that no acknowledgement comes.

    A station waits until the channel was quiet for `pause` ticks, sends for `shortest` to `longest` ticks, as somebody
    else chooses, and waits `pause` ticks for its acknowledgement. Without one it draws a number of slots, out of 2^(t+1)
    after t failures, which it counts down while the channel is quiet.
    """
    lines = [
        "mdp",
        "formula sends1 = at1=2;",
        "formula sends2 = at2=2;",
        "formula busy = sends1 | sends2;",
        "module channel",
        "  spoilt : bool;",
        f"  quiet : [0..{pause}];",
        "  [tick] busy -> (quiet'=0) & (spoilt'=spoilt | (sends1 & sends2));",
        f"  [tick] !busy -> (quiet'=min({pause}, quiet+1)) & (spoilt'=false);",
        "endmodule",
        "module station1",
        "  at1 : [0..5];  // listens, counts down, sends, is heard, is not heard, has sent",
        f"  time1 : [0..{max(longest, pause)}];",
        f"  slots1 : [0..{2 ** (most + 1) - 1}];",
        f"  fails1 : [0..{most}];",
        f"  [] at1=0 & quiet={pause} & slots1=0 -> (at1'=2) & (time1'=0);",
        f"  [] at1=0 & quiet={pause} & slots1>0 -> (at1'=1);",
        f"  [tick] at1=0 & (quiet<{pause} | busy) -> true;",
        "  [tick] at1=1 & !busy & slots1>1 -> (slots1'=slots1-1);",
        "  [tick] at1=1 & !busy & slots1<=1 -> (at1'=2) & (time1'=0) & (slots1'=0);",
        "  [tick] at1=1 & busy -> (at1'=0);",
        f"  [tick] at1=2 & time1<{longest} -> (time1'=time1+1);",
        f"  [] at1=2 & time1>={shortest} & !sends2 & !spoilt -> (at1'=3) & (time1'=0);",
        f"  [] at1=2 & time1>={shortest} & (sends2 | spoilt) -> (at1'=4) & (time1'=0);",
        f"  [tick] at1=3 & time1<{pause} -> (time1'=time1+1);",
        f"  [tick] at1=3 & time1={pause} -> (at1'=5) & (time1'=0) & (fails1'=0);",
        f"  [tick] at1=4 & time1<{pause} -> (time1'=time1+1);",
        "  [tick] at1=5 -> true;",
    ]
    for fails in range(most + 1):
        window, after = 2 ** (fails + 1), min(most, fails + 1)
        moves = " + ".join(
            f"1/{window} : (at1'=0) & (time1'=0) & (slots1'={slot}) & (fails1'={after})" for slot in range(window)
        )
        lines.append(f"  [] at1=4 & time1={pause} & fails1={fails} -> {moves};")
    renamed = ", ".join(
        f"{a}={b}"
        for name in ("at", "time", "slots", "fails")
        for a, b in ((f"{name}1", f"{name}2"), (f"{name}2", f"{name}1"))
    )
    lines += [
        "endmodule",
        f"module station2 = station1 [ {renamed} ] endmodule",
        'label "sent" = at1=5 & at2=5;',
        'rewards "ticks"',
        "  [tick] !(at1=5 & at2=5) : 1;",
        "endrewards",
    ]
    return joined(lines)


def root_contention(pause: int, fast: tuple[int, int], slow: tuple[int, int], delay: int) -> str:
    """Two nodes find out which is the root: each tosses a coin, waits for a short or a long time, and asks the other.

    Who is asked while it waits is the root. Where both asked, both toss again, within `pause` ticks. A request travels
    for up to `delay` ticks.
    """
    lines = ["mdp"]
    for i, other in ((1, 2), (2, 1)):
        lines += [
            f"module node{i}",
            f"  at{i} : [0..4];  // tosses, waits briefly, waits long, has asked, is the root",
            f"  clock{i} : [0..{max(slow[1], pause)}];",
            f"  wire{i} : [0..{delay + 2}];  // nothing, on its way since wire-1 ticks, has arrived",
            f"  [tick] at{i}=0 & clock{i}<{pause} -> (clock{i}'=clock{i}+1);",
            f"  [] at{i}=0 -> 0.5 : (at{i}'=1) & (clock{i}'=0) + 0.5 : (at{i}'=2) & (clock{i}'=0);",
        ]
        for phase, (least, greatest) in ((1, fast), (2, slow)):
            ended = f"at{i}={phase} & clock{i}>={least}"
            lines += [
                f"  [tick] at{i}={phase} & clock{i}<{greatest} -> (clock{i}'=clock{i}+1);",
                f"  [] {ended} & wire{other}<{delay + 2} -> (at{i}'=3) & (clock{i}'=0) & (wire{i}'=1);",
                f"  [] {ended} & wire{other}={delay + 2} -> (at{i}'=4) & (clock{i}'=0);",
            ]
        lines += [
            f"  [tick] at{i}=3 & wire{i}<={delay} -> (wire{i}'=wire{i}+1);",
            f"  [] at{i}=3 & wire{i}>0 & wire{i}<={delay + 1} -> (wire{i}'={delay + 2});",
            f"  [tick] at{i}=3 & wire{i}={delay + 2} & at{other}!=3 -> true;",
            f"  [tick] at{i}=4 -> true;",
            f"  [again] at{i}=3 & wire{i}={delay + 2} & wire{other}={delay + 2} -> (at{i}'=0) & (wire{i}'=0);",
            "endmodule",
        ]
    chosen = "at1=4 | at2=4"
    lines += [f'label "chosen" = {chosen};', 'rewards "ticks"', f"  [tick] !({chosen}) : 1;", "endrewards"]
    return joined(lines)
