#!/usr/bin/env python3
"""Module files of the lists *.moves.

moves.py rows ROOT F.moves...  prints the rows for rename.py that rename the modules
moves.py mv ROOT F.moves...    moves the files; run it after rename.py
"""
import sys, os, subprocess
from pathlib import Path
mode, root, files = sys.argv[1], Path(sys.argv[2]), sys.argv[3:]
for f in files:
    for l in Path(f).read_text().splitlines():
        if not l.strip() or l.startswith("#"): continue
        old, new = l.split("\t")[:2]
        o, n = Path(old), Path(new)
        on, nn = (o.parent.name, n.parent.name) if o.name == "mod.rs" else (o.stem, n.stem)
        base = o.parent.parent if o.name == "mod.rs" else o.parent
        if mode == "rows":
            if o.suffix != ".rs" or on == nn: continue
            cands = [base/"mod.rs", base/"lib.rs", base/"main.rs", base.parent/(base.name+".rs")]
            hit = None
            for c in cands:
                p = root/c
                if p.exists():
                    for line in p.read_text().split("\n"):
                        import re
                        if re.search(r"\bmod %s;" % on, line): hit = (c, line.strip())
                if hit: break
            if hit: print(f"{hit[0]}\t{hit[1]}\t{on}\t{nn}")
            else: print("# no mod line for", old, file=sys.stderr)
        else:
            if not (root/o).exists(): print("missing", o); continue
            (root/n).parent.mkdir(parents=True, exist_ok=True)
            subprocess.run(["git", "mv", str(o), str(n)], cwd=root) if subprocess.run(["git","ls-files","--error-unmatch",str(o)],cwd=root,capture_output=True).returncode==0 else (root/o).rename(root/n)
            d, e = (root/o).with_suffix(""), (root/n).with_suffix("")
            if o.name != "mod.rs" and d.is_dir(): subprocess.run(["git", "mv", str(o.with_suffix("")), str(n.with_suffix(""))], cwd=root)
