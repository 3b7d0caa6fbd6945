//! Tests of field codes in documents whose field characters do not match.

mod filling;
mod random;

use waraq_docx::Package;
use waraq_docx::build::DocumentBuilder;
use waraq_docx::fields;

use filling::fill;
use random::Random;

/// Markup inside a paragraph: field characters, codes and text, all with fields of the template.
const PIECES: [&str; 22] = [
    "<w:r><w:fldChar w:fldCharType=\"begin\"/></w:r>",
    "<w:r><w:fldChar w:fldCharType=\"begin\"/></w:r>",
    "<w:r><w:fldChar w:fldCharType=\"separate\"/></w:r>",
    "<w:r><w:fldChar w:fldCharType=\"separate\"/></w:r>",
    "<w:r><w:fldChar w:fldCharType=\"end\"/></w:r>",
    "<w:r><w:fldChar w:fldCharType=\"end\"/></w:r>",
    "<w:r><w:fldChar w:fldCharType=\"begin\" w:fldLock=\"1\"/></w:r>",
    "<w:r><w:instrText> MERGEFIELD merged </w:instrText></w:r>",
    "<w:r><w:instrText> MERGEFIELD second </w:instrText></w:r>",
    "<w:r><w:instrText> IF </w:instrText></w:r>",
    "<w:r><w:instrText> = 2 * </w:instrText></w:r>",
    "<w:r><w:instrText> PAGE </w:instrText></w:r>",
    "<w:r><w:instrText> \"{{quoted}}\" = </w:instrText></w:r>",
    "<w:r><w:instrText>{{plain}} </w:instrText></w:r>",
    "<w:r><w:instrText> \"</w:instrText></w:r>",
    "<w:r><w:t>{{text}}</w:t></w:r>",
    "<w:fldSimple w:instr=\" MERGEFIELD simple \"><w:r><w:t>old</w:t></w:r></w:fldSimple>",
    "<w:fldSimple w:instr=\" PAGE \">",
    "</w:fldSimple>",
    "<w:del>",
    "</w:del>",
    "</w:p><w:p>",
];

/// The first pieces of every second document: a code that can be filled.
const CODE: &str = "<w:r><w:fldChar w:fldCharType=\"begin\"/></w:r><w:r><w:instrText> IF </w:instrText></w:r>";

/// Returns whether the markup is a single start tag of the element.
fn is_start_tag(markup: &str, name: &str) -> bool {
    let rest = markup.strip_prefix('<').and_then(|rest| rest.strip_prefix(name));
    rest.is_some_and(|rest| rest.find('>') == Some(rest.len() - 1))
}

#[test]
fn each_field_is_filled_or_not_listed() {
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    let mut listed = 0;
    for at in 0..4_000 {
        let mut body = "<w:p>".to_owned();
        if at % 2 == 0 {
            body.push_str(CODE);
        }
        let mut open = Vec::new();
        for _ in 0..random.below(14) {
            let piece = PIECES[random.below(PIECES.len())];
            match piece.strip_prefix("</") {
                Some(close) if open.last().is_some_and(|open: &&str| close.starts_with(open)) => _ = open.pop(),
                Some("w:p><w:p>") if open.is_empty() => {}
                Some(_) => continue,
                None => open.extend(["w:fldSimple", "w:del"].into_iter().filter(|name| is_start_tag(piece, name))),
            }
            body.push_str(piece);
        }
        body.extend(open.iter().rev().map(|name| format!("</{name}>")));
        body.push_str("</w:p>");
        let document = DocumentBuilder::new(&body);
        let fields = fields::list(&Package::open(&document.to_bytes()).unwrap()).unwrap();
        let values: Vec<(String, String)> =
            fields.iter().enumerate().map(|(at, field)| (field.name.clone(), format!("Value{at}Value"))).collect();
        let pairs: Vec<(&str, &str)> = values.iter().map(|(name, value)| (&**name, &**value)).collect();
        let filled = fill(&document, &pairs);
        let text = filled.part_text("word/document.xml").unwrap();
        for (name, value) in pairs {
            assert!(text.contains(value), "{name} is listed but not filled in {body}");
            listed += 1;
        }
        let left = fields::list(&filled).unwrap();
        assert!(left.is_empty(), "{left:?} are left of {body}");
    }
    assert!(listed > 1_000, "only {listed} fields were listed");
}
