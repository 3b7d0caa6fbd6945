//! Tests of inline content: text, fields, links, revisions, notes, symbols, formulas, drawings.

mod word;

use waraq_docx::tree::*;
use waraq_docx::{ReadOptions, TrackedChanges};
use word::*;

fn field(code: &str, result: &str) -> String {
    format!(
        "<w:r><w:fldChar w:fldCharType=\"begin\"/></w:r><w:r><w:instrText> {code} </w:instrText></w:r>\
         <w:r><w:fldChar w:fldCharType=\"separate\"/></w:r>{result}<w:r><w:fldChar w:fldCharType=\"end\"/></w:r>"
    )
}

fn r(text: &str) -> String {
    format!("<w:r><w:t xml:space=\"preserve\">{text}</w:t></w:r>")
}

fn paragraph(inner: &str) -> String {
    format!("<w:p>{inner}</w:p>")
}

#[test]
fn runs_of_one_formatting_are_one_text_and_special_characters_are_kept() {
    let xml = paragraph(
        "<w:r><w:t>a</w:t></w:r><w:proofErr/><w:r><w:t xml:space=\"preserve\"> b</w:t><w:noBreakHyphen/><w:softHyphen/><w:tab/><w:t> c </w:t>\
         <w:br/><w:br w:type=\"page\"/><w:cr/><w:sym w:font=\"Wingdings\" w:char=\"F0FC\"/></w:r>",
    );
    let document = Word::new(&xml).read();
    let paragraphs = body(&document);
    assert_eq!(text(paragraphs[0]), "a b\u{2011}\u{AD}\tc\n\n\n✓");
    assert!(matches!(&paragraphs[0].inlines[0].content, Content::Text(text) if text == "a b\u{2011}\u{AD}"));
    assert_eq!(paragraphs[0].inlines.last().unwrap().run.fonts.ascii.as_deref(), Some("Wingdings"));
}

#[test]
fn fit_text_and_no_proof_are_read() {
    let xml = paragraph(
        "<w:r><w:rPr><w:fitText w:val=\"1440\" w:id=\"-97\"/><w:noProof/></w:rPr><w:t>a</w:t></w:r>\
         <w:r><w:rPr><w:fitText w:val=\"0\" w:id=\"3\"/><w:noProof w:val=\"0\"/></w:rPr><w:t>b</w:t></w:r>",
    );
    let document = Word::new(&xml).read();
    let runs: Vec<_> = body(&document)[0].inlines.iter().map(|inline| (inline.run.fit, inline.run.no_proof)).collect();
    assert_eq!(runs, [(Some(FitText { width: 72.0, id: -97 }), true), (None, false)]);
}

#[test]
fn fields_that_the_layout_computes_have_their_kind() {
    let cases = [
        (field("PAGE \\* roman", &r("3")), "[Page roman=3]"),
        (field("NUMPAGES", &(r("1") + &r("2"))), "[Pages=12]"),
        (field("PAGEREF _Toc1 \\h", &r("7")), "[PageReference _Toc1=7]"),
        (field("REF here", &r("text")), "[Reference here=text]"),
        (field("REF here \\r \\t", &r("1.2")), "1.2"),
        (field("DATE \\@ \"d MMM yyyy\"", &r("x")), "[Date d MMM yyyy=x]"),
        (field("TITLE \\* Upper", &r("old")), "[Property The title Upper=old]"),
        (field("IF 1 = 1 \"yes\" \"no\"", &r("yes")), "[Expression IF=yes]"),
        (field("MERGEFIELD name", &r("«name»")), "«name»"),
        (field("XE \"entry\"", &r("gone")), ""),
        (field("STYLEREF \"Heading 1\"", &r("h")), "h"),
        ("<w:fldSimple w:instr=\" PAGE \"><w:r><w:t>9</w:t></w:r></w:fldSimple>".to_owned(), "[Page=9]"),
    ];
    for (xml, wanted) in cases {
        let document = Word::new(&paragraph(&(r("(") + &xml + &r(")")))).read();
        assert_eq!(text(body(&document)[0]), format!("({wanted})"), "{xml}");
    }
    let document = Word::new(&paragraph(&field("REF here \\r \\h", &r("1.2")))).read();
    let Content::Field { field, result } = &body(&document)[0].inlines[0].content else { panic!("a field") };
    let relative = Some(NumberContext::Relative);
    assert!(
        matches!(field, ComputedField::ReferenceNumber { bookmark, number, with_position: false, .. } if &**bookmark == "here" && *number == relative)
    );
    assert_eq!(result, "1.2");
}

#[test]
fn a_field_within_a_field_belongs_to_its_code() {
    let inner = field("MERGEFIELD x", &r("5"));
    let xml = format!(
        "<w:r><w:fldChar w:fldCharType=\"begin\"/></w:r><w:r><w:instrText>IF </w:instrText></w:r>{inner}<w:r><w:instrText>= 5 \"five\"</w:instrText></w:r>\
         <w:r><w:fldChar w:fldCharType=\"separate\"/></w:r>{}<w:r><w:fldChar w:fldCharType=\"end\"/></w:r>",
        r("five")
    );
    assert_eq!(text(body(&Word::new(&paragraph(&xml)).read())[0]), "[Expression IF=five]");
}

#[test]
fn a_table_of_contents_keeps_its_lines_and_computes_its_pages() {
    let page = field("PAGEREF _Toc1 \\h", &r("4"));
    let line = |first: &str, last: &str| {
        paragraph(&format!(
            "{first}<w:hyperlink w:anchor=\"_Toc1\">{}<w:r><w:tab/></w:r>{page}</w:hyperlink>{last}",
            r("One")
        ))
    };
    let begin = "<w:r><w:fldChar w:fldCharType=\"begin\"/></w:r><w:r><w:instrText>TOC \\o \"1-3\"</w:instrText></w:r><w:r><w:fldChar w:fldCharType=\"separate\"/></w:r>";
    let end = "<w:r><w:fldChar w:fldCharType=\"end\"/></w:r>";
    // Some producers put the complete line into the result of PAGEREF.
    let whole = paragraph(&field("PAGEREF _Toc2 \\h", &(r("Two") + "<w:r><w:tab/></w:r>" + &r("8"))));
    let document = Word::new(&(line(begin, "") + &line("", end) + &whole)).read();
    let lines: Vec<String> = body(&document).into_iter().map(text).collect();
    let wanted = "One\t[PageReference _Toc1=4]";
    assert_eq!(lines, [wanted, wanted, "Two\t[PageReference _Toc2=8]"]);
    assert_eq!(body(&document)[0].inlines[0].link.as_deref(), Some(&Link::Bookmark("_Toc1".to_owned())));
}

#[test]
fn seq_fields_count_their_items() {
    let one = |code: &str| paragraph(&field(code, &r("?")));
    let xml = [
        one("SEQ Figure"),
        one("SEQ Table \\* ROMAN"),
        one("SEQ Figure"),
        one("SEQ Figure \\c"),
        one("SEQ Figure \\r 9"),
        one("SEQ Figure"),
    ];
    let document = Word::new(&xml.concat()).read();
    assert_eq!(body(&document).into_iter().map(text).collect::<Vec<_>>(), ["1", "I", "2", "2", "9", "10"]);
}

#[test]
fn form_fields_and_links() {
    let check = "<w:r><w:fldChar w:fldCharType=\"begin\"><w:ffData><w:checkBox><w:checked/></w:checkBox></w:ffData></w:fldChar></w:r>\
        <w:r><w:instrText>FORMCHECKBOX</w:instrText></w:r><w:r><w:fldChar w:fldCharType=\"end\"/></w:r>";
    let list = "<w:r><w:fldChar w:fldCharType=\"begin\"><w:ffData><w:ddList><w:result w:val=\"1\"/><w:listEntry w:val=\"a\"/><w:listEntry w:val=\"b\"/></w:ddList></w:ffData></w:fldChar></w:r>\
        <w:r><w:instrText>FORMDROPDOWN</w:instrText></w:r><w:r><w:fldChar w:fldCharType=\"end\"/></w:r>";
    let link = format!(
        "<w:hyperlink r:id=\"web\" w:anchor=\"part\">{}</w:hyperlink>{}",
        r("l"),
        field("HYPERLINK \"https://b.example\" \\l \"x\"", &r("m"))
    );
    let document = Word::new(&paragraph(&(check.to_owned() + list + &link))).link("web", "https://a.example").read();
    let paragraphs = body(&document);
    assert_eq!(text(paragraphs[0]), "☒blm");
    let links: Vec<Option<&Link>> = paragraphs[0].inlines.iter().map(|inline| inline.link.as_deref()).collect();
    assert_eq!(links[2], Some(&Link::Uri("https://a.example#part".to_owned())));
    assert_eq!(links[3], Some(&Link::Uri("https://b.example#x".to_owned())));
}

#[test]
fn tracked_changes_final_or_all() {
    let xml = format!(
        "<w:p><w:pPr><w:rPr><w:del w:id=\"1\"/></w:rPr></w:pPr>{}<w:ins w:author=\"A\">{}</w:ins><w:del w:author=\"B\"><w:r><w:delText>gone</w:delText></w:r></w:del></w:p>{}",
        r("one "),
        r("new "),
        p("two")
    );
    let word = Word::new(&xml);
    let document = word.read();
    assert_eq!(
        body(&document).into_iter().map(text).collect::<Vec<_>>(),
        ["one new two"],
        "a deleted mark joins paragraphs"
    );
    let all = word.try_read(&ReadOptions { tracked_changes: TrackedChanges::All, ..ReadOptions::default() }).unwrap();
    let first = body(&all)[0];
    assert_eq!(text(first), "one new gone");
    let kinds: Vec<Option<RevisionKind>> =
        first.inlines.iter().map(|inline| inline.run.revision.as_ref().map(|r| r.kind)).collect();
    assert_eq!(kinds, [None, Some(RevisionKind::Inserted), Some(RevisionKind::Deleted)]);
}

#[test]
fn notes_comments_and_bookmarks() {
    let xml = paragraph(&format!(
        "<w:bookmarkStart w:id=\"0\" w:name=\"here\"/>{}<w:bookmarkEnd w:id=\"0\"/><w:r><w:footnoteReference w:id=\"2\"/></w:r><w:r><w:commentReference w:id=\"5\"/></w:r>",
        r("x")
    ));
    let word = Word::new(&xml)
        .footnotes("<w:footnote w:type=\"separator\" w:id=\"-1\"><w:p><w:r><w:separator/></w:r></w:p></w:footnote><w:footnote w:id=\"2\"><w:p><w:r><w:footnoteRef/></w:r><w:r><w:t>note</w:t></w:r></w:p></w:footnote>")
        .comments(&format!("<w:comment w:id=\"5\" w:author=\"A\" w:initials=\"a\" w:date=\"2026-01-01T00:00:00Z\">{}</w:comment>", p("why")));
    let document = word.read();
    let contents: Vec<&Content> = body(&document)[0].inlines.iter().map(|inline| &inline.content).collect();
    assert!(matches!(contents[0], Content::BookmarkStart(name) if &**name == "here"));
    assert!(matches!(contents[2], Content::BookmarkEnd(name) if &**name == "here"));
    assert!(matches!(contents[3], Content::NoteReference { kind: NoteKind::Footnote, id: 2, custom: false }));
    assert_eq!((contents.len(), document.comments.len(), document.footnotes.len()), (4, 0, 1));
    assert_eq!(texts(&document.footnotes[&2].blocks), ["note"]);
    assert!(document.footnote_separators.separator.as_ref().is_some_and(|separator| separator.line), "Word's own line");
    let with = word.try_read(&ReadOptions { comments: true, ..ReadOptions::default() }).unwrap();
    assert_eq!((with.comments[0].author.as_str(), texts(&with.comments[0].blocks)), ("A", vec!["why".to_owned()]));
    assert!(
        body(&with)[0]
            .inlines
            .iter()
            .any(|inline| matches!(&inline.content, Content::CommentReference(id) if &**id == "5"))
    );
}

#[test]
fn alternate_content_and_wrappers() {
    let xml = format!(
        "<w:sdt><w:sdtContent><w:p><mc:AlternateContent><mc:Choice Requires=\"unknown\">{}</mc:Choice><mc:Fallback>{}</mc:Fallback></mc:AlternateContent>\
         <w:smartTag><w:sdt><w:sdtContent>{}</w:sdtContent></w:sdt></w:smartTag></w:p></w:sdtContent></w:sdt><w:customXml>{}</w:customXml>",
        r("no"),
        r("yes"),
        r("!"),
        p("last")
    );
    assert_eq!(texts(&Word::new(&xml).read().sections[0].blocks), ["yes!", "last"]);
}

#[test]
fn a_hidden_paragraph_mark_joins_and_hidden_paragraphs_take_no_number() {
    let hidden = "<w:p><w:pPr><w:rPr><w:vanish/></w:rPr></w:pPr>";
    let xml = format!(
        "{hidden}{}</w:p>{}{hidden}<w:r><w:rPr><w:vanish/></w:rPr><w:t>secret</w:t></w:r></w:p>{}",
        r("Run-in. "),
        p("Text"),
        p("end")
    );
    assert_eq!(texts(&Word::new(&xml).read().sections[0].blocks), ["Run-in. Text", "end"]);
}

#[test]
fn formulas_have_a_tree_and_a_linear_text() {
    let xml = paragraph(
        "<m:oMathPara><m:oMath><m:r><m:t>x=</m:t></m:r><m:f><m:num><m:r><m:t>a+b</m:t></m:r></m:num><m:den><m:rad><m:radPr><m:degHide m:val=\"1\"/></m:radPr><m:deg/><m:e><m:sSup><m:e><m:r><m:t>c</m:t></m:r></m:e><m:sup><m:r><m:t>2</m:t></m:r></m:sup></m:sSup></m:e></m:rad></m:den></m:f></m:oMath></m:oMathPara>",
    );
    let document = Word::new(&xml).read();
    let Content::Math(math) = &body(&document)[0].inlines[0].content else { panic!("a formula") };
    assert!(math.display);
    assert_eq!(math.text, "x=(a+b)/(√(c^2))");
    assert!(
        matches!(&math.content[1], MathNode::Fraction { kind: FractionKind::Bar, numerator, .. } if numerator.len() == 1)
    );
}

#[test]
fn sections_headers_and_their_inheritance() {
    let section = |more: &str| format!("<w:sectPr>{more}<w:pgSz w:w=\"11906\" w:h=\"16838\"/></w:sectPr>");
    let first = section(
        "<w:headerReference w:type=\"default\" r:id=\"h1\"/><w:headerReference w:type=\"first\" r:id=\"h2\"/><w:titlePg/>",
    );
    let second = section(
        "<w:headerReference w:type=\"default\" r:id=\"h2\"/><w:type w:val=\"continuous\"/><w:pgNumType w:fmt=\"lowerRoman\" w:start=\"4\"/>",
    );
    let xml = format!("<w:p><w:pPr>{first}</w:pPr>{}</w:p>{}{second}", r("one"), p("two"));
    let document = Word::new(&xml).header("h1", &p("first header")).header("h2", &p("second header")).read();
    assert_eq!(document.sections.len(), 2);
    let [one, two] = &document.sections[..] else { panic!("two sections") };
    assert_eq!((texts(&one.blocks), texts(&two.blocks)), (vec!["one".to_owned()], vec!["two".to_owned()]));
    assert!(one.properties.title_page && !two.properties.title_page);
    assert_eq!(texts(one.headers.default.as_ref().unwrap()), ["first header"]);
    assert_eq!(texts(two.headers.default.as_ref().unwrap()), ["second header"]);
    assert_eq!(texts(two.headers.first.as_ref().unwrap()), ["second header"], "inherited");
    assert_eq!((two.properties.start, two.properties.page_number_start), (SectionStart::Continuous, Some(4)));
    assert_eq!(two.properties.page_number_format, NumberFormat::LowerRoman);
}

#[test]
fn content_in_other_formats_is_imported() {
    let html = "<html><head><title>no</title></head><body><h1>Head</h1><p>Some <b>bold</b> &amp; <i>more</i></p><ul><li>item</li></ul><table><tr><td>a</td><td>b</td></tr></table></body></html>";
    let inner = Word::new(&p("inside")).bytes();
    let xml =
        format!("{}<w:altChunk r:id=\"page\"/><w:altChunk r:id=\"document\"/><w:altChunk r:id=\"mail\"/>", p("before"));
    let document = Word::new(&xml)
        .part("aFChunk=page", "page.html", html.as_bytes())
        .part("aFChunk=document", "inner.docx", &inner)
        .part("aFChunk=mail", "mail.mht", b"MIME-Version: 1.0\r\n\r\nx")
        .read();
    assert_eq!(texts(&document.sections[0].blocks), ["before", "Head", "Some bold & more", "•\titem", "inside", "[…]"]);
    let bold: Vec<bool> = body(&document)[2].inlines.iter().map(|inline| inline.run.bold).collect();
    assert_eq!(bold, [false, true, false, false]);
    assert_eq!(table(&document).rows[0].cells.len(), 2);
    assert_eq!(
        document.warnings.iter().map(|warning| warning.code).collect::<Vec<_>>(),
        ["alternative_content_left_out"]
    );
}

#[test]
fn a_malformed_part_is_named_and_an_empty_document_is_refused() {
    let broken = Word::new(&p("x")).part("styles", "styles.xml", b"<w:styles><w:style></w:styles>");
    let error = broken.try_read(&ReadOptions::default()).unwrap_err();
    assert_eq!(error.code.as_str(), "malformed_xml");
    assert!(error.message.contains("word/styles.xml"), "{}", error.message);
}

#[test]
fn deep_nesting_is_cut_with_a_warning() {
    let mut xml = p("deep");
    for _ in 0..45 {
        xml = format!("<w:tbl><w:tr><w:tc>{xml}<w:p/></w:tc></w:tr></w:tbl>");
    }
    let document = Word::new(&xml).read();
    assert!(document.warnings.iter().any(|warning| warning.code == "nested_too_deeply"));
}

#[test]
fn note_separators_of_the_document_are_read() {
    let note =
        |kind: &str, id: i32, inner: &str| format!("<w:footnote w:type=\"{kind}\" w:id=\"{id}\">{inner}</w:footnote>");
    let notes = [
        note("separator", -1, &p("own line")),
        note("continuationSeparator", 0, "<w:p><w:r><w:continuationSeparator/></w:r></w:p>"),
        note("continuationNotice", 1, &p("see over")),
    ];
    let separators = Word::new(&p("x")).footnotes(&notes.concat()).read().footnote_separators;
    let own = separators.separator.unwrap();
    assert_eq!((texts(&own.blocks), own.line), (vec!["own line".to_owned()], false));
    assert!(separators.continuation.unwrap().line);
    assert_eq!(texts(&separators.continuation_notice.unwrap()), ["see over"]);
    let empty = note("continuationNotice", 1, "<w:p/>");
    assert!(Word::new(&p("x")).footnotes(&empty).read().footnote_separators.continuation_notice.is_none());
}

fn chunk(name: &str, bytes: &[u8]) -> Document {
    Word::new("<w:altChunk r:id=\"chunk\"/>").part("aFChunk=chunk", name, bytes).read()
}

#[test]
fn html_elements_and_styles_are_converted() {
    let cases = [
        ("<p>a < b &amp c &notin; &#x41;&#128;&nosuch; x", "a < b & c ∉ A€&nosuch; x"),
        ("<p>a<!-- > <p>no --!>b<script>if (a<b) '<p>no'</script>c<STYLE>p > a {}</style >d", "abcd"),
        ("<p title='>' class=x>a<br/>b<o:p></o:p><![CDATA[c]]>d", "a\nbd"),
        ("<p>shown</p><title>never closed <p>no", "shown"),
        ("<p>one <b> two</b>\n three&nbsp; ", "one two three\u{a0} "),
    ];
    for (html, wanted) in cases {
        assert_eq!(texts(&chunk("page.html", html.as_bytes()).sections[0].blocks), [wanted], "{html}");
    }
    let link = chunk("page.html", b"<p><A HREF='https://a.example/?b=1&amp;c=2'>x</a>");
    let wanted = Link::Uri("https://a.example/?b=1&c=2".to_owned());
    assert_eq!(body(&link)[0].inlines[0].link.as_deref(), Some(&wanted));
    let arabic = chunk("page.html", "<p dir=rtl style='color:#f00;text-align:left'>مرحبا".as_bytes());
    let paragraph = body(&arabic)[0];
    assert!(paragraph.properties.bidi && paragraph.properties.alignment == Alignment::End);
    assert_eq!(paragraph.inlines[0].run.color, Some(Rgb(255, 0, 0)));
}

#[test]
fn hostile_html_is_read_in_little_time() {
    let deep = 50_000;
    let cases = [
        "<div>".repeat(deep) + "deep",
        "<table><tr><td>".repeat(deep) + "deep",
        "<ol><li>".repeat(deep) + "deep",
        format!("<p {}>deep", (0..deep).map(|n| format!("a{n}=b ")).collect::<String>()),
        "<p>deep".to_owned() + &"<![CDATA[<!--<?".repeat(deep),
        "<p>deep<p title=\"".to_owned() + &"x".repeat(1_000_000),
        "<p>deep".to_owned() + &"</b></td></table>".repeat(deep),
    ];
    for html in cases {
        let read = chunk("page.html", html.as_bytes());
        let text = format!("{:?}", read.sections[0].blocks);
        assert!(text.contains("deep"), "{}", html.get(..80).unwrap());
    }
}

#[test]
fn rtf_is_imported_as_plain_text() {
    let rtf = concat!(
        r"{\rtf1\ansi\ansicpg1252\uc1{\fonttbl{\f0\fswiss\fcharset0 Arial;}{\f1\fcharset178 Arial;}{\f2\fcharset128 Mincho;}}",
        r"{\*\generator no;}{\info{\title no}}\pard\qc Caf\'e9 {\b bold} {\i\ul both}\line next\par",
        r"\pard \u8364?5\tab x {\field{\*\fldinst HYPERLINK a}{\fldrslt seen}}\par{\v hidden}\f1\'e3\'d1\'cd\'c8\'c7\par",
        r"\f2\'93\'fa\'96\'7b \u-10179?\u-8704\'3f\{\bin3 }}}\}}"
    );
    let document = chunk("rich.rtf", rtf.as_bytes());
    assert_eq!(texts(&document.sections[0].blocks), ["Café bold both", "next", "€5\tx seen", "مرحبا", "日本 😀{}"]);
    let directions: Vec<bool> = body(&document).iter().map(|paragraph| paragraph.properties.bidi).collect();
    assert_eq!(directions, [false, false, false, true, false]);
    let codes: Vec<&str> = document.warnings.iter().map(|warning| warning.code.as_str()).collect();
    assert_eq!(codes, ["alternative_content_as_text"]);
    for cut in 0..rtf.len() {
        chunk("rich.rtf", &rtf.as_bytes()[..cut.max(5)]);
    }
}

#[test]
fn hostile_rich_text_is_read_in_little_time() {
    let cases = [
        "{\\rtf1 deep".to_owned() + &"{".repeat(1_000_000),
        "{\\rtf1 deep".to_owned() + &"}".repeat(1_000_000),
        "{\\rtf1 deep\\bin99999999999 x".to_owned(),
        "{\\rtf1 deep\\bin2147483647 x".to_owned(),
        "{\\rtf1\\uc2147483647 deep\\u55357 ".to_owned() + &"{\\f-2147483648\\'f".repeat(100_000),
        format!("{{\\rtf1 deep\\{}", "a".repeat(1_000_000)),
    ];
    for rtf in cases {
        let read = chunk("rich.rtf", rtf.as_bytes());
        assert!(format!("{:?}", read.sections[0].blocks).contains("deep"), "{}", rtf.get(..30).unwrap());
    }
}

/// Word shows entries of a table of contents in the style of their paragraph. The Hyperlink style has no effect there
/// (§17.16.5.68).
#[test]
fn links_of_a_table_of_contents_have_no_hyperlink_style() {
    let link = |more: &str, words: &str| {
        format!(
            "<w:hyperlink w:anchor=\"a\"><w:r><w:rPr><w:rStyle w:val=\"L\"/>{more}</w:rPr><w:t>{words}</w:t></w:r></w:hyperlink>"
        )
    };
    let begin = "<w:r><w:fldChar w:fldCharType=\"begin\"/></w:r><w:r><w:instrText>TOC \\o</w:instrText></w:r><w:r><w:fldChar w:fldCharType=\"separate\"/></w:r>";
    let end = "<w:r><w:fldChar w:fldCharType=\"end\"/></w:r>";
    let xml = [
        paragraph(&link("", "before")),
        paragraph(&format!("{begin}{}", link("", "first"))),
        paragraph(&format!("{}{}", link("<w:u w:val=\"dotted\"/>", "own"), field("PAGEREF a", &r("3")))),
        paragraph(&(link("", "last") + end)),
        paragraph(&link("", "after")),
    ];
    let style = "<w:style w:type=\"character\" w:styleId=\"L\"><w:name w:val=\"Hyperlink\"/><w:rPr><w:color w:val=\"0563C1\"/><w:u w:val=\"single\"/></w:rPr></w:style>";
    let document = Word::new(&xml.concat()).styles(style).read();
    let looks = body(&document).into_iter().map(|p| {
        let run = &p.inlines[0].run;
        (run.color, run.underline.is_some())
    });
    let blue = Some(Rgb(0x05, 0x63, 0xC1));
    let expected = [(blue, true), (None, false), (None, true), (None, false), (blue, true)];
    assert_eq!(looks.collect::<Vec<_>>(), expected);
}

/// Characters of symbol fonts use the font of w:hAnsi (§17.3.2.26). Some producers write only that font.
#[test]
fn symbol_characters_use_the_high_ansi_font() {
    let of = |fonts: &str, words: &str| {
        let xml = paragraph(&format!("<w:r><w:rPr><w:rFonts {fonts}/></w:rPr><w:t>{words}</w:t></w:r>"));
        text(body(&Word::new(&xml).read())[0])
    };
    assert_eq!(of("w:hAnsi=\"Wingdings\"", "a\u{F0FC}"), "a✓");
    assert_eq!(of("w:ascii=\"Symbol\" w:hAnsi=\"Wingdings 2\"", "a\u{F052}"), "α☑");
    assert_eq!(of("w:ascii=\"Webdings\" w:hAnsi=\"Webdings\"", "\u{F0FC}"), "🌍");
    assert_eq!(of("w:ascii=\"Wingdings 3\" w:hAnsi=\"Wingdings 3\"", "\u{F085}"), "⮜");
}

/// The settings for hyphens at the end of a page ([MS-DOCX] 2.3.7 and 2.3.8).
#[test]
fn settings_select_the_treatment_of_a_hyphen_at_the_end_of_a_page() {
    let read = |settings: &[(&str, &str)]| {
        let setting = |(name, value): &(&str, &str)| format!("<w:compatSetting w:name=\"{name}\" w:val=\"{value}\"/>");
        let compatibility = settings.iter().map(setting).collect::<String>();
        let word = Word::new(&paragraph("")).settings(&format!("<w:compat>{compatibility}</w:compat>"));
        word.read().settings.hyphen_at_page_end
    };
    let (allow, line) = ("allowHyphenationAtTrackBottom", "useWord2013TrackBottomHyphenation");
    assert_eq!(read(&[]), HyphenAtPageEnd::LineGoes);
    assert_eq!(read(&[(line, "1"), (allow, "0")]), HyphenAtPageEnd::LineGoes);
    assert_eq!(read(&[(line, "0")]), HyphenAtPageEnd::WordGoes);
    assert_eq!(read(&[(allow, "1"), (line, "0")]), HyphenAtPageEnd::Stays);
}
