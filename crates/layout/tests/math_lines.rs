//! Formulas among text: letters and spacing, displayed formulas, line breaks, text extraction and hostile input.

mod book;
mod flow_common;
mod math_common;
mod text_common;

use std::sync::Arc;

use math_common::*;
use text_common::{assert_near, visual_text};
use waraq_docx::tree::*;
use waraq_layout::ElementKind;

/// Returns the glyph of a character in the math font.
fn glyph(character: char) -> u16 {
    let file = waraq_fonts::files().iter().find(|file| file.family == "Noto Sans Math").unwrap();
    let font = harfrust::font::Font::new(harfrust::font::Blob::from(file.data.to_vec()), 0).unwrap();
    font.charmap().map_unicode(character).unwrap().to_u32() as u16
}

#[test]
fn letters_are_shown_italic_and_extracted_as_typed() {
    let line = lay_out_formula(inline(vec![italic_run("a-hπ3"), upright("x")]));
    assert_eq!(line.text(), "a-hπ3x");
    for (text, shown) in [("a", '𝑎'), ("-", '−'), ("h", 'ℎ'), ("π", '𝜋'), ("3", '3'), ("x", 'x')] {
        assert_eq!(line.character(text).glyphs, [glyph(shown)], "{text}");
    }
    let struck = MathNode::Run(MathRun { script: MathScript::DoubleStruck, ..run("R") });
    assert_eq!(lay_out_formula(inline(vec![struck])).character("R").glyphs, [glyph('ℝ')]);
}

#[test]
fn normal_text_in_a_formula_keeps_its_own_font() {
    let look = Arc::new(text_common::run("Calibri", SIZE));
    let text = MathNode::Run(MathRun { normal_text: true, run: look, ..run("if a") });
    let line = lines(vec![inline(vec![italic_run("x"), text])], 500.0).remove(0);
    let runs = text_common::glyph_runs(&line);
    assert_eq!(runs.len(), 2);
    assert_ne!(runs[0].font, runs[1].font);
    assert_eq!(&*runs[1].text, "if a");
}

#[test]
fn space_around_operators_depends_on_their_neighbours() {
    let gap = |formula: &str, before: &str, after: &str| {
        let line = lay_out_formula(inline(row(formula)));
        let (before, after) = (line.character(before), line.character(after));
        let natural = lay_out_formula(inline(row(before.text.as_str()))).characters[0].advance;
        after.x - before.x - natural
    };
    assert!(gap("a+b", "a", "+") > 0.2 * SIZE);
    assert!(gap("a=b", "a", "=") > gap("a+b", "a", "+"), "relations have more");
    assert_near(gap("+b", "+", "b"), 0.0, 0.01);
    assert_near(gap("a=-b", "-", "b"), 0.0, 0.01);
    assert_near(gap("1,5", "1", ","), 0.0, 0.01);
    assert_near(gap("1,5", ",", "5"), 0.0, 0.01);
    assert!(gap("f,g", ",", "g") > 0.1 * SIZE);
    let script = lay_out_formula(inline(vec![scripts("x", None, Some("a+b"))]));
    let natural = lay_out_formula(inline(row("a"))).characters[0].advance * script.character("a").size / SIZE;
    assert_near(script.character("+").x - script.character("a").x, natural, 0.05);
}

#[test]
fn an_inline_formula_is_on_the_baseline_and_not_separated_from_punctuation() {
    let all = lines(vec![text_content("so "), inline(row("a")), text_content(", and more")], 1_000.0);
    assert_eq!(all.len(), 1);
    assert_eq!(visual_text(&all[0]), "so a, and more");
    assert!(text_common::glyph_runs(&all[0]).iter().all(|run| (run.y - all[0].baseline).abs() < 0.01));
    // The formula is never separated from the comma, even in a narrow column.
    let narrow = lines(vec![text_content("so "), inline(row("a")), text_content(", and more")], 2.5 * SIZE);
    assert!(
        narrow.iter().any(|line| visual_text(line).contains("a,")),
        "{:?}",
        narrow.iter().map(visual_text).collect::<Vec<_>>()
    );
    // A formula increases the height of its line as needed.
    let matrix = MathNode::Matrix { rows: vec![vec![row("a")]; 3], alignment: Vec::new() };
    let tall = lines(vec![text_content("so "), inline(vec![matrix])], 1_000.0);
    assert!(tall[0].height > all[0].height);
}

#[test]
fn a_displayed_formula_has_a_line_of_its_own_in_the_middle() {
    let contents = vec![text_content("before"), displayed(row("x")), text_content("after")];
    let all = lines(contents, 400.0);
    assert_eq!(
        all.iter().map(visual_text).map(|text| text.trim().to_owned()).collect::<Vec<_>>(),
        ["before", "x", "after"]
    );
    let x = &FormulaLine::from_line(&all[1]).characters[0].clone();
    assert_near(x.x + x.advance / 2.0, 200.0, 0.1);
    assert_near(all[2].text_left, 0.0, 0.01);
    for (alignment, left) in [(MathAlignment::Start, 0.0), (MathAlignment::End, 400.0 - x.advance)] {
        let line = lines(vec![math(true, alignment, row("x"))], 400.0).remove(0);
        assert_near(FormulaLine::from_line(&line).characters[0].x, left, 0.1);
    }
}

#[test]
fn manual_lines_of_a_displayed_formula_are_aligned_as_a_group() {
    let content = vec![italic_run("a=b+c+d+e"), MathNode::LineBreak, italic_run("f=g")];
    let all = lines(vec![displayed(content.clone())], 500.0);
    assert_eq!(
        all.iter().map(visual_text).map(|text| text.trim().to_owned()).collect::<Vec<_>>(),
        ["a=b+c+d+e", "f=g"]
    );
    let left = |line| FormulaLine::from_line(line).characters[0].x;
    assert_near(left(&all[0]), left(&all[1]), 0.01);
    assert!(left(&all[0]) > 100.0);
    let centred = lines(vec![math(true, MathAlignment::Center, content)], 500.0);
    assert!(left(&centred[1]) > left(&centred[0]) + SIZE);
}

#[test]
fn a_long_formula_is_broken_before_top_level_operators() {
    let mut content = row("y=");
    for _ in 0..6 {
        content.push(brackets(true, vec![row("a+b")]));
        content.push(italic_run("+"));
    }
    content.push(italic_run("z"));
    let all = lines(vec![displayed(content)], 300.0);
    assert!(all.len() > 1);
    let texts: Vec<String> = all.iter().map(visual_text).collect();
    assert!(texts[1..].iter().all(|text| text.starts_with('+')), "{texts:?}");
    assert!(texts.iter().all(|text| text.matches('(').count() == text.matches(')').count()), "{texts:?}");
    assert_eq!(texts.concat(), format!("y={}z", "(a+b)+".repeat(6)));
    // The first line begins at the edge. The others are indented by an inch (m:wrapIndent).
    assert_near(FormulaLine::from_line(&all[0]).characters[0].x, 0.0, 0.01);
    assert!(FormulaLine::from_line(&all[1]).characters[0].x >= 71.9);
    assert!(all.iter().all(|line| line.text_right <= 300.5));
}

#[test]
fn a_formula_keeps_its_direction_in_a_right_to_left_paragraph() {
    let mut rtl = paragraph(vec![text_content("لأن "), inline(row("a=2+b")), text_content(" صحيح")]);
    rtl.properties = Arc::new(ParagraphProperties { bidi: true, ..ParagraphProperties::default() });
    let line = text_common::Setup::default().lines(&rtl, 400.0).remove(0);
    let signs = FormulaLine::from_line(&line);
    let x: Vec<f32> = ["a", "=", "2", "+", "b"].iter().map(|text| signs.character(text).x).collect();
    assert!(x.windows(2).all(|pair| pair[0] < pair[1]), "{x:?}");
}

#[test]
fn a_formula_is_a_structure_element_with_alternative_text() {
    use flow_common::{ParagraphBuilder, document, lay_out, text};
    let pages = lay_out(&document(vec![text(&["of"]).with_content(inline(row("a=b"))).into_block()]));
    let formula = pages.structure.iter().position(|element| {
        matches!(&element.kind, ElementKind::Formula { alternative_text } if alternative_text == "in one line")
    });
    let formula = formula.expect("a formula in the structure");
    let inside: String = pages.pages[0]
        .items
        .iter()
        .filter(|placed| placed.element.is_some_and(|element| element.0 as usize == formula))
        .filter_map(|placed| match &placed.item {
            waraq_layout::DisplayItem::Glyphs(run) => Some(&*run.text),
            _ => None,
        })
        .collect();
    assert_eq!(inside, "a=b");
}

#[test]
fn hostile_formulas_cost_no_more_than_their_size() {
    let deep = (0..300).fold(row("x"), |inner, _| vec![fraction(FractionKind::Bar, inner, row("y"))]);
    assert_eq!(lines(vec![displayed(deep)], 300.0).len(), 1);
    // A growing operator must not lay out its body twice: with 40 levels, that would take exponential time.
    let grown = (0..300).fold(row("x"), |body, _| {
        vec![MathNode::LargeOperator {
            operator: '∫',
            limits_above_and_below: true,
            grow: true,
            lower: None,
            upper: None,
            body,
        }]
    });
    lines(vec![displayed(grown)], 300.0);
    for size in [f32::NAN, f32::INFINITY, -5.0, 0.0, 1e30] {
        let look = Arc::new(RunProperties { size, ..math_run_properties() });
        let root =
            MathNode::Radical { degree: None, radicand: vec![MathNode::Run(MathRun { run: look, ..run("x+1") })] };
        for line in lines(vec![displayed(vec![brackets(true, vec![vec![root]])])], 300.0) {
            assert!(line.height.is_finite() && line.baseline.is_finite());
        }
    }
    let empty = vec![
        MathNode::Matrix { rows: vec![Vec::new(), vec![Vec::new()]], alignment: Vec::new() },
        MathNode::EquationArray { rows: Vec::new() },
        brackets(true, Vec::new()),
        fraction(FractionKind::Bar, Vec::new(), Vec::new()),
        MathNode::LineBreak,
        MathNode::LineBreak,
    ];
    assert!(!lines(vec![displayed(empty)], 300.0).is_empty());
    let wide = (0..20_000).map(|_| italic_run("a+")).collect();
    assert!(lines(vec![inline(wide)], 300.0).len() > 100);
}

/// §22.1.2.4: the marked characters of a formula's lines are aligned, regardless of the content before and after them.
#[test]
fn lines_are_aligned_at_their_alignment_marks() {
    let marked = |text: &str| MathNode::Run(MathRun { align: true, ..run(text) });
    let content =
        || vec![italic_run("a+b"), marked("="), italic_run("c"), MathNode::LineBreak, marked("="), italic_run("d+e+f")];
    for alignment in [MathAlignment::Start, MathAlignment::Center, MathAlignment::CenterAsGroup, MathAlignment::End] {
        let all = lines(vec![math(true, alignment, content())], 400.0);
        assert_eq!(all.len(), 2);
        let [first, second] = [FormulaLine::from_line(&all[0]), FormulaLine::from_line(&all[1])];
        assert_near(first.character("=").x, second.character("=").x, 0.05);
    }
}
