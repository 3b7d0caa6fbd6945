//! Tests of reading ruby text.

mod word;

use waraq_docx::tree::*;
use waraq_docx::{ReadOptions, TrackedChanges};
use word::*;

fn r(text: &str) -> String {
    format!("<w:r><w:t xml:space=\"preserve\">{text}</w:t></w:r>")
}

fn ruby(properties: &str, reading: &str, base: &str) -> String {
    format!(
        "<w:r><w:rPr><w:sz w:val=\"30\"/></w:rPr><w:ruby><w:rubyPr>{properties}</w:rubyPr><w:rt>{reading}</w:rt>\
         <w:rubyBase>{base}</w:rubyBase></w:ruby></w:r>"
    )
}

/// Returns the content of a paragraph as text: «reading|base».
fn inline_text(inlines: &[Inline]) -> String {
    inlines
        .iter()
        .map(|inline| match &inline.content {
            Content::Text(text) => text.clone(),
            Content::RubyStart(ruby) => format!("«{}|", inline_text(&ruby.reading)),
            Content::RubyEnd => "»".to_owned(),
            Content::Field { result, .. } => format!("[{result}]"),
            Content::BookmarkStart(name) => format!("({name}"),
            Content::BookmarkEnd(_) => ")".to_owned(),
            other => format!("{other:?}"),
        })
        .collect()
}

fn first_paragraph_text(document: &Document) -> String {
    inline_text(&body(document)[0].inlines)
}

fn first_ruby(document: &Document) -> &Ruby {
    let inlines = &body(document)[0].inlines;
    let ruby = inlines.iter().find_map(|inline| match &inline.content {
        Content::RubyStart(ruby) => Some(ruby),
        _ => None,
    });
    ruby.unwrap()
}

#[test]
fn a_reading_has_its_alignment_height_and_size() {
    let properties = "<w:rubyAlign w:val=\"distributeSpace\"/><w:hps w:val=\"11\"/><w:hpsRaise w:val=\"21\"/><w:hpsBaseText w:val=\"22\"/>";
    // The font size of the ruby overrides the size of its runs.
    let sized = "<w:r><w:rPr><w:sz w:val=\"14\"/></w:rPr><w:t>own</w:t></w:r>";
    let document = Word::new(&format!("<w:p>{}</w:p>", ruby(properties, &(r("of it") + sized), &r("base")))).read();
    assert_eq!(first_paragraph_text(&document), "«of itown|base»");
    let ruby = first_ruby(&document);
    assert_eq!((ruby.alignment, ruby.raise), (RubyAlignment::DistributeWithSpace, 10.5));
    assert_eq!(ruby.reading.iter().map(|inline| inline.run.size).collect::<Vec<_>>(), [5.5, 5.5]);
    assert!(document.warnings.is_empty());
}

#[test]
fn every_ruby_alignment_is_read_and_missing_values_have_the_defaults_of_word() {
    let cases = [
        ("center", RubyAlignment::Center),
        ("left", RubyAlignment::Left),
        ("right", RubyAlignment::Right),
        ("distributeLetter", RubyAlignment::Distribute),
        ("distributeSpace", RubyAlignment::DistributeWithSpace),
        ("rightVertical", RubyAlignment::Beside),
        ("of its own", RubyAlignment::Center),
    ];
    for (word, alignment) in cases {
        let properties = format!("<w:rubyAlign w:val=\"{word}\"/><w:hpsBaseText w:val=\"40\"/>");
        let document = Word::new(&format!("<w:p>{}</w:p>", ruby(&properties, &r("a"), &r("b")))).read();
        assert_eq!((first_ruby(&document).alignment, first_ruby(&document).raise), (alignment, 19.0));
    }
    let document = Word::new(&format!("<w:p>{}</w:p>", ruby("<w:hpsRaise w:val=\"-9\"/>", &r("a"), &r("b")))).read();
    assert_eq!(first_ruby(&document).raise, 14.0, "a point below the run's size");
    let sized = "<w:r><w:rPr><w:sz w:val=\"14\"/></w:rPr><w:t>a</w:t></w:r>";
    let document = Word::new(&format!("<w:p>{}</w:p>", ruby("", sized, &r("b")))).read();
    assert_eq!(first_ruby(&document).reading[0].run.size, 7.0);
}

#[test]
fn content_of_reading_and_base_is_read_like_other_inline_content() {
    let page = "<w:fldSimple w:instr=\" PAGE \"><w:r><w:t>3</w:t></w:r></w:fldSimple>";
    let mark = "<w:bookmarkStart w:id=\"7\" w:name=\"here\"/>";
    let changed = "<w:ins w:id=\"1\" w:author=\"A\"><w:r><w:t>new</w:t></w:r></w:ins><w:del w:id=\"2\" w:author=\"A\"><w:r><w:delText>old</w:delText></w:r></w:del>";
    let xml = format!(
        "<w:p>{}{}{}<w:bookmarkEnd w:id=\"7\"/></w:p>",
        r("a"),
        ruby("", &format!("{page}{mark}{changed}"), &format!("{}{changed}{}", r("x"), r("y"))),
        r("b")
    );
    let document = Word::new(&xml).read();
    assert_eq!(
        first_paragraph_text(&document),
        "a«[3]new|xnewy»(hereb)",
        "content that is not text is placed beside it"
    );
    let all = ReadOptions { tracked_changes: TrackedChanges::All, ..ReadOptions::default() };
    let document = Word::new(&xml).try_read(&all).unwrap();
    assert_eq!(first_paragraph_text(&document), "a«[3]newold|xnewoldy»(hereb)");
}

#[test]
fn a_reading_or_base_without_the_other_is_kept() {
    let empty = "<w:r><w:t></w:t></w:r>";
    assert_eq!(first_paragraph_text(&Word::new(&format!("<w:p>{}</w:p>", ruby("", empty, &r("b")))).read()), "b");
    assert_eq!(first_paragraph_text(&Word::new(&format!("<w:p>{}</w:p>", ruby("", &r("a"), ""))).read()), "«a|»");
    let bare = "<w:p><w:r><w:ruby/></w:r><w:r><w:t>b</w:t></w:r></w:p>";
    assert_eq!(first_paragraph_text(&Word::new(bare).read()), "b");
}

#[test]
fn ruby_in_a_field_result_is_replaced_with_the_result() {
    let character = |kind: &str| format!("<w:r><w:fldChar w:fldCharType=\"{kind}\"/></w:r>");
    let field =
        |code: &str, result: &str| character("begin") + code + &character("separate") + result + &character("end");
    let code = "<w:r><w:instrText> PAGE </w:instrText></w:r>";
    let xml = format!("<w:p>{}</w:p>", field(&(code.to_owned() + &ruby("", &r("a"), "")), &ruby("", &r("a"), &r("9"))));
    assert_eq!(first_paragraph_text(&Word::new(&xml).read()), "[9]");
    // A field that begins in the reading and ends in the base.
    let xml = format!(
        "<w:p>{}{}</w:p>",
        r("x"),
        ruby("", &(character("begin") + code + &r("a")), &(character("separate") + &r("9") + &character("end")))
    );
    assert!(first_paragraph_text(&Word::new(&xml).read()).starts_with('x'));
}

#[test]
fn a_nested_reading_is_reported_and_its_base_is_kept() {
    let inner = ruby("", &r("innermost"), &r("inner"));
    let document = Word::new(&format!("<w:p>{}</w:p>", ruby("", &inner, &inner))).read();
    assert_eq!(first_paragraph_text(&document), "«inner|inner»");
    assert_eq!(document.warnings.iter().map(|warning| warning.code).collect::<Vec<_>>(), ["ruby_left_out"]);
    let mut deep = r("core");
    for _ in 0..70 {
        deep = ruby("", &deep, &r("b"));
    }
    Word::new(&format!("<w:p>{deep}</w:p>")).read();
}
