//! The linear form of formulas: plain text on one line, such as `(a+b)/2`.

use crate::tree::{MathNode, MathRow};

/// Returns the linear form of a formula, such as `(a+b)/2` for a fraction.
pub(super) fn linear_text(row: &[MathNode]) -> String {
    row.iter().map(linear_node_text).collect()
}

/// Returns the linear form of an operand, such as a denominator or exponent. An operand that contains more than letters
/// and digits is put in brackets.
fn grouped(row: &[MathNode]) -> String {
    let inner = linear_text(row);
    let simple = inner.chars().all(char::is_alphanumeric) || inner.chars().count() <= 1;
    if simple { inner } else { format!("({inner})") }
}

fn join_rows(rows: &[MathRow], separator: &str) -> String {
    rows.iter().map(|row| linear_text(row)).collect::<Vec<_>>().join(separator)
}

fn script_text(sign: char, part: &Option<MathRow>) -> String {
    part.as_ref().map(|part| format!("{sign}{}", grouped(part))).unwrap_or_default()
}

fn linear_node_text(node: &MathNode) -> String {
    match node {
        MathNode::Run(run) => run.text.clone(),
        MathNode::LineBreak => "; ".to_owned(),
        MathNode::Fraction { numerator, denominator, .. } => {
            format!("{}/{}", grouped(numerator), grouped(denominator))
        }
        MathNode::Radical { degree, radicand } => {
            format!("{}√{}", degree.as_deref().map(linear_text).unwrap_or_default(), grouped(radicand))
        }
        MathNode::Scripts { base, subscript, superscript, before } => {
            let (base, scripts) = (linear_text(base), script_text('_', subscript) + &script_text('^', superscript));
            if *before { scripts + &base } else { base + &scripts }
        }
        MathNode::LargeOperator { operator, lower, upper, body, .. } => {
            format!("{operator}{}{} {}", script_text('_', lower), script_text('^', upper), linear_text(body))
        }
        MathNode::Delimiters { open, separator, close, items, .. } => {
            format!("{open}{}{close}", join_rows(items, separator))
        }
        MathNode::Matrix { rows, .. } => {
            let lines: Vec<_> = rows.iter().map(|line| join_rows(line, ", ")).collect();
            format!("[{}]", lines.join("; "))
        }
        MathNode::Function { name, argument } => format!("{} {}", linear_text(name), linear_text(argument)),
        MathNode::Accent { mark, base } => format!("{}{mark}", linear_text(base)),
        MathNode::Limit { base, limit, over } => {
            format!("{}{}{}", linear_text(base), if *over { '^' } else { '_' }, grouped(limit))
        }
        // Alignment marks are removed, and a space separates the equation number.
        MathNode::EquationArray { rows } => join_rows(rows, "; ").replace('&', "").replace('#', " "),
        MathNode::Phantom { shown: false, .. } => String::new(),
        MathNode::Bar { base: inner, .. }
        | MathNode::GroupCharacter { base: inner, .. }
        | MathNode::BorderBox { content: inner, .. }
        | MathNode::Box { content: inner, .. }
        | MathNode::Phantom { content: inner, .. } => linear_text(inner),
    }
}
