#!/usr/bin/env python3
"""Renames old names in backticks in comments, where no code of the file (or crate, for types) has the old name."""
import re, sys, collections
from pathlib import Path
root = Path(sys.argv[1])
moves = {}
for f in Path(__file__).parent.glob("*.moves"):
    for l in f.read_text().splitlines():
        if l and not l.startswith("#"):
            o, n = l.split("\t")[:2]; moves[o] = n
per_file = collections.defaultdict(dict); per_crate = collections.defaultdict(dict)
amb = collections.defaultdict(set)
for f in Path(__file__).parent.glob("*.done"):
    for l in f.read_text().splitlines():
        p, s, o, n = l.split("\t")[:4]; p = moves.get(p.strip(), p.strip()); o, n = o.strip(), n.strip()
        crate = "/".join(p.split("/")[:2]) if p.startswith("crates") else p.split("/")[0]
        if per_file[p].get(o, n) != n: amb[p].add(o)
        per_file[p][o] = n
        if per_crate[crate].get(o, n) != n: amb[crate].add(o)
        per_crate[crate][o] = n
code = {}
files = [p for d in ("crates", "functions", "tests/api", "fuzz/src") for p in (root/d).rglob("*.rs") if "/target" not in str(p)]
for p in files:
    t = p.read_text()
    code[p] = set(re.findall(r"[A-Za-z_][A-Za-z0-9_]*", "\n".join(re.sub(r"(^|\s)//.*", "", l) for l in t.split("\n"))))
crate_of = lambda p: "/".join(str(p.relative_to(root)).split("/")[:2]) if str(p.relative_to(root)).startswith("crates") else str(p.relative_to(root)).split("/")[0]
crate_code = collections.defaultdict(set)
for p in files: crate_code[crate_of(p)] |= code[p]
all_types = {}
for c, m in per_crate.items():
    for o, n in m.items():
        if o[0].isupper() and o not in amb[c]: all_types.setdefault(o, set()).add(n)
count = 0
for p in files:
    rel = str(p.relative_to(root)); c = crate_of(p); t = p.read_text(); out = []
    for l in t.split("\n"):
        m = re.match(r"(.*?(?:^|\s)//[/!]?)(.*)$", l)
        if m and "`" in m.group(2):
            def tick(x):
                global count
                def word(w):
                    global count
                    o = w.group(0)
                    if o in per_file.get(rel, {}) and o not in amb[rel] and o not in code[p]: count += 1; return per_file[rel][o]
                    if o in per_crate[c] and o not in amb[c] and o not in crate_code[c] : count += 1; return per_crate[c][o]
                    if o[0].isupper() and len(all_types.get(o, ())) == 1 and o not in crate_code[c] and len(o) > 5: count += 1; return next(iter(all_types[o]))
                    return o
                return re.sub(r"[A-Za-z_][A-Za-z0-9_]*", word, x.group(0))
            l = m.group(1) + re.sub(r"`[^`]+`", tick, m.group(2))
        out.append(l)
    n = "\n".join(out)
    if n != t: p.write_text(n)
print("replaced", count)
