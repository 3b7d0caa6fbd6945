//! Office Math (§22.1).

use std::rc::Rc;

use super::cascade::ParagraphBase;
use super::namespaces::Ns;
use super::story::Story;
use super::xml::Element;
use crate::tree::*;

impl<'t> Story<'t, '_> {
    /// `m:oMath`, `m:oMathPara`.
    pub(crate) fn math(&mut self, element: Element<'t>, base: &Rc<ParagraphBase>) {
        let mut text = String::new();
        gather(element, &mut text);
        let run = self.run_properties(base, None);
        self.emit(Content::Math(Box::new(Math { display: element.name() == "oMathPara", text })), &run);
    }
}

fn gather(element: Element<'_>, text: &mut String) {
    if element.is(Ns::M, "t") {
        text.push_str(element.text());
    }
    for child in element.children() {
        gather(child, text);
    }
}
