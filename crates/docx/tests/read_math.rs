//! Tests of reading formulas (ECMA-376 part 1, §22.1).

mod word;

use waraq_docx::tree::*;
use word::*;

fn formula(xml: &str) -> Math {
    formula_with("", xml)
}

fn formula_with(settings: &str, xml: &str) -> Math {
    let document = Word::new(&format!("<w:p>{xml}</w:p>")).settings(settings).read();
    let Content::Math(math) = &body(&document)[0].inlines[0].content else { panic!("a formula") };
    (**math).clone()
}

fn run(text: &str) -> String {
    format!("<m:r><m:t>{text}</m:t></m:r>")
}

fn sum(sign: &str, properties: &str) -> String {
    let sign = if sign.is_empty() { String::new() } else { format!("<m:chr m:val=\"{sign}\"/>") };
    format!(
        "<m:oMath><m:nary><m:naryPr>{sign}{properties}</m:naryPr><m:sub>{}</m:sub><m:sup/><m:e>{}</m:e></m:nary></m:oMath>",
        run("k"),
        run("a")
    )
}

fn limits_above(math: &Math) -> bool {
    let [MathNode::LargeOperator { limits_above_and_below, lower: Some(_), upper: None, .. }] = &math.content[..]
    else {
        panic!("{:?}", math.content)
    };
    *limits_above_and_below
}

#[test]
fn the_position_of_limits_follows_the_operator_or_the_document_defaults() {
    assert!(limits_above(&formula(&sum("∑", ""))));
    assert!(!limits_above(&formula(&sum("", ""))), "limits of an integral are beside it");
    assert!(!limits_above(&formula(&sum("∑", "<m:limLoc m:val=\"subSup\"/>"))));
    assert!(limits_above(&formula(&sum("∮", "<m:limLoc m:val=\"undOvr\"/>"))));
    let settings = "<m:mathPr><m:intLim m:val=\"undOvr\"/><m:naryLim m:val=\"subSup\"/></m:mathPr>";
    assert!(!limits_above(&formula_with(settings, &sum("∑", ""))));
    assert!(limits_above(&formula_with(settings, &sum("", ""))));
}

#[test]
fn displayed_formulas_have_their_own_alignment_or_the_document_default() {
    let settings = "<m:mathPr><m:wrapIndent m:val=\"720\"/><m:defJc m:val=\"left\"/></m:mathPr>";
    let plain = format!("<m:oMathPara><m:oMath>{}</m:oMath></m:oMathPara>", run("x"));
    assert_eq!(formula(&plain).alignment, MathAlignment::CenterAsGroup);
    assert_eq!(formula_with(settings, &plain).alignment, MathAlignment::Start);
    let own = plain.replace("<m:oMathPara>", "<m:oMathPara><m:oMathParaPr><m:jc m:val=\"right\"/></m:oMathParaPr>");
    assert_eq!(formula_with(settings, &own).alignment, MathAlignment::End);
    let document = Word::new("<w:p/>").settings(settings).read();
    assert_eq!(document.settings.formula_wrap_indent, 36.0);
}

#[test]
fn lines_of_a_displayed_formula_have_one_break_between_them() {
    let kinds = |math: &Math| -> String {
        let kind = |node: &MathNode| match node {
            MathNode::Run(run) => run.text.clone(),
            MathNode::LineBreak => "|".into(),
            _ => "?".into(),
        };
        math.content.iter().map(kind).collect()
    };
    let broken = "<m:r><m:t>a</m:t><w:br/></m:r>";
    let two = format!("<m:oMathPara><m:oMath>{broken}</m:oMath><m:oMath>{}</m:oMath></m:oMathPara>", run("b"));
    assert_eq!(kinds(&formula(&two)), "a|b");
    let inside = format!("<m:oMathPara><m:oMath>{broken}{}{broken}</m:oMath></m:oMathPara>", run("b"));
    let math = formula(&inside);
    assert_eq!(kinds(&math), "a|ba");
    assert_eq!(math.text, "a; ba");
    assert_eq!(kinds(&formula(&format!("<m:oMath>{broken}{}</m:oMath>", run("b")))), "ab", "none in a line of text");
}

#[test]
fn math_runs_have_script_style_breaks_and_alignment_points() {
    let xml = "<m:oMath><m:r><m:rPr><m:scr m:val=\"double-struck\"/><m:sty m:val=\"p\"/><m:brk/><m:aln/></m:rPr>\
               <m:t>R</m:t></m:r></m:oMath>";
    let math = formula(xml);
    let [MathNode::Run(run)] = &math.content[..] else { panic!("a run") };
    assert_eq!((run.style, run.script), (MathStyle::Plain, MathScript::DoubleStruck));
    assert!(run.break_before && run.align && !run.normal_text);
}

#[test]
fn properties_of_boxes_phantoms_borders_and_group_characters_are_read() {
    let of = |name: &str, properties: &str| {
        let xml = format!(
            "<m:oMath><m:{name}><m:{name}Pr>{properties}</m:{name}Pr><m:e>{}</m:e></m:{name}></m:oMath>",
            run("x")
        );
        formula(&xml).content.remove(0)
    };
    assert!(matches!(
        of("box", "<m:opEmu/><m:diff/><m:noBreak m:val=\"0\"/>"),
        MathNode::Box { operator: true, differential: true, no_break: false, .. }
    ));
    assert!(matches!(
        of("phant", "<m:show m:val=\"0\"/><m:zeroWid/>"),
        MathNode::Phantom { shown: false, zero_width: true, zero_ascent: false, zero_descent: false, .. }
    ));
    let MathNode::BorderBox { sides, strikes, .. } = of("borderBox", "<m:hideTop/><m:strikeBLTR/>") else { panic!() };
    assert_eq!((sides, strikes), ([false, true, true, true], [false, false, true, false]));
    let on_line = |properties| matches!(of("groupChr", properties), MathNode::GroupCharacter { on_baseline: true, .. });
    assert!(!on_line(""));
    assert!(!on_line("<m:pos m:val=\"top\"/><m:vertJc m:val=\"bot\"/>"));
    assert!(on_line("<m:chr m:val=\"→\"/><m:vertJc m:val=\"bot\"/>"), "an arrow with text above it");
    assert!(on_line("<m:pos m:val=\"top\"/>"));
}

#[test]
fn alignment_marks_are_not_in_the_linear_text() {
    let array = format!(
        "<m:oMath><m:eqArr><m:e>{}</m:e><m:e>{}</m:e></m:eqArr></m:oMath>",
        run("x&amp;=1#(2)"),
        run("y&amp;=3")
    );
    assert_eq!(formula(&array).text, "x=1 (2); y=3");
}
