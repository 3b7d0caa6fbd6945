//! Reading of Office Math (§22.1).

use std::rc::Rc;

use super::cascade::ParagraphBase;
use super::math_linear::linear_text;
use super::part_reader::PartReader;
use super::values::{integer, on_off, parse_enum};
use super::xml::{Element, Ns};
use crate::tree::*;

impl<'t> PartReader<'t, '_> {
    /// Reads a `m:oMath` or `m:oMathPara`.
    pub(crate) fn read_math(&mut self, element: Element<'t>, base: &Rc<ParagraphBase>) {
        // Nested formulas are counted again for each formula around them.
        if !self.charge(20 + element.source().len(), 4 * element.source().len()) {
            return;
        }
        let display = element.name() == "oMathPara";
        let formulas: Vec<Element<'t>> =
            if display { element.children_with_name(Ns::M, "oMath").collect() } else { vec![element] };
        let mut content = MathRow::new();
        for formula in formulas {
            content.push(MathNode::LineBreak);
            content.extend(self.read_math_row(formula, base));
        }
        tidy_breaks(&mut content, display);
        if content.is_empty() {
            return;
        }
        let alignment = element.child(Ns::M, "oMathParaPr").and_then(|properties| math_value(properties, "jc"));
        let alignment = alignment.map_or(self.shared.settings.math.alignment, |jc| parse_enum(jc).unwrap_or_default());
        let text = linear_text(&content);
        let run = content.iter().find_map(MathNode::first_run).cloned();
        let run = run.unwrap_or_else(|| self.run_properties(base, None));
        let math = Math { id: NodeId::default(), display, alignment, content, text };
        self.emit(Content::Math(Box::new(math)), &run);
    }

    fn read_math_row(&mut self, container: Element<'t>, base: &Rc<ParagraphBase>) -> MathRow {
        let mut row = MathRow::new();
        for child in container.children() {
            self.read_math_node(child, base, &mut row);
        }
        row
    }

    /// Reads the content of the child with this name. Returns `None` if the child is missing.
    fn read_math_child(&mut self, element: Element<'t>, name: &str, base: &Rc<ParagraphBase>) -> Option<MathRow> {
        element.child(Ns::M, name).map(|part| self.read_math_row(part, base))
    }

    fn read_math_node(&mut self, element: Element<'t>, base: &Rc<ParagraphBase>, row: &mut MathRow) {
        if element.ns() == Ns::W {
            match element.name() {
                "ins" | "moveTo" | "del" | "moveFrom" => {
                    self.read_in_revision(element, |story| row.extend(story.read_math_row(element, base)));
                }
                "sdt" => {
                    if let Some(content) = element.child(Ns::W, "sdtContent") {
                        row.extend(self.read_math_row(content, base));
                    }
                }
                "r" => self.read_math_run(element, base, row),
                "hyperlink" | "smartTag" | "customXml" => row.extend(self.read_math_row(element, base)),
                _ => {}
            }
            return;
        }
        if element.ns() != Ns::M {
            return;
        }
        match element.name() {
            "r" => self.read_math_run(element, base, row),
            "oMath" | "e" => row.extend(self.read_math_row(element, base)),
            _ => row.extend(self.read_math_structure(element, base)),
        }
    }

    fn read_math_structure(&mut self, element: Element<'t>, base: &Rc<ParagraphBase>) -> Option<MathNode> {
        let properties = |name| element.child(Ns::M, name);
        let mut part = |name: &str| self.read_math_child(element, name, base).unwrap_or_default();
        Some(match element.name() {
            "f" => MathNode::Fraction {
                kind: properties("fPr").and_then(|of| math_value(of, "type")).and_then(parse_enum).unwrap_or_default(),
                numerator: part("num"),
                denominator: part("den"),
            },
            "rad" => {
                let hidden =
                    properties("radPr").and_then(|properties| math_toggle(properties, "degHide")).unwrap_or(false);
                let degree = part("deg");
                MathNode::Radical { degree: (!hidden && !degree.is_empty()).then_some(degree), radicand: part("e") }
            }
            "sSub" => scripts(part("e"), Some(part("sub")), None, false),
            "sSup" => scripts(part("e"), None, Some(part("sup")), false),
            "sSubSup" => scripts(part("e"), Some(part("sub")), Some(part("sup")), false),
            "sPre" => scripts(part("e"), Some(part("sub")), Some(part("sup")), true),
            "nary" => self.read_large_operator(element, base),
            "func" => MathNode::Function { name: part("fName"), argument: part("e") },
            "acc" => MathNode::Accent { mark: math_character(properties("accPr"), '\u{302}'), base: part("e") },
            "bar" => {
                let over = properties("barPr").and_then(|properties| math_value(properties, "pos")) == Some("top");
                MathNode::Bar { over, base: part("e") }
            }
            "limLow" => MathNode::Limit { base: part("e"), limit: part("lim"), over: false },
            "limUpp" => MathNode::Limit { base: part("e"), limit: part("lim"), over: true },
            "groupChr" => {
                let properties_element = properties("groupChrPr");
                let over = properties_element.and_then(|of| math_value(of, "pos")) == Some("top");
                let justified_top = properties_element.and_then(|of| math_value(of, "vertJc")) != Some("bot");
                let on_baseline = justified_top == over;
                MathNode::GroupCharacter {
                    character: math_character(properties_element, '\u{23DF}'),
                    over,
                    on_baseline,
                    base: part("e"),
                }
            }
            "borderBox" => {
                let properties_element = properties("borderBoxPr");
                let on = |name| properties_element.and_then(|of| math_toggle(of, name)).unwrap_or(false);
                let sides = ["hideTop", "hideBot", "hideLeft", "hideRight"].map(|name| !on(name));
                let strikes = ["strikeH", "strikeV", "strikeBLTR", "strikeTLBR"].map(on);
                MathNode::BorderBox { sides, strikes, content: part("e") }
            }
            "phant" => {
                let properties_element = properties("phantPr");
                let on = |name| properties_element.and_then(|of| math_toggle(of, name));
                MathNode::Phantom {
                    shown: on("show").unwrap_or(true),
                    zero_width: on("zeroWid").unwrap_or(false),
                    zero_ascent: on("zeroAsc").unwrap_or(false),
                    zero_descent: on("zeroDesc").unwrap_or(false),
                    content: part("e"),
                }
            }
            "box" => {
                let properties_element = properties("boxPr");
                let on = |name| properties_element.and_then(|of| math_toggle(of, name)).unwrap_or(false);
                MathNode::Box {
                    operator: on("opEmu"),
                    no_break: on("noBreak"),
                    differential: on("diff"),
                    content: part("e"),
                }
            }
            "d" => self.read_delimiters(element, base),
            "m" => self.read_matrix(element, base),
            "eqArr" => {
                let rows = element.children_with_name(Ns::M, "e").map(|row| self.read_math_row(row, base)).collect();
                MathNode::EquationArray { rows }
            }
            _ => return None,
        })
    }

    fn read_large_operator(&mut self, element: Element<'t>, base: &Rc<ParagraphBase>) -> MathNode {
        let properties_element = element.child(Ns::M, "naryPr");
        let hidden = |name: &str| properties_element.and_then(|of| math_toggle(of, name)).unwrap_or(false);
        let mut limit = |name: &str, hide: &str| {
            self.read_math_child(element, name, base).filter(|limit| !limit.is_empty() && !hidden(hide))
        };
        let (lower, upper) = (limit("sub", "subHide"), limit("sup", "supHide"));
        let operator = math_character(properties_element, '∫');
        let settings = &self.shared.settings.math;
        let limits_above_and_below = match properties_element.and_then(|of| math_value(of, "limLoc")) {
            Some(place) => place == "undOvr",
            None if is_integral(operator) => settings.integral_limits_above,
            None => settings.operator_limits_above,
        };
        let grow = properties_element.and_then(|of| math_toggle(of, "grow")).unwrap_or(false);
        let body = self.read_math_child(element, "e", base).unwrap_or_default();
        MathNode::LargeOperator { operator, limits_above_and_below, grow, lower, upper, body }
    }

    fn read_delimiters(&mut self, element: Element<'t>, base: &Rc<ParagraphBase>) -> MathNode {
        let properties = element.child(Ns::M, "dPr");
        let sign = |name, otherwise: &str| {
            let given = properties.and_then(|properties| properties.child(Ns::M, name));
            given.map_or(otherwise, |given| given.attribute(Ns::M, "val").unwrap_or("")).to_owned()
        };
        MathNode::Delimiters {
            open: sign("begChr", "("),
            separator: sign("sepChr", "|"),
            close: sign("endChr", ")"),
            grow: properties.and_then(|properties| math_toggle(properties, "grow")).unwrap_or(true),
            items: element.children_with_name(Ns::M, "e").map(|item| self.read_math_row(item, base)).collect(),
        }
    }

    fn read_matrix(&mut self, element: Element<'t>, base: &Rc<ParagraphBase>) -> MathNode {
        let mut alignment = Vec::new();
        let columns = element.child(Ns::M, "mPr").and_then(|properties| properties.child(Ns::M, "mcs"));
        for column in columns.into_iter().flat_map(Element::children) {
            let Some(properties) = column.child(Ns::M, "mcPr") else { continue };
            let count = math_value(properties, "count").and_then(integer).unwrap_or(1).clamp(1, 64);
            let justified =
                math_value(properties, "mcJc").map_or(MathAlignment::Center, |jc| parse_enum(jc).unwrap_or_default());
            alignment.extend((0..count).map(|_| justified));
        }
        let mut cells =
            |row: Element<'t>| row.children_with_name(Ns::M, "e").map(|cell| self.read_math_row(cell, base)).collect();
        let rows = element.children_with_name(Ns::M, "mr").map(&mut cells).collect();
        MathNode::Matrix { rows, alignment }
    }

    fn read_math_run(&mut self, element: Element<'t>, base: &Rc<ParagraphBase>, row: &mut MathRow) {
        let properties = element.child(Ns::M, "rPr");
        let run = self.run_properties(base, element.child(Ns::W, "rPr"));
        let value = |name| properties.and_then(|properties| math_value(properties, name));
        let on = |name| properties.and_then(|properties| math_toggle(properties, name)).unwrap_or(false);
        let mut math = MathRun {
            text: String::new(),
            style: value("sty").and_then(parse_enum).unwrap_or_default(),
            script: value("scr").and_then(parse_enum).unwrap_or_default(),
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
                    row.extend(take_text(&mut math));
                    row.push(MathNode::LineBreak);
                }
                "sym" => {
                    let code = child
                        .word_attribute("char")
                        .and_then(|code| u32::from_str_radix(code, 16).ok())
                        .and_then(char::from_u32);
                    let mapped = code
                        .map(|c| super::symbols::to_unicode(c.encode_utf8(&mut [0; 4]), child.word_attribute("font")));
                    math.text.extend(mapped);
                }
                _ => {}
            }
        }
        row.extend(take_text(&mut math));
    }
}

/// Takes the text out of `run` and returns it as a node. `run` keeps its formatting. Returns `None` if the text is
/// empty.
fn take_text(run: &mut MathRun) -> Option<MathNode> {
    (!run.text.is_empty()).then(|| {
        let rest = MathRun { text: String::new(), break_before: false, align: false, ..run.clone() };
        MathNode::Run(std::mem::replace(run, rest))
    })
}

/// Removes line breaks at the start and end of the row, and repeated line breaks. If `display` is `false`, the formula
/// is inline, and all line breaks are removed.
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

pub(super) fn math_value<'t>(element: Element<'t>, name: &str) -> Option<&'t str> {
    element.child(Ns::M, name)?.attribute(Ns::M, "val")
}

fn math_toggle(element: Element<'_>, name: &str) -> Option<bool> {
    element.child(Ns::M, name).map(|child| on_off(child.attribute(Ns::M, "val")))
}

fn math_character(properties: Option<Element<'_>>, otherwise: char) -> char {
    properties
        .and_then(|properties| math_value(properties, "chr"))
        .and_then(|text| text.chars().next())
        .unwrap_or(otherwise)
}
