//! A formula as it reads in one line.

use crate::tree::{MathNode, MathRow};

/// Reads a formula in one line.
pub(super) fn linear(row: &[MathNode], text: &mut String) {
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
        MathNode::LineBreak => text.push_str("; "),
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
        MathNode::EquationArray { rows: lines } => {
            let mut array = String::new();
            rows(lines, "; ", &mut array);
            // marks of alignment are not read; an equation's number stands apart
            text.push_str(&array.replace('&', "").replace('#', " "));
        }
        MathNode::Phantom { shown: false, .. } => {}
        MathNode::Bar { base: inner, .. }
        | MathNode::GroupCharacter { base: inner, .. }
        | MathNode::BorderBox { content: inner, .. }
        | MathNode::Box { content: inner, .. }
        | MathNode::Phantom { content: inner, .. } => linear(inner, text),
    }
}
