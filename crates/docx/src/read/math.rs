//! Office Math (§22.1) into a tree of its own, with a reading in one line.

use std::rc::Rc;
use std::sync::Arc;

use super::cascade::ParagraphBase;
use super::namespaces::Ns;
use super::story::Story;
use super::values::{integer, on_off};
use super::xml::Element;
use crate::tree::*;

impl<'t> Story<'t, '_> {
    /// `m:oMath`, `m:oMathPara`.
    pub(crate) fn math(&mut self, element: Element<'t>, base: &Rc<ParagraphBase>) {
        let display = element.name() == "oMathPara";
        let formulas: Vec<Element<'t>> = if display { element.all(Ns::M, "oMath").collect() } else { vec![element] };
        let mut content = MathRow::new();
        for formula in formulas {
            content.extend(self.math_row(formula, base));
        }
        if content.is_empty() {
            return;
        }
        let alignment = element.child(Ns::M, "oMathParaPr").and_then(|properties| m_val(properties, "jc"));
        let mut text = String::new();
        linear(&content, &mut text);
        let run = first_run(&content).unwrap_or_else(|| self.run_properties(base, None));
        let math = Math { display, alignment: alignment.map(alignment_of).unwrap_or_default(), content, text };
        self.emit(Content::Math(Box::new(math)), &run);
    }

    fn math_row(&mut self, container: Element<'t>, base: &Rc<ParagraphBase>) -> MathRow {
        let mut row = MathRow::new();
        for child in container.children() {
            self.math_node(child, base, &mut row);
        }
        row
    }

    /// The row in a child of that name; `None` where there is none.
    fn math_part(&mut self, element: Element<'t>, name: &str, base: &Rc<ParagraphBase>) -> Option<MathRow> {
        element.child(Ns::M, name).map(|part| self.math_row(part, base))
    }

    fn math_node(&mut self, element: Element<'t>, base: &Rc<ParagraphBase>, row: &mut MathRow) {
        if element.ns() == Ns::W {
            match element.name() {
                "ins" | "moveTo" | "del" | "moveFrom" => {
                    self.in_revision(element, |story| row.extend(story.math_row(element, base)));
                }
                "sdt" => {
                    if let Some(content) = element.child(Ns::W, "sdtContent") {
                        row.extend(self.math_row(content, base));
                    }
                }
                "r" => row.extend(self.math_run(element, base)),
                "hyperlink" | "smartTag" | "customXml" => row.extend(self.math_row(element, base)),
                _ => {}
            }
            return;
        }
        if element.ns() != Ns::M {
            return;
        }
        let node = match element.name() {
            "r" => self.math_run(element, base),
            "oMath" | "box" | "e" => {
                let inner = if element.name() == "box" { element.child(Ns::M, "e") } else { Some(element) };
                row.extend(inner.map(|inner| self.math_row(inner, base)).unwrap_or_default());
                None
            }
            _ => self.math_structure(element, base),
        };
        row.extend(node);
    }

    fn math_structure(&mut self, element: Element<'t>, base: &Rc<ParagraphBase>) -> Option<MathNode> {
        let properties = |name| element.child(Ns::M, name);
        let mut part = |name: &str| self.math_part(element, name, base).unwrap_or_default();
        Some(match element.name() {
            "f" => MathNode::Fraction {
                kind: match properties("fPr").and_then(|properties| m_val(properties, "type")) {
                    Some("skw") => FractionKind::Skewed,
                    Some("lin") => FractionKind::Linear,
                    Some("noBar") => FractionKind::NoBar,
                    _ => FractionKind::Bar,
                },
                numerator: part("num"),
                denominator: part("den"),
            },
            "rad" => {
                let hidden = properties("radPr").and_then(|properties| m_flag(properties, "degHide")).unwrap_or(false);
                let degree = part("deg");
                MathNode::Radical { degree: (!hidden && !degree.is_empty()).then_some(degree), radicand: part("e") }
            }
            "sSub" => scripts(part("e"), Some(part("sub")), None, false),
            "sSup" => scripts(part("e"), None, Some(part("sup")), false),
            "sSubSup" => scripts(part("e"), Some(part("sub")), Some(part("sup")), false),
            "sPre" => scripts(part("e"), Some(part("sub")), Some(part("sup")), true),
            "nary" => {
                let of = properties("naryPr");
                let hidden = |name| of.and_then(|of| m_flag(of, name)).unwrap_or(false);
                let (lower, upper) = (part("sub"), part("sup"));
                MathNode::LargeOperator {
                    operator: character(of, '∫'),
                    limits_above_and_below: of.and_then(|of| m_val(of, "limLoc")) == Some("undOvr"),
                    lower: (!hidden("subHide") && !lower.is_empty()).then_some(lower),
                    upper: (!hidden("supHide") && !upper.is_empty()).then_some(upper),
                    body: part("e"),
                }
            }
            "func" => MathNode::Function { name: part("fName"), argument: part("e") },
            "acc" => MathNode::Accent { mark: character(properties("accPr"), '\u{302}'), base: part("e") },
            "bar" => {
                let over = properties("barPr").and_then(|properties| m_val(properties, "pos")) == Some("top");
                MathNode::Bar { over, base: part("e") }
            }
            "limLow" => MathNode::Limit { base: part("e"), limit: part("lim"), over: false },
            "limUpp" => MathNode::Limit { base: part("e"), limit: part("lim"), over: true },
            "groupChr" => {
                let of = properties("groupChrPr");
                let over = of.and_then(|of| m_val(of, "pos")) == Some("top");
                MathNode::GroupCharacter { character: character(of, '\u{23DF}'), over, base: part("e") }
            }
            "borderBox" => {
                let of = properties("borderBoxPr");
                let hidden = |name| of.and_then(|of| m_flag(of, name)).unwrap_or(false);
                let sides = ["hideTop", "hideBot", "hideLeft", "hideRight"].map(|name| !hidden(name));
                MathNode::BorderBox { sides, content: part("e") }
            }
            "phant" => {
                let shown = properties("phantPr").and_then(|properties| m_flag(properties, "show")).unwrap_or(true);
                MathNode::Phantom { shown, content: part("e") }
            }
            "d" => self.delimiters(element, base),
            "m" => self.matrix(element, base),
            "eqArr" => {
                let rows = element.all(Ns::M, "e").map(|row| self.math_row(row, base)).collect();
                MathNode::EquationArray { rows }
            }
            _ => return None,
        })
    }

    fn delimiters(&mut self, element: Element<'t>, base: &Rc<ParagraphBase>) -> MathNode {
        let properties = element.child(Ns::M, "dPr");
        let sign = |name, otherwise: &str| {
            let given = properties.and_then(|properties| properties.child(Ns::M, name));
            given.map_or(otherwise, |given| given.attribute(Ns::M, "val").unwrap_or("")).to_owned()
        };
        MathNode::Delimiters {
            open: sign("begChr", "("),
            separator: sign("sepChr", "|"),
            close: sign("endChr", ")"),
            grow: properties.and_then(|properties| m_flag(properties, "grow")).unwrap_or(true),
            items: element.all(Ns::M, "e").map(|item| self.math_row(item, base)).collect(),
        }
    }

    fn matrix(&mut self, element: Element<'t>, base: &Rc<ParagraphBase>) -> MathNode {
        let mut alignment = Vec::new();
        let columns = element.child(Ns::M, "mPr").and_then(|properties| properties.child(Ns::M, "mcs"));
        for column in columns.into_iter().flat_map(Element::children) {
            let Some(properties) = column.child(Ns::M, "mcPr") else { continue };
            let count = m_val(properties, "count").and_then(integer).unwrap_or(1).clamp(1, 64);
            let justified = m_val(properties, "mcJc").map(alignment_of).unwrap_or(MathAlignment::Center);
            alignment.extend((0..count).map(|_| justified));
        }
        let mut rows = Vec::new();
        for row in element.all(Ns::M, "mr") {
            rows.push(row.all(Ns::M, "e").map(|cell| self.math_row(cell, base)).collect());
        }
        MathNode::Matrix { rows, alignment }
    }

    fn math_run(&mut self, element: Element<'t>, base: &Rc<ParagraphBase>) -> Option<MathNode> {
        let properties = element.child(Ns::M, "rPr");
        let run = self.run_properties(base, element.child(Ns::W, "rPr"));
        let mut text = String::new();
        for child in element.children() {
            match child.name() {
                "t" => text.push_str(child.text()),
                "tab" => text.push(' '),
                "sym" => {
                    let code =
                        child.w("char").and_then(|code| u32::from_str_radix(code, 16).ok()).and_then(char::from_u32);
                    text.extend(code.map(|c| super::symbols::in_font(c.encode_utf8(&mut [0; 4]), child.w("font"))));
                }
                _ => {}
            }
        }
        let value = |name| properties.and_then(|properties| m_val(properties, name));
        (!text.is_empty()).then(|| {
            MathNode::Run(MathRun {
                text,
                style: match value("sty") {
                    Some("p") => MathStyle::Plain,
                    Some("b") => MathStyle::Bold,
                    Some("bi") => MathStyle::BoldItalic,
                    _ => MathStyle::Italic,
                },
                script: match value("scr") {
                    Some("script") => MathScript::Script,
                    Some("fraktur") => MathScript::Fraktur,
                    Some("double-struck") => MathScript::DoubleStruck,
                    Some("sans-serif") => MathScript::SansSerif,
                    Some("monospace") => MathScript::Monospace,
                    _ => MathScript::Roman,
                },
                normal_text: properties.and_then(|properties| m_flag(properties, "nor")).unwrap_or(false),
                run,
            })
        })
    }
}

fn scripts(base: MathRow, subscript: Option<MathRow>, superscript: Option<MathRow>, before: bool) -> MathNode {
    MathNode::Scripts { base, subscript, superscript, before }
}

fn m_val<'t>(element: Element<'t>, name: &str) -> Option<&'t str> {
    element.child(Ns::M, name)?.attribute(Ns::M, "val")
}

fn m_flag(element: Element<'_>, name: &str) -> Option<bool> {
    element.child(Ns::M, name).map(|child| on_off(child.attribute(Ns::M, "val")))
}

fn character(properties: Option<Element<'_>>, otherwise: char) -> char {
    properties.and_then(|properties| m_val(properties, "chr")).and_then(|text| text.chars().next()).unwrap_or(otherwise)
}

fn alignment_of(name: &str) -> MathAlignment {
    match name {
        "left" => MathAlignment::Start,
        "right" => MathAlignment::End,
        "center" => MathAlignment::Center,
        _ => MathAlignment::CenterAsGroup,
    }
}

/// The formatting of the first letters: what the formula's size goes by.
fn first_run(row: &[MathNode]) -> Option<Arc<RunProperties>> {
    row.iter().find_map(|node| match node {
        MathNode::Run(run) => Some(run.run.clone()),
        MathNode::Fraction { numerator: inner, .. }
        | MathNode::Radical { radicand: inner, .. }
        | MathNode::Scripts { base: inner, .. }
        | MathNode::LargeOperator { body: inner, .. }
        | MathNode::Function { name: inner, .. }
        | MathNode::Accent { base: inner, .. }
        | MathNode::Bar { base: inner, .. }
        | MathNode::Limit { base: inner, .. }
        | MathNode::GroupCharacter { base: inner, .. }
        | MathNode::BorderBox { content: inner, .. }
        | MathNode::Phantom { content: inner, .. } => first_run(inner),
        MathNode::Delimiters { items: rows, .. } | MathNode::EquationArray { rows } => {
            rows.iter().find_map(|row| first_run(row))
        }
        MathNode::Matrix { rows, .. } => rows.iter().flatten().find_map(|row| first_run(row)),
    })
}

/// Reads a formula in one line.
fn linear(row: &[MathNode], text: &mut String) {
    for node in row {
        linear_node(node, text);
    }
}

/// A part as it reads after `/`, `^` …: in brackets where it is more than a letter or number.
fn grouped(row: &[MathNode], text: &mut String) {
    let mut inner = String::new();
    linear(row, &mut inner);
    let simple = inner.chars().all(char::is_alphanumeric) || inner.chars().count() <= 1;
    if simple { text.push_str(&inner) } else { text.extend(["(", &inner, ")"]) }
}

fn rows(rows: &[MathRow], separator: &str, text: &mut String) {
    for (index, row) in rows.iter().enumerate() {
        if index > 0 {
            text.push_str(separator);
        }
        linear(row, text);
    }
}

fn linear_node(node: &MathNode, text: &mut String) {
    let script = |sign: char, part: &Option<MathRow>, text: &mut String| {
        if let Some(part) = part {
            text.push(sign);
            grouped(part, text);
        }
    };
    match node {
        MathNode::Run(run) => text.push_str(&run.text),
        MathNode::Fraction { numerator, denominator, .. } => {
            grouped(numerator, text);
            text.push('/');
            grouped(denominator, text);
        }
        MathNode::Radical { degree, radicand } => {
            if let Some(degree) = degree {
                linear(degree, text);
            }
            text.push('√');
            grouped(radicand, text);
        }
        MathNode::Scripts { base, subscript, superscript, before } => {
            if !before {
                linear(base, text);
            }
            script('_', subscript, text);
            script('^', superscript, text);
            if *before {
                linear(base, text);
            }
        }
        MathNode::LargeOperator { operator, lower, upper, body, .. } => {
            text.push(*operator);
            script('_', lower, text);
            script('^', upper, text);
            text.push(' ');
            linear(body, text);
        }
        MathNode::Delimiters { open, separator, close, items, .. } => {
            text.push_str(open);
            rows(items, separator, text);
            text.push_str(close);
        }
        MathNode::Matrix { rows: lines, .. } => {
            text.push('[');
            for (index, line) in lines.iter().enumerate() {
                if index > 0 {
                    text.push_str("; ");
                }
                rows(line, ", ", text);
            }
            text.push(']');
        }
        MathNode::Function { name, argument } => {
            linear(name, text);
            text.push(' ');
            linear(argument, text);
        }
        MathNode::Accent { mark, base } => {
            linear(base, text);
            text.push(*mark);
        }
        MathNode::Limit { base, limit, over } => {
            linear(base, text);
            text.push(if *over { '^' } else { '_' });
            grouped(limit, text);
        }
        MathNode::EquationArray { rows: lines } => rows(lines, "; ", text),
        MathNode::Phantom { shown: false, .. } => {}
        MathNode::Bar { base: inner, .. }
        | MathNode::GroupCharacter { base: inner, .. }
        | MathNode::BorderBox { content: inner, .. }
        | MathNode::Phantom { content: inner, .. } => linear(inner, text),
    }
}
