#!/usr/bin/env python3
"""Counts comments and paragraphs that show signs of prose that must be read twice. A guide for rewriting, not a grammar.

usage: prose.py [FOLDER] [--list | --total] [--kind KIND]

For each crate or folder below FOLDER (default: the repository): the number of comments, and how many of 100 show a sign: a fragment as
opening, a private phrase, a person as "he", a sentence of more than 30 words.
--list prints each hit as path:line: kind: text. --total prints only the last line. CONTRIBUTING.md has examples of better wording.
"""
import collections
import os
import re
import subprocess
import sys

OPENING = re.compile(
    r"^(Of|What|Whoever|Whether|That of|That is|Those|By|As|For those|Where|Which|Who|Beside|So|Besides|Not|No|One that|It|They|Nothing|None|Neither|Only|Also|Once|Upwards)\b")
OPENING_OK = re.compile(r"^(Whether (the|a|an|this|it)\b|Where the|As of|By default|So that|No-op|Not implemented|One of|Only (used|for|the)|It is an error|Note)")
PHRASE = re.compile(
    r"\b(nobody|whoever|somebody|himself|his|anew|as ever|nothing but|is not wanted|not wanted any|is told (of|by)|of ours|"
    r"are none|is none|no more of|by and by|at all events|so to speak|and the like|of its kind|as one|let in|stands? for|"
    r"what is (said|left|known|asked|meant|there)|what (was|has|had|it|they|he|one) |that of what|of what|than what|"
    r"is asked for|goes by|hands? on|taken? back|takes away|gone|beside it|of them all|how (many|much|far|long|high|wide) (it|they|of)|"
    r"the (very|same as)|once each|each once|any more|is (no|none)|there (is|are) no(ne|thing)?\b.*\bthat)\b", re.I)
COMMENT = re.compile(r"^\s*(///|//!|//|\*|#)\s?(.*)$")
SKIP = re.compile(r"(^|/)(target|node_modules|dist|files|templates|seeds|fixtures)/|schema\.d\.ts$|lock")
CODE = re.compile(r"^(```|@|eslint|spell|SPDX|\||-{3,}|={3,})|[;{}]$")


def comments(path):
    """Yields (line number, text) of each comment: neighbouring comment lines are one."""
    start, words, marker, fenced = 0, [], None, False
    hash_comments = path.endswith((".yaml", ".yml", ".sh", ".py", ".toml"))
    with open(path, errors="replace") as file:
        lines = file.read().split("\n")
    for number, line in enumerate(lines + [""], 1):
        match = COMMENT.match(line)
        ok = match and (match[1] != "#" or hash_comments) and (match[1] != "*" or path.endswith((".ts", ".tsx")))
        text = match[2].strip() if ok else ""
        if text.startswith("```"):
            fenced = not fenced
        if ok and text and not fenced and not CODE.search(text) and (not words or match[1] == marker):
            if not words:
                start, marker = number, match[1]
            words.append(text)
            continue
        if words:
            yield start, " ".join(words)
        words = []
        if not ok:
            fenced = False
        elif text and not fenced and not CODE.search(text):
            start, marker, words = number, match[1], [text]


def paragraphs(path):
    """Yields (line number, text) of each paragraph of a Markdown file."""
    start, words, fenced = 0, [], False
    with open(path, errors="replace") as file:
        lines = file.read().split("\n")
    for number, line in enumerate(lines + [""], 1):
        if line.startswith("```"):
            fenced = not fenced
        if line.strip() and not fenced and not line.startswith(("```", "|", "#", "<", "!")):
            if not words:
                start = number
            words.append(line.strip())
        elif words:
            yield start, " ".join(words)
            words = []


def signs(text):
    found = []
    plain = re.sub(r"`[^`]*`|\[[^\]]*\]|\(§[^)]*\)", "x", text)
    plain = re.sub(r"^([-*\d.]+\s+)", "", plain)
    if OPENING.match(plain) and not OPENING_OK.match(plain):
        found.append("opening")
    if PHRASE.search(plain):
        found.append("phrase")
    if any(len(sentence.split()) > 30 for sentence in re.split(r"(?<=[.!?:;])\s", plain)):
        found.append("long")
    return found


def main():
    arguments = [a for a in sys.argv[1:] if not a.startswith("--")]
    listing = "--list" in sys.argv
    kind = sys.argv[sys.argv.index("--kind") + 1] if "--kind" in sys.argv else None
    if kind in arguments:
        arguments.remove(kind)
    root = arguments[0] if arguments else "."
    names = subprocess.run(["git", "-C", root, "ls-files"], capture_output=True, text=True).stdout.split("\n")
    total, hit = collections.Counter(), collections.Counter()
    for name in names:
        if not name or SKIP.search(name) or not os.path.isfile(os.path.join(root, name)):
            continue
        path = os.path.join(root, name)
        if name.endswith((".rs", ".ts", ".tsx", ".yaml", ".py", ".toml", ".css")):
            found = comments(path)
        elif name.endswith(".md"):
            found = paragraphs(path)
        else:
            continue
        folder = "/".join(name.split("/")[:2]) if name.startswith(("crates/", "frontend/src")) else name.split("/")[0]
        for line, text in found:
            total[folder] += 1
            why = signs(text)
            if why:
                hit[folder] += 1
                if listing and (kind is None or kind in why):
                    print(f"{name}:{line}: {','.join(why)}: {text[:300]}")
    if listing:
        return
    for folder in sorted(total) if "--total" not in sys.argv else []:
        print(f"{folder:28} {total[folder]:6} comments {100 * hit[folder] / total[folder]:5.1f} of 100")
    print(f"{'= all':28} {sum(total.values()):6} comments {100 * sum(hit.values()) / max(1, sum(total.values())):5.1f} of 100")


main()
