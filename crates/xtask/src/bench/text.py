"""Counts the words of right-to-left documents that Poppler and PDFium find in their PDFs.

    text.py DOCX PDF [DOCX PDF ...]    a row per pair: name, words, found by Poppler, found by PDFium, words not found

A word is a run of Arabic or Hebrew letters in the body or in a note that the body refers to. Each word counts once. Words and
the readers' text are compared like in a search box: NFKC, without marks, tatweel and bidi controls.
"""
import os
import re
import subprocess
import sys
import unicodedata
import zipfile
from xml.etree import ElementTree

import pypdfium2

WORD = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
STRICT = "{http://purl.oclc.org/ooxml/wordprocessingml/main}"
FALLBACK = "{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback"
PARTS = re.compile(r"word/(document\d*|footnotes|endnotes)\.xml$")
LETTERS = re.compile(r"[\u05d0-\u05ea\u0621-\u064a\u0671-\u06d3\u06fa-\u06ff]{2,}")
NOTES = ("footnote", "endnote")
NOT_SHOWN = {"del", "moveFrom", "instrText", "delText", "sdtPr"}


def folded(text):
    text = unicodedata.normalize("NFKC", text)
    text = "".join(c for c in text if unicodedata.category(c) not in ("Mn", "Cf") and c != "\u0640")
    return re.sub(r"\s+", " ", text)


def is_hidden(run):
    for space in (WORD, STRICT):
        for mark in ("vanish", "webHidden"):
            flag = run.find(f"{space}rPr/{space}{mark}")
            if flag is not None and flag.get(f"{space}val", "1") not in ("0", "false", "off"):
                return True
    return False


def text_of(element):
    """Returns the text of an element. A paragraph (also one nested in a text box) stands on separate lines."""
    name = element.tag.rsplit("}", 1)[-1]
    if element.tag == FALLBACK or name in NOT_SHOWN or (name == "r" and is_hidden(element)):
        return ""
    if name == "t":
        return element.text or ""
    inner = "".join(text_of(child) for child in element)
    return f"\n{inner}\n" if name == "p" else " " if name in ("tab", "br", "cr") else inner


def words_of(docx):
    words, stories, called = set(), [], set()
    with zipfile.ZipFile(docx) as package:
        for name in package.namelist():
            part = PARTS.search(name.replace("\\", "/"))
            if part:
                root = ElementTree.fromstring(package.read(name))
                notes = [note for kind in NOTES for space in (WORD, STRICT) for note in root.findall(space + kind)]
                stories += [(note.tag, id_of(note), note) for note in notes] or [("", "", root)]
                called.update((e.tag.removesuffix("Reference"), id_of(e)) for e in root.iter() if "Reference" in e.tag)
    for kind, number, story in stories:
        if not kind or (kind, number) in called:
            words.update(LETTERS.findall(folded(text_of(story))))
    return words


def id_of(element):
    return element.get(f"{WORD}id") or element.get(f"{STRICT}id") or ""


def poppler(pdf):
    return subprocess.run(["pdftotext", pdf, "-"], check=True, capture_output=True).stdout.decode()


def pdfium(pdf):
    document = pypdfium2.PdfDocument(pdf)
    return "\n".join(page.get_textpage().get_text_range() for page in document)


def main(arguments):
    for docx, pdf in zip(arguments[::2], arguments[1::2]):
        words = words_of(docx)
        if not words:
            continue
        lost, counts = set(), []
        for read in (poppler, pdfium):
            text = folded(read(pdf))
            missing = {word for word in words if word not in text}
            counts.append(len(words) - len(missing))
            lost |= missing
        sample = " ".join(sorted(lost)[:4])
        print(os.path.basename(docx), len(words), *counts, sample, sep="\t", flush=True)


main(sys.argv[1:])
