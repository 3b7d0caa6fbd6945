#!/usr/bin/env python3
"""ra.py ROOT LIST.tsv...: applies renames through rust-analyzer. path, declaration line start[@N], old, new."""
import json, os, re, subprocess, sys, threading, queue, time
from pathlib import Path
root = Path(sys.argv[1]).resolve()
lists = sys.argv[2:]
def uri(p): return "file://" + str(p)
proc = subprocess.Popen(["rust-analyzer"], cwd=root, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
lock = threading.Lock()
def send(m):
    b = json.dumps(m).encode()
    with lock:
        proc.stdin.write(b"Content-Length: %d\r\n\r\n" % len(b) + b); proc.stdin.flush()
inbox = queue.Queue(); status = {"quiescent": False}
def reader():
    while True:
        n = 0
        while True:
            l = proc.stdout.readline()
            if not l: return
            l = l.strip()
            if not l: break
            if l.lower().startswith(b"content-length"): n = int(l.split(b":")[1])
        m = json.loads(proc.stdout.read(n))
        if "method" in m and "id" in m:
            r = None
            if m["method"] == "workspace/configuration": r = [CONF for _ in m["params"]["items"]]
            send({"jsonrpc": "2.0", "id": m["id"], "result": r})
        elif m.get("method") == "experimental/serverStatus":
            status["quiescent"] = m["params"]["quiescent"]; print("status", m["params"].get("health"), m["params"]["quiescent"], m["params"].get("message"), flush=True)
        elif "id" in m: inbox.put(m)
threading.Thread(target=reader, daemon=True).start()
CONF = {"checkOnSave": False, "diagnostics": {"enable": False}, "cargo": {"allTargets": True, "features": os.environ.get("RA_FEATURES", "all") if os.environ.get("RA_FEATURES","all") == "all" else [], "targetDir": True}, "cachePriming": {"enable": False}, "files": {"exclude": ["frontend", "tests/e2e", "fuzz"]}}
nid = 0
def req(method, params, timeout=600):
    global nid; nid += 1; i = nid
    send({"jsonrpc": "2.0", "id": i, "method": method, "params": params})
    end = time.time() + timeout
    while time.time() < end:
        m = inbox.get(timeout=timeout)
        if m["id"] == i: return m
def note(method, params): send({"jsonrpc": "2.0", "method": method, "params": params})
req("initialize", {"processId": os.getpid(), "rootUri": uri(root), "workspaceFolders": [{"uri": uri(root), "name": "w"}],
  "initializationOptions": CONF, "capabilities": {"experimental": {"serverStatusNotification": True}, "general": {"positionEncodings": ["utf-8"]},
  "workspace": {"workspaceEdit": {"documentChanges": True, "resourceOperations": ["create", "rename", "delete"]}, "configuration": True}, "textDocument": {"rename": {"prepareSupport": False}}, "window": {"workDoneProgress": False}}})
note("initialized", {})
t0 = time.time()
while not status["quiescent"] and time.time() - t0 < 900: time.sleep(1)
time.sleep(2)
while not status["quiescent"] and time.time() - t0 < 1200: time.sleep(1)
print("ready after", int(time.time() - t0), flush=True)

SKIP = ("/target", "/node_modules/", "/frontend/", "/.git/", "/fuzz/")
def snapshot():
    out = {}
    for d in ("crates", "functions", "tests"):
        for p in (root / d).rglob("*.rs"):
            if any(x in str(p) for x in SKIP): continue
            out[p] = p.read_text()
    return out
versions = {}; sent = {}
def open_all(snap):
    for p, t in snap.items():
        if sent.get(p) == t: continue
        sent[p] = t
        if p not in versions:
            versions[p] = 1
            note("textDocument/didOpen", {"textDocument": {"uri": uri(p), "languageId": "rust", "version": 1, "text": t}})
        else:
            versions[p] += 1
            note("textDocument/didChange", {"textDocument": {"uri": uri(p), "version": versions[p]}, "contentChanges": [{"text": t}]})
rows = []
for lst in lists:
    done = Path(lst + ".done"); finished = set(done.read_text().splitlines()) if done.exists() else set()
    for row in Path(lst).read_text().splitlines():
        if not row.strip() or row.startswith("#") or row in finished: continue
        f = row.split("\t")
        if len(f) < 4 or f[2].strip() == f[3].strip(): print("BAD ROW", row); continue
        if not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", f[3].strip()): print("BAD NAME", row); continue
        rows.append((lst, row, f[0].strip(), f[1], f[2].strip(), f[3].strip()))
print(len(rows), "rows", flush=True)
def locate(snap, path, start, old):
    p = root / path
    if p not in snap: return None
    nth = 1; m = re.search(r"@(\d+)$", start)
    if m: nth = int(m.group(1)); start = start[:m.start()]
    start = start.strip(); lines = snap[p].split("\n")
    for mode in (0, 1, 2):
        k = 0
        for i, l in enumerate(lines):
            st = l.strip()
            if st.startswith("//"): continue
            if mode == 0:
                if not st.startswith(start): continue
                at = l.find(start)
            elif mode == 1:
                at = l.find(start)
                if at < 0: continue
            else:  # declaration by keyword, whatever the rest of the line says
                m = re.search(r"\b(fn|struct|enum|trait|type|const|static|mod) %s\b" % re.escape(old), l)
                if not m: continue
                at = m.start()
            rx = re.search(r"\b%s\b" % re.escape(old), l[at:])
            if not rx: continue
            k += 1
            if k == nth or mode == 2: return p, i, len(l[:at + rx.start()].encode())
    return None
def edits_of(result):
    out = {}
    for c in result.get("documentChanges") or []:
        if "kind" in c: continue
        out.setdefault(c["textDocument"]["uri"], []).extend(c["edits"])
    for u, e in (result.get("changes") or {}).items(): out.setdefault(u, []).extend(e)
    return out
def wait_for(ids, timeout=900):
    got = {}; end = time.time() + timeout
    while len(got) < len(ids) and time.time() < end:
        try: m = inbox.get(timeout=5)
        except queue.Empty: continue
        if m["id"] in ids: got[m["id"]] = m
    return got
ok = bad = 0
for rnd in range(6):
    if not rows: break
    snap = snapshot(); open_all(snap); time.sleep(1)
    later = []; claims = {}; plan = {}; t0 = time.time(); accepted = []
    def claim(row, result):
        """Adds the edits of a rename to the plan, or returns False if one overlaps another."""
        mine = []
        for u, edits in edits_of(result).items():
            p = Path(u[7:])
            if p not in snap: return "outside " + str(p)
            data = snap[p].encode()
            if ("starts", p) not in claims:
                acc = [0]
                for l in data.split(b"\n"): acc.append(acc[-1] + len(l) + 1)
                claims[("starts", p)] = acc
            acc = claims[("starts", p)]; seen = set()
            for e in edits:
                a = acc[e["range"]["start"]["line"]] + e["range"]["start"]["character"]
                b = acc[e["range"]["end"]["line"]] + e["range"]["end"]["character"]
                if (a, b) in seen: continue
                seen.add((a, b)); mine.append((p, a, b, e["newText"].encode()))
        for p, a, b, t in mine:
            for x in plan.get(p, []):
                if a <= x[1] and x[0] <= b: return "overlap"
        for p, a, b, t in mine: plan.setdefault(p, []).append((a, b, t))
        return None
    todo = list(rows)
    while todo:
        chunk, todo = todo[:40], todo[40:]
        ids = {}
        for r in chunk:
            pos = locate(snap, r[2], r[3], r[4])
            if not pos:
                print("FAILED no line", r[1], flush=True); bad += 1; continue
            nid += 1; ids[nid] = r
            send({"jsonrpc": "2.0", "id": nid, "method": "textDocument/rename", "params": {"textDocument": {"uri": uri(pos[0])}, "position": {"line": pos[1], "character": pos[2]}, "newName": r[5]}})
        got = wait_for(ids)
        for i, r in ids.items():
            m = got.get(i)
            if not m or "error" in m or not m.get("result"):
                msg = m and m.get("error", {}).get("message") or "no result"
                if "content modified" in msg.lower() or not m: later.append(r); continue
                print("FAILED", msg, r[1], flush=True); bad += 1; continue
            why = claim(r, m["result"])
            if why == "overlap": later.append(r); continue
            if why: print("FAILED", why, r[1], flush=True); bad += 1; continue
            accepted.append(r)
        print(f"  round {rnd}: {len(accepted)} accepted, {len(later)} later, {len(todo)} left, {int(time.time()-t0)} s", flush=True)
    changed = [p for p in plan if p.read_text() != snap[p]]
    if changed:
        print("  changed by others:", [str(p) for p in changed], flush=True)
        # three-way: apply to the snapshot and let git merge the others' edits
    for p, edits in plan.items():
        data = snap[p].encode()
        for a, b, t in sorted(edits, key=lambda e: (e[0], e[1]), reverse=True): data = data[:a] + t + data[b:]
        if p in changed:
            import tempfile
            names = []
            for text in (p.read_bytes(), snap[p].encode(), data):
                f = tempfile.NamedTemporaryFile(delete=False); f.write(text); f.close(); names.append(f.name)
            r = subprocess.run(["git", "merge-file", "-p", "--diff3", *names], capture_output=True)
            if r.returncode != 0: print("  CONFLICTS", r.returncode, p, flush=True)
            data = r.stdout
        p.write_bytes(data)
    for r in accepted:
        ok += 1
        with open(r[0] + ".done", "a") as d: d.write(r[1] + "\n")
    rows = later
print("done", ok, "failed", bad, "left", len(rows))
for r in rows: print("LEFT", r[1])
send({"jsonrpc": "2.0", "id": 999999, "method": "shutdown", "params": None}); time.sleep(2); proc.kill()
