//! Filling of content controls. The `w:sdt` element around the content is removed, so that Word shows the value as
//! ordinary text.

use super::control_kind::{CheckBox, ControlKind, Symbol};
use super::edits::{FieldValue, new_run};
use super::fill::PartFiller;
use super::scan::{ContentControl, TextCell};
use crate::Meter;
use quick_xml::escape::escape;
use waraq_graphics::xml::Tree;

impl PartFiller<'_, '_> {
    /// Replaces a content control with the value of its field. `cells` are the characters of the control.
    pub(super) fn fill_control(&mut self, control: &ContentControl, cells: &[&TextCell]) {
        let source: &str = &self.part.source;
        let control_properties = control.properties.clone().and_then(|range| source.get(range)).unwrap_or_default();
        let (value, symbol) = self.control_value(control);
        let symbol_properties = symbol.and_then(|symbol| symbol.font.as_deref()).map(|font| {
            let base = if control.showing_placeholder { None } else { self.properties_of_text(cells) };
            with_font(base.unwrap_or(control_properties), font, &control.prefix)
        });
        let override_of_placeholder = control.showing_placeholder.then_some(control_properties);
        let properties_override = symbol_properties.as_deref().or(override_of_placeholder);
        self.editor.delete(control.range.start..control.content.start);
        self.editor.delete(control.content.end..control.range.end);
        let around = {
            let paragraph = control.paragraph.or(control.first_paragraph.as_ref().map(|(at, _)| *at));
            self.editor.value_context(paragraph, control.range.end)
        };
        let run = || new_run(&value, &control.prefix, properties_override.unwrap_or(control_properties), around);
        self.delete_other_paragraphs(control, cells);
        match &control.first_paragraph {
            _ if self.editor.replace_cells(cells, &value, properties_override, around) => {}
            _ if control.paragraph.is_some() => {
                if control.content.is_empty() && control.content.end >= control.range.end {
                    self.editor.replace_range(control.range.clone(), run());
                } else {
                    self.editor.insert(control.content.start, run());
                }
            }
            Some((_, range)) if range.is_empty() => self.editor.insert(range.start, run()),
            Some((_, range)) => {
                let open = source.get(range.clone()).unwrap_or_default().trim_end_matches("/>");
                self.editor.replace_range(range.clone(), format!("{open}>{}</{}p>", run(), control.prefix));
            }
            None => {}
        }
        self.editor.unbind(control.parent);
    }

    /// Returns the value that the control shows. For a check box, also returns the symbol that the value consists of.
    fn control_value<'c>(&self, control: &'c ContentControl) -> (FieldValue, Option<&'c Symbol>) {
        let name = control.name();
        let mut value = self.value_at(&name, control.range.start);
        let symbol = match &control.kind {
            ControlKind::CheckBox(states) => CheckBox::symbol(states, self.values.get(&name).unwrap_or_default()),
            _ => None,
        };
        value.text = match symbol {
            Some(symbol) => symbol.character.to_string(),
            None => control.kind.shown_text(value.text),
        };
        (value, symbol)
    }

    /// Returns the `w:rPr` of the first character that a value can replace, as written. Returns `None` if there is no
    /// such character.
    fn properties_of_text(&self, cells: &[&TextCell]) -> Option<&str> {
        let cell = cells.iter().find(|cell| !cell.span.is_empty())?;
        let properties = self.story.runs.get(cell.run)?.properties.clone();
        Some(properties.and_then(|range| self.part.source.get(range)).unwrap_or_default())
    }

    /// Deletes the paragraphs of the control except the one that gets the value. Does nothing if the control contains
    /// more than text.
    fn delete_other_paragraphs(&mut self, control: &ContentControl, cells: &[&TextCell]) {
        if control.has_objects {
            return;
        }
        let host = cells.iter().find(|cell| !cell.span.is_empty()).map(|cell| cell.span.start);
        let kept = control.paragraphs.iter().position(|range| host.is_some_and(|at| range.contains(&at)));
        for (at, range) in control.paragraphs.iter().enumerate() {
            if at != kept.unwrap_or(0) {
                self.editor.delete(range.clone());
            }
        }
    }
}

/// Returns the run properties `properties` (a `w:rPr` or an empty text) with `font` as the font of all characters.
fn with_font(properties: &str, font: &str, prefix: &str) -> String {
    let font = escape(font);
    let fonts = format!(
        "<{prefix}rFonts {prefix}ascii=\"{font}\" {prefix}hAnsi=\"{font}\" {prefix}eastAsia=\"{font}\" {prefix}cs=\"{font}\" \
         {prefix}hint=\"eastAsia\"/>"
    );
    let tree = Tree::parse("", properties.as_bytes(), &Meter::default()).ok();
    let children = tree.iter().filter_map(Tree::root).flat_map(|root| root.children());
    // The style of the characters precedes their fonts (§17.3.2.28, CT_RPr).
    let (style, others): (Vec<_>, Vec<_>) =
        children.filter(|child| child.name() != "rFonts").partition(|child| child.name() == "rStyle");
    let markup = |list: Vec<_>| {
        list.into_iter().map(|child: waraq_graphics::xml::Element<'_>| child.source()).collect::<String>()
    };
    format!("<{prefix}rPr>{}{fonts}{}</{prefix}rPr>", markup(style), markup(others))
}
