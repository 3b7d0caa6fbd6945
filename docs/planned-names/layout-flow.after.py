#!/usr/bin/env python3
"""Run AFTER the renames of layout-flow.tsv (before or after the moves): python3 layout-flow.after.py REPOSITORY
1. local variables and parameters of crates/layout/src/flow (text replacement; code lines only)
2. helpers of the shared test modules (flow_common, math_common, text_common), which rust-analyzer cannot rename in all test crates
3. old names in doc comments and in the doctest of lib.rs
Then: rustfmt the files, cargo test -p waraq-layout.
"""
import glob, os, re, sys
ROOT = sys.argv[1] + '/crates/layout/'
FLOW = ROOT + 'src/flow/'

def word(code, old, new):
    """Replaces a local: not a field or method (.old), not a path (::old, old::), not in a `use` or `mod` line."""
    return re.sub(r'(?<![\w.])(?<!::)(?<!mod )' + old + r'(?![\w!])(?!::)', new, code)

def locals_of(path, pairs):
    lines = open(path, encoding='utf8').read().split('\n')
    in_use = False
    for i, l in enumerate(lines):
        s = l.strip()
        in_use = in_use or s.startswith(('use ', 'pub use ', 'pub(super) use '))
        if not in_use and not s.startswith(('//', 'mod ', 'pub(super) mod ')):
            for old, new in pairs:
                # `..struct_expression` keeps working: the dots are a range or base here, not a field access
                l = re.sub(r'(?<=\.\.)' + old + r'(?![\w!])(?!::)', new, l)
                l = word(l, old, new)
            lines[i] = re.sub(r'(?<=[{ (,])(\w+): \1(?=\s*[,}])', r'\1', l)
        if in_use and s.endswith(';'):
            in_use = False
    open(path, 'w', encoding='utf8').write('\n'.join(lines))

COMMON = [('setter', 'ctx'), ('filler', 'builder'), ('given', 'input'), ('filled', 'output'), ('galley', 'content'), ('looks', 'traits')]
UNITS = [('of_units', 'of_fragments'), ('units', 'fragments'), ('unit', 'fragment')]
BREAKS = [('points', 'row_break'), ('point', 'cell_break'), ('cut', 'row_break')]
ROWS = [('pieces', 'row_fragments'), ('piece', 'row_fragment')]
PER_FILE = {
    'answers.rs field_results.rs': [('answers', 'results')],
    'book.rs page_builder.rs': UNITS + [('tries', 'band_input'), ('driven_out', 'displaced')],
    'column.rs comments.rs decorate.rs draft.rs page_draft.rs frames.rs text_frame.rs text_box.rs': UNITS,
    'drawing.rs': UNITS + [('setting', 'painter'), ('cut', 'is_cut_off')],
    'fill.rs lay_out.rs': UNITS + [('cut', 'row_break')],
    'finish.rs paint_pages.rs': UNITS + [('piece', 'fragment')],
    'notes.rs': UNITS + [('pieces', 'fragments'), ('piece', 'fragment'), ('point', 'cell_break')],
    'paint.rs': ROWS + UNITS + BREAKS[1:],
    'paragraph.rs': UNITS + [('piece', 'part'), ('setting', 'state')],
    'unit.rs fragment.rs': UNITS + [('piece', 'part')],
    'dates.rs': [('piece', 'formatted')],
    'mod.rs': [('answers', 'field_results')],
}
for path in glob.glob(FLOW + '**/*.rs', recursive=True):
    name = os.path.relpath(path, FLOW)
    extra = [p for names, pairs in PER_FILE.items() if name in names.split() for p in pairs]
    if name.startswith('table/'):
        extra = ROWS + UNITS + BREAKS
    locals_of(path, extra + COMMON)

def sub(path, pairs):
    if not os.path.exists(path):
        return
    text = open(path, encoding='utf8').read()
    for old, new in pairs:
        text, n = re.subn(old, new, text)
        if n == 0:
            print('no match:', os.path.relpath(path, ROOT), old)
    open(path, 'w', encoding='utf8').write(text)

def free(old, new):
    return (r'(?:(?<=\.\.)|(?<![\w.:]))' + old + r'\(', new + '(')

# 2. shared test helpers
flow = [free('set', 'lay_out'), free('collect', 'collect_texts'), free('texts', 'placed_texts'), free('find', 'find_text'), free('near', 'assert_near'),
        free('numbered', 'numbered_paragraphs'), (r'(?<!\.)\.with\(', '.with_properties('), (r'fn with\(', 'fn with_properties('), (r'(?<!\.)\.and\(', '.with_content('),
        (r'fn and\(', 'fn with_content('), (r'\.block\(\)', '.into_block()'), (r'fn block\(self', 'fn into_block(self'), (r'With::and\b', 'ParagraphBuilder::with_content'),
        (r'With::block\b', 'ParagraphBuilder::into_block'), (r'trait With\b', 'trait ParagraphBuilder'), (r'impl With for', 'impl ParagraphBuilder for'),
        (r'\bFound\b', 'PlacedText')]
def quiet(path, pairs):
    text = open(path, encoding='utf8').read()
    for old, new in pairs:
        text = re.sub(old, new, text)
    open(path, 'w', encoding='utf8').write(text)
T = ROOT + 'tests/'
for path in glob.glob(T + 'flow_*.rs') + [T + 'flow_common/mod.rs']:
    quiet(path, flow)
math = [free('set', 'lay_out_formula'), free('look', 'math_run_properties'), free('letters', 'italic_run'), free('words', 'text_content'),
        (r'\.sign\(', '.character('), (r'fn sign\(', 'fn character('), (r'\.all\("', '.all_characters("'), (r'fn all\(', 'fn all_characters('), (r'\.read\(\)', '.text()'),
        (r'fn read\(', 'fn text('), (r'\.signs\b', '.characters'), (r'\bsigns: Vec', 'characters: Vec'), (r'Self \{ signs,', 'Self { characters: signs,'),
        (r'\bSigns::of\b', 'FormulaLine::from_line'), (r'pub fn of\(line', 'pub fn from_line(line'), (r'\bSigns\b', 'FormulaLine'), (r'\bSign\b', 'PlacedCharacter'),
        free('near', 'assert_near'), (r'\bnear\b(?=[,;}])', 'assert_near'), (r'text_common::near\b', 'text_common::assert_near'),
        (r'\{near, visual\}', '{assert_near, visual_text}'), (r'\bvisual\b(?=[),(])', 'visual_text'), (r'\{assert_near, visual\}', '{assert_near, visual_text}'),
        (r'flow_common::\{With, document, set, text\}', 'flow_common::{ParagraphBuilder, document, lay_out, text}'),
        (r'lay_out_formula\(&document\(', 'lay_out(&document('), (r'\.and\(inline\(', '.with_content(inline('), (r'\)\.block\(\)\]', ').into_block()]')]
for path in glob.glob(T + 'math_*.rs') + [T + 'math_common/mod.rs']:
    quiet(path, math)
text = [free('near', 'assert_near'), free('visual', 'visual_text'), (r'\bmap\(visual\)', 'map(visual_text)'), free('letters', 'line_text'), (r'\bmap\(letters\)', 'map(line_text)'),
        free('ends', 'line_ends'), free('width_of', 'run_width'), (r'\bFields\b', 'TestFields')]
for path in glob.glob(T + 'text_*.rs') + [T + 'text_common/mod.rs']:
    quiet(path, text)

# 3. names in comments
def docs(names, pairs):
    for name in names.split():
        path = ROOT + 'src/' + name
        if not os.path.exists(path):
            continue
        lines = open(path, encoding='utf8').read().split('\n')
        for old, new in pairs:
            n = 0
            for i, l in enumerate(lines):
                if l.strip().startswith('//') and old in l:
                    lines[i] = l.replace(old, new); n += 1
            if n == 0:
                print('no comment:', name, old)
        open(path, 'w', encoding='utf8').write('\n'.join(lines))
docs('lib.rs', [('[`Options', '[`LayoutOptions'), ('Item, Options, layout', 'DisplayItem, LayoutOptions, layout'),
                ('&Options::default()', '&LayoutOptions::default()'), ('Item::Glyphs', 'DisplayItem::Glyphs')])
docs('page.rs', [('crate::Options::now', 'crate::LayoutOptions::now')])
docs('flow/answers.rs flow/field_results.rs', [('`asked`', '`field_format`'), ('`own`', '`page_format`')])
docs('flow/border.rs', [('`HALF_WAVE`', '`HALF_WAVE_LENGTH`')])
docs('flow/comments.rs', [('`MARGIN`', '`STRIP_MARGIN`')])
docs('flow/draft.rs flow/page_draft.rs', [('`place`', '`expected`')])
docs('flow/fill.rs flow/lay_out.rs', [('with index `place`', 'with this index')])
docs('flow/metafile.rs', [('`WIDEST`', '`MAX_TEXT_SCALE`')])
docs('flow/notes.rs', [('`called_height`', '`referenced_height`'), ('`THICKNESS`', '`SEPARATOR_THICKNESS`')])
docs('flow/unit.rs flow/fragment.rs', [('`unit`', '`fragment_index`'), ('`beside`', '`parts_beside_floats`')])
docs('flow/table/columns.rs', [('`most`', '`max_content`'), ('width `of`', '`reference_width`')])
docs('flow/table/grid.rs', [('`first`', '`first_column`'), ('`end`', '`end_column`')])
docs('flow/table/place.rs flow/table/rows.rs', [('[`float_rest`]', '[`float_last_part`]')])
docs('flow/chart/mod.rs', [('`LINE`', '`LINE_HEIGHT`'), ('`line`', '`line_width`')])
