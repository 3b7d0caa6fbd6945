//! Reading of Office Math (§22.1).

use std::rc::Rc;

use super::cascade::ParagraphBase;
use super::math_linear::linear;
use super::story::Story;
use super::values::{integer, on_off, word};
use super::xml::{Element, Ns};
use crate::tree::*;

impl<'t> Story<'t, '_> {
    /// Reads a `m:oMath` or `m:oMathPara`.
    pub(crate) fn math(&mut self, element: Element<'t>, base: &Rc<ParagraphBase>) {
        // Nested formulas are counted again for each formula around them.
        if !self.takes(20 + element.source().len(), 4 * element.source().len()) {
            return;
        }
        let display = element.name() == "oMathPara";
        let formulas: Vec<Element<'t>> = if display { element.all(Ns::M, "oMath").collect() } else { vec![element] };
        let mut content = MathRow::new();
        for formula in formulas {
            content.push(MathNode::LineBreak);
            content.extend(self.math_row(formula, base));
        }
        tidy_breaks(&mut content, display);
        if content.is_empty() {
            return;
        }
        let alignment = element.child(Ns::M, "oMathParaPr").and_then(|properties| m_val(properties, "jc"));
        let alignment = alignment.map_or(self.shared.settings.math.alignment, |jc| word(jc).unwrap_or_default());
        let text = linear(&content);
        let run = content.iter().find_map(MathNode::first_run).cloned();
        let run = run.unwrap_or_else(|| self.run_properties(base, None));
        let math = Math { id: NodeId::default(), display, alignment, content, text };
        self.emit(Content::Math(Box::new(math)), &run);
    }

    fn math_row(&mut self, container: Element<'t>, base: &Rc<ParagraphBase>) -> MathRow {
        let mut row = MathRow::new();
        for child in container.children() {
            self.math_node(child, base, &mut row);
        }
        row
    }

    /// Reads the row in the child of this name. Returns `None` if the child is missing.
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
                "r" => self.math_run(element, base, row),
                "hyperlink" | "smartTag" | "customXml" => row.extend(self.math_row(element, base)),
                _ => {}
            }
            return;
        }
        if element.ns() != Ns::M {
            return;
        }
        match element.name() {
            "r" => self.math_run(element, base, row),
            "oMath" | "e" => row.extend(self.math_row(element, base)),
            _ => row.extend(self.math_structure(element, base)),
        }
    }

    fn math_structure(&mut self, element: Element<'t>, base: &Rc<ParagraphBase>) -> Option<MathNode> {
        let properties = |name| element.child(Ns::M, name);
        let mut part = |name: &str| self.math_part(element, name, base).unwrap_or_default();
        Some(match element.name() {
            "f" => MathNode::Fraction {
                kind: properties("fPr").and_then(|of| m_val(of, "type")).and_then(word).unwrap_or_default(),
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
            "nary" => self.large_operator(element, base),
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
                let justified_top = of.and_then(|of| m_val(of, "vertJc")) != Some("bot");
                let on_baseline = justified_top == over;
                MathNode::GroupCharacter { character: character(of, '\u{23DF}'), over, on_baseline, base: part("e") }
            }
            "borderBox" => {
                let of = properties("borderBoxPr");
                let on = |name| of.and_then(|of| m_flag(of, name)).unwrap_or(false);
                let sides = ["hideTop", "hideBot", "hideLeft", "hideRight"].map(|name| !on(name));
                let strikes = ["strikeH", "strikeV", "strikeBLTR", "strikeTLBR"].map(on);
                MathNode::BorderBox { sides, strikes, content: part("e") }
            }
            "phant" => {
                let of = properties("phantPr");
                let on = |name| of.and_then(|of| m_flag(of, name));
                MathNode::Phantom {
                    shown: on("show").unwrap_or(true),
                    zero_width: on("zeroWid").unwrap_or(false),
                    zero_ascent: on("zeroAsc").unwrap_or(false),
                    zero_descent: on("zeroDesc").unwrap_or(false),
                    content: part("e"),
                }
            }
            "box" => {
                let of = properties("boxPr");
                let on = |name| of.and_then(|of| m_flag(of, name)).unwrap_or(false);
                MathNode::Box {
                    operator: on("opEmu"),
                    no_break: on("noBreak"),
                    differential: on("diff"),
                    content: part("e"),
                }
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

    fn large_operator(&mut self, element: Element<'t>, base: &Rc<ParagraphBase>) -> MathNode {
        let of = element.child(Ns::M, "naryPr");
        let hidden = |name: &str| of.and_then(|of| m_flag(of, name)).unwrap_or(false);
        let mut limit = |name: &str, hide: &str| {
            self.math_part(element, name, base).filter(|limit| !limit.is_empty() && !hidden(hide))
        };
        let (lower, upper) = (limit("sub", "subHide"), limit("sup", "supHide"));
        let operator = character(of, '∫');
        let settings = &self.shared.settings.math;
        let limits_above_and_below = match of.and_then(|of| m_val(of, "limLoc")) {
            Some(place) => place == "undOvr",
            None if is_integral(operator) => settings.integral_limits_above,
            None => settings.operator_limits_above,
        };
        let grow = of.and_then(|of| m_flag(of, "grow")).unwrap_or(false);
        let body = self.math_part(element, "e", base).unwrap_or_default();
        MathNode::LargeOperator { operator, limits_above_and_below, grow, lower, upper, body }
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
            let justified = m_val(properties, "mcJc").map_or(MathAlignment::Center, |jc| word(jc).unwrap_or_default());
            alignment.extend((0..count).map(|_| justified));
        }
        let mut cells = |row: Element<'t>| row.all(Ns::M, "e").map(|cell| self.math_row(cell, base)).collect();
        let rows = element.all(Ns::M, "mr").map(&mut cells).collect();
        MathNode::Matrix { rows, alignment }
    }

    fn math_run(&mut self, element: Element<'t>, base: &Rc<ParagraphBase>, row: &mut MathRow) {
        let properties = element.child(Ns::M, "rPr");
        let run = self.run_properties(base, element.child(Ns::W, "rPr"));
        let value = |name| properties.and_then(|properties| m_val(properties, name));
        let on = |name| properties.and_then(|properties| m_flag(properties, name)).unwrap_or(false);
        let mut math = MathRun {
            text: String::new(),
            style: value("sty").and_then(word).unwrap_or_default(),
            script: value("scr").and_then(word).unwrap_or_default(),
            normal_text: on("nor"),
            break_before: properties.is_some_and(|properties| properties.child(Ns::M, "brk").is_some()),
            align: on("aln"),
            run,
        };
        for child in element.children() {
            match child.name() {
                "t" => math.text.push_str(child.text()),
                "tab" => math.text.push(' '),
                "br" => {
                    row.extend(some_text(&mut math));
                    row.push(MathNode::LineBreak);
                }
                "sym" => {
                    let code =
                        child.w("char").and_then(|code| u32::from_str_radix(code, 16).ok()).and_then(char::from_u32);
                    let mapped = code.map(|c| super::symbols::in_font(c.encode_utf8(&mut [0; 4]), child.w("font")));
                    math.text.extend(mapped);
                }
                _ => {}
            }
        }
        row.extend(some_text(&mut math));
    }
}

/// Returns the run with its text so far, and leaves an empty run with the same formatting.
fn some_text(run: &mut MathRun) -> Option<MathNode> {
    (!run.text.is_empty()).then(|| {
        let rest = MathRun { text: String::new(), break_before: false, align: false, ..run.clone() };
        MathNode::Run(std::mem::replace(run, rest))
    })
}

/// Removes line breaks at the ends, repeated line breaks, and all line breaks of inline formulas.
fn tidy_breaks(row: &mut MathRow, display: bool) {
    let is_break = |node: &MathNode| matches!(node, MathNode::LineBreak);
    let mut after_break = true;
    row.retain(|node| {
        let keep = !(is_break(node) && (after_break || !display));
        after_break = is_break(node);
        keep
    });
    if row.last().is_some_and(is_break) {
        row.pop();
    }
}

fn is_integral(operator: char) -> bool {
    matches!(operator, '∫'..='∳' | '⨋'..='⨜')
}

fn scripts(base: MathRow, subscript: Option<MathRow>, superscript: Option<MathRow>, before: bool) -> MathNode {
    MathNode::Scripts { base, subscript, superscript, before }
}

pub(super) fn m_val<'t>(element: Element<'t>, name: &str) -> Option<&'t str> {
    element.child(Ns::M, name)?.attribute(Ns::M, "val")
}

fn m_flag(element: Element<'_>, name: &str) -> Option<bool> {
    element.child(Ns::M, name).map(|child| on_off(child.attribute(Ns::M, "val")))
}

fn character(properties: Option<Element<'_>>, otherwise: char) -> char {
    properties.and_then(|properties| m_val(properties, "chr")).and_then(|text| text.chars().next()).unwrap_or(otherwise)
}
