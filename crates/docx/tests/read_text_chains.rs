//! Tests of linked text boxes in DrawingML and VML.

mod word;

use waraq_docx::tree::*;
use word::*;

fn in_run(inner: &str) -> String {
    format!("<w:p><w:r>{inner}</w:r></w:p>")
}

/// Returns a DrawingML shape with this text or link element.
fn shape(text: &str) -> String {
    in_run(&format!(
        "<w:drawing><wp:inline><wp:extent cx=\"1270000\" cy=\"635000\"/><a:graphic><a:graphicData uri=\"x\">\
         <wps:wsp>{text}<wps:bodyPr/></wps:wsp></a:graphicData></a:graphic></wp:inline></w:drawing>"
    ))
}

fn content(text: &str) -> String {
    format!("<w:txbxContent><w:p><w:r><w:t>{text}</w:t></w:r></w:p></w:txbxContent>")
}

fn story(id: &str, text: &str) -> String {
    shape(&format!("<wps:txbx{id}>{}</wps:txbx>", content(text)))
}

fn continues(id: i64, sequence: i64) -> String {
    shape(&format!("<wps:linkedTxbx id=\"{id}\" seq=\"{sequence}\"/>"))
}

/// Returns a VML text box with this name. `text` is empty for a box without text of its own.
fn vml(name: &str, next: &str, text: &str) -> String {
    let content = if text.is_empty() { "<w:txbxContent/>".to_owned() } else { content(text) };
    let next = if next.is_empty() { String::new() } else { format!(" style=\"mso-next-textbox:#{next}\"") };
    in_run(&format!(
        "<w:pict><v:shape {name} style=\"width:100pt;height:50pt\"><v:textbox{next}>{content}</v:textbox></v:shape></w:pict>"
    ))
}

/// Returns the chains, with each box as its index among the text boxes of the body.
fn chains(document: &Document) -> Vec<Vec<usize>> {
    let mut ids = Vec::new();
    for block in &document.sections[0].blocks {
        let Block::Paragraph(paragraph) = block else { continue };
        for inline in &paragraph.inlines {
            let Content::Drawing(drawing) = &inline.content else { continue };
            let Graphic::Shape(shape) = &drawing.graphic else { continue };
            ids.push(shape.text.as_ref().and_then(|text| text.id));
        }
    }
    let place = |id: &TextBoxId| ids.iter().position(|known| *known == Some(*id)).unwrap_or(usize::MAX);
    document.text_chains.iter().map(|chain| chain.iter().map(place).collect()).collect()
}

fn read(xml: &str) -> Vec<Vec<usize>> {
    let document = Word::new(xml).read();
    assert!(document.warnings.is_empty(), "{:?}", document.warnings);
    chains(&document)
}

#[test]
fn drawingml_boxes_continue_a_story_in_the_order_of_their_numbers() {
    let xml = continues(3, 2) + &story(" id=\"3\"", "one") + &continues(3, 1) + &story(" id=\"4\"", "two");
    assert_eq!(read(&xml), [[1, 2, 0]]);
}

#[test]
fn missing_stories_and_duplicate_story_ids_lose_no_text() {
    // If two stories have the same id, the first is continued. Both keep their own text.
    let xml = story(" id=\"1\"", "one") + &story(" id=\"1\"", "two") + &continues(1, 1) + &continues(8, 1);
    assert_eq!(read(&xml), [[0, 2]]);
    assert_eq!(read(&(story("", "one") + &continues(1, 1))), Vec::<Vec<usize>>::new());
    // Boxes with the same number follow each other in document order.
    assert_eq!(read(&(story(" id=\"1\"", "one") + &continues(1, 5) + &continues(1, 5))), [[0, 1, 2]]);
}

#[test]
fn vml_boxes_link_by_id_or_spid() {
    let xml = vml("id=\"Text Box 2\" o:spid=\"_x0000_s1\"", "_x0000_s2", "one")
        + &vml("id=\"Text Box 3\" o:spid=\"_x0000_s2\"", "Text Box 4", "")
        + &vml("id=\"Text Box 4\" o:spid=\"_x0000_s3\"", "", "");
    assert_eq!(read(&xml), [[0, 1, 2]]);
    // Word gives boxes the same name; the link means the one without text.
    assert_eq!(read(&(vml("id=\"Box\"", "Box", "one") + &vml("id=\"Box\"", "", ""))), [[0, 1]]);
}

#[test]
fn self_links_cycles_and_missing_names_end_a_vml_chain() {
    assert!(read(&vml("id=\"a\"", "a", "one")).is_empty());
    assert!(read(&vml("id=\"a\"", "nowhere", "one")).is_empty());
    assert!(read(&(vml("id=\"a\"", "b", "one") + &vml("id=\"b\"", "a", "two"))).is_empty(), "each has its own text");
    assert!(read(&(vml("id=\"a\"", "b", "") + &vml("id=\"b\"", "a", ""))).is_empty(), "no box has text");
    let ring = vml("id=\"a\"", "b", "one") + &vml("id=\"b\"", "c", "") + &vml("id=\"c\"", "b", "");
    assert_eq!(read(&ring), [[0, 1, 2]]);
    // Two boxes link to the same box: the first one gets it.
    let both = vml("id=\"a\"", "c", "one") + &vml("id=\"b\"", "c", "two") + &vml("id=\"c\"", "", "");
    assert_eq!(read(&both), [[0, 2]]);
}

#[test]
fn only_one_alternative_of_a_drawing_is_read() {
    let inner = |xml: String| xml.replace("<w:p><w:r>", "").replace("</w:r></w:p>", "");
    let both = |choice: String, fallback: String| {
        let (choice, fallback) = (inner(choice), inner(fallback));
        in_run(&format!(
            "<mc:AlternateContent><mc:Choice Requires=\"wps\">{choice}</mc:Choice><mc:Fallback>{fallback}</mc:Fallback></mc:AlternateContent>"
        ))
    };
    let xml = both(shape("<wps:txbx id=\"1\"><w:txbxContent/></wps:txbx>"), vml("id=\"a\"", "b", "one"))
        + &both(continues(1, 1), vml("id=\"b\"", "", ""));
    let document = Word::new(&xml).read();
    assert_eq!(chains(&document), [[0, 1]]);
}

#[test]
fn boxes_inside_a_box_are_in_no_chain() {
    let inner = story(" id=\"1\"", "inner") + &continues(1, 1) + &continues(2, 1);
    let outer = shape(&format!("<wps:txbx id=\"2\"><w:txbxContent>{inner}</w:txbxContent></wps:txbx>"));
    assert_eq!(read(&(outer + &continues(2, 1))), [[0, 1]]);
}

#[test]
fn long_chains_are_cut_with_a_warning() {
    let mut xml = story(" id=\"1\"", "one");
    xml.extend((1..3_000).map(|sequence| continues(1, sequence)));
    let document = Word::new(&xml).read();
    assert_eq!(document.text_chains.iter().map(Vec::len).collect::<Vec<_>>(), [1_000]);
    assert!(document.warnings.iter().any(|warning| warning.code == "linked_text_box"));
    // A long text is not laid out again for very many boxes.
    let mut xml = story(" id=\"1\"", &"word ".repeat(100_000));
    xml.extend((1..900).map(|sequence| continues(1, sequence)));
    let chained = Word::new(&xml).read().text_chains[0].len();
    assert!((5..20).contains(&chained), "{chained}");
}
