//! Tests of the style cascade (§17.7).

mod word;

use waraq_docx::tree::*;
use word::*;

fn style(kind: &str, id: &str, inner: &str) -> String {
    format!("<w:style w:type=\"{kind}\" w:styleId=\"{id}\"><w:name w:val=\"{id} name\"/>{inner}</w:style>")
}

const DEFAULTS: &str = "<w:docDefaults><w:rPrDefault><w:rPr><w:rFonts w:ascii=\"Default\"/><w:sz w:val=\"22\"/></w:rPr></w:rPrDefault>\
    <w:pPrDefault><w:pPr><w:spacing w:after=\"160\" w:line=\"259\" w:lineRule=\"auto\"/></w:pPr></w:pPrDefault></w:docDefaults>\
    <w:style w:type=\"paragraph\" w:default=\"1\" w:styleId=\"Normal\"><w:name w:val=\"Normal\"/></w:style>";

#[test]
fn direct_formatting_overrides_styles_and_styles_override_defaults() {
    let styles = [
        DEFAULTS.to_owned(),
        style("paragraph", "Base", "<w:pPr><w:spacing w:after=\"40\"/><w:jc w:val=\"center\"/></w:pPr><w:rPr><w:sz w:val=\"30\"/><w:color w:val=\"FF0000\"/></w:rPr>"),
        style("paragraph", "Derived", "<w:basedOn w:val=\"Base\"/><w:pPr><w:spacing w:before=\"100\"/></w:pPr><w:rPr><w:sz w:val=\"40\"/></w:rPr>"),
        style("character", "Loud", "<w:rPr><w:color w:val=\"0000FF\"/><w:u w:val=\"double\"/></w:rPr>"),
    ]
    .concat();
    let document = Word::new(
        "<w:p><w:r><w:t>plain</w:t></w:r></w:p>\
         <w:p><w:pPr><w:pStyle w:val=\"Derived\"/><w:spacing w:line=\"480\" w:lineRule=\"exact\"/></w:pPr>\
         <w:r><w:rPr><w:rStyle w:val=\"Loud\"/><w:sz w:val=\"10\"/></w:rPr><w:t>x</w:t></w:r></w:p>",
    )
    .styles(&styles)
    .read();
    let paragraphs = body(&document);
    let plain = run(paragraphs[0]);
    assert_eq!((plain.fonts.ascii.as_deref(), plain.size), (Some("Default"), 11.0));
    assert_eq!(paragraphs[0].properties.spacing.after, 8.0);
    assert_eq!(paragraphs[0].properties.spacing.line, LineSpacing::Multiple(259.0 / 240.0));
    assert_eq!(paragraphs[0].properties.style_name.as_deref(), Some("Normal"));
    let properties = &paragraphs[1].properties;
    assert_eq!((properties.spacing.before, properties.spacing.after), (5.0, 2.0));
    assert_eq!(properties.spacing.line, LineSpacing::Exactly(24.0));
    assert_eq!((properties.alignment, properties.style_name.as_deref()), (Alignment::Center, Some("Derived name")));
    let loud = run(paragraphs[1]);
    assert_eq!(
        (loud.size, loud.color, loud.underline.map(|u| u.kind)),
        (5.0, Some(Rgb(0, 0, 255)), Some(UnderlineKind::Double))
    );
    assert_eq!((loud.style.as_deref(), paragraphs[1].mark.size), (Some("Loud name"), 20.0));
}

#[test]
fn spacing_in_points_overrides_inherited_automatic_spacing() {
    let automatic = "<w:pPr><w:spacing w:before=\"100\" w:beforeAutospacing=\"1\" w:after=\"100\" w:afterAutospacing=\"1\"/></w:pPr>";
    let styles = [DEFAULTS.to_owned(), style("paragraph", "Web", automatic)].concat();
    let paragraph =
        |spacing: &str| format!("<w:p><w:pPr><w:pStyle w:val=\"Web\"/><w:spacing {spacing}/></w:pPr></w:p>");
    let document =
        Word::new(&[paragraph("w:line=\"240\""), paragraph("w:before=\"0\"")].concat()).styles(&styles).read();
    let automatic = |index: usize| {
        let spacing = &body(&document)[index].properties.spacing;
        (spacing.before_auto, spacing.after_auto, spacing.before)
    };
    assert_eq!(automatic(0), (true, true, 5.0));
    assert_eq!(automatic(1), (false, true, 0.0));
}

#[test]
fn toggles_of_styles_cancel_each_other_but_direct_toggles_do_not() {
    let styles = [
        style("paragraph", "P", "<w:rPr><w:b/><w:i/></w:rPr>"),
        style("paragraph", "P2", "<w:basedOn w:val=\"P\"/><w:rPr><w:b w:val=\"0\"/></w:rPr>"),
        style("character", "C", "<w:rPr><w:b/><w:caps/></w:rPr>"),
    ]
    .concat();
    let runs = "<w:r><w:rPr><w:rStyle w:val=\"C\"/></w:rPr><w:t>1</w:t></w:r><w:r><w:rPr><w:rStyle w:val=\"C\"/><w:b/></w:rPr><w:t>2</w:t></w:r>\
                <w:r><w:rPr><w:b w:val=\"false\"/></w:rPr><w:t>3</w:t></w:r>";
    let body_xml = format!(
        "<w:p><w:pPr><w:pStyle w:val=\"P\"/></w:pPr>{runs}</w:p><w:p><w:pPr><w:pStyle w:val=\"P2\"/></w:pPr>{runs}</w:p>"
    );
    let document = Word::new(&body_xml).styles(&styles).read();
    let bold: Vec<Vec<bool>> =
        body(&document).iter().map(|p| p.inlines.iter().map(|inline| inline.run.bold).collect()).collect();
    assert_eq!(bold, [[false, true, false], [true, true, false]]);
    let first = &body(&document)[0].inlines[0].run;
    assert!(first.caps && first.italic, "a toggle that only one style turns on is on");
}

#[test]
fn toggles_of_the_document_defaults_stay_on() {
    let defaults = "<w:docDefaults><w:rPrDefault><w:rPr><w:b/></w:rPr></w:rPrDefault></w:docDefaults>";
    let styles = [defaults.to_owned(), style("paragraph", "P", "<w:rPr><w:b/></w:rPr>")].concat();
    let document =
        Word::new("<w:p><w:pPr><w:pStyle w:val=\"P\"/></w:pPr><w:r><w:t>x</w:t></w:r></w:p>").styles(&styles).read();
    assert!(run(body(&document)[0]).bold);
}

#[test]
fn circular_base_styles_are_cut() {
    let styles = [
        style("paragraph", "A", "<w:basedOn w:val=\"B\"/><w:rPr><w:sz w:val=\"50\"/></w:rPr>"),
        style("paragraph", "B", "<w:basedOn w:val=\"A\"/><w:rPr><w:i/></w:rPr>"),
    ]
    .concat();
    let document =
        Word::new("<w:p><w:pPr><w:pStyle w:val=\"A\"/></w:pPr><w:r><w:t>x</w:t></w:r></w:p>").styles(&styles).read();
    let run = run(body(&document)[0]);
    assert_eq!((run.size, run.italic), (25.0, true));
}

const THEME: &str = "<a:theme xmlns:a=\"http://schemas.openxmlformats.org/drawingml/2006/main\"><a:themeElements>\
    <a:clrScheme name=\"x\"><a:dk1><a:sysClr val=\"windowText\" lastClr=\"000000\"/></a:dk1><a:lt1><a:srgbClr val=\"FFFFFF\"/></a:lt1>\
    <a:dk2><a:srgbClr val=\"1F497D\"/></a:dk2><a:lt2><a:srgbClr val=\"EEECE1\"/></a:lt2><a:accent1><a:srgbClr val=\"4F81BD\"/></a:accent1></a:clrScheme>\
    <a:fontScheme name=\"x\"><a:majorFont><a:latin typeface=\"Cambria\"/><a:ea typeface=\"\"/><a:cs typeface=\"\"/><a:font script=\"Arab\" typeface=\"Times New Roman\"/></a:majorFont>\
    <a:minorFont><a:latin typeface=\"Calibri\"/><a:ea typeface=\"\"/><a:cs typeface=\"\"/><a:font script=\"Arab\" typeface=\"Arial\"/></a:minorFont></a:fontScheme>\
    </a:themeElements></a:theme>";

#[test]
fn theme_fonts_by_script_and_colours_with_shade() {
    let document = Word::new(
        "<w:p><w:r><w:rPr><w:rFonts w:ascii=\"Ignored\" w:asciiTheme=\"minorHAnsi\" w:cstheme=\"majorBidi\"/>\
         <w:color w:val=\"000000\" w:themeColor=\"accent1\" w:themeShade=\"BF\"/></w:rPr><w:t>x</w:t></w:r></w:p>",
    )
    .part("theme", "theme/theme1.xml", THEME.as_bytes())
    .settings("<w:themeFontLang w:val=\"en-US\" w:bidi=\"ar-SA\"/>")
    .read();
    let run = run(body(&document)[0]);
    assert_eq!(run.fonts.ascii.as_deref(), Some("Calibri"));
    assert_eq!(run.fonts.complex.as_deref(), Some("Times New Roman"));
    // Word shows 365F91.
    let Rgb(red, green, blue) = run.color.unwrap();
    assert!(
        red.abs_diff(0x36) <= 1 && green.abs_diff(0x5F) <= 1 && blue.abs_diff(0x91) <= 1,
        "{red:X} {green:X} {blue:X}"
    );
}

/// Word keeps the colour of an underline that was removed.
#[test]
fn an_underline_with_only_a_colour_is_not_drawn() {
    let lined = "<w:style w:type=\"character\" w:styleId=\"L\"><w:rPr><w:u w:val=\"double\"/></w:rPr></w:style>";
    let runs = ["", "<w:rStyle w:val=\"L\"/>"]
        .map(|style| format!("<w:p><w:r><w:rPr>{style}<w:u w:color=\"231F20\"/></w:rPr><w:t>x</w:t></w:r></w:p>"));
    let document = Word::new(&runs.concat()).styles(lined).read();
    let kinds: Vec<_> = body(&document).into_iter().map(|p| run(p).underline.map(|line| line.kind)).collect();
    assert_eq!(kinds, [None, Some(UnderlineKind::Double)]);
}

#[test]
fn every_run_property_is_read() {
    let document = Word::new(
        "<w:p><w:r><w:rPr><w:rFonts w:ascii=\"A\" w:hAnsi=\"H\" w:eastAsia=\"E\" w:cs=\"C\" w:hint=\"eastAsia\"/><w:bCs/><w:iCs/>\
         <w:strike/><w:smallCaps/><w:emboss/><w:vanish w:val=\"off\"/><w:spacing w:val=\"-20\"/><w:w w:val=\"150\"/><w:kern w:val=\"28\"/>\
         <w:position w:val=\"6\"/><w:szCs w:val=\"36\"/><w:highlight w:val=\"yellow\"/><w:u w:val=\"wave\" w:color=\"00FF00\"/>\
         <w:bdr w:val=\"single\" w:sz=\"8\" w:space=\"1\" w:color=\"112233\"/><w:shd w:val=\"pct50\" w:color=\"000000\" w:fill=\"FFFFFF\"/>\
         <w:vertAlign w:val=\"superscript\"/><w:rtl/><w:cs/><w:em w:val=\"dot\"/><w:lang w:val=\"fr-FR\" w:bidi=\"ar-TN\"/>\
         <w14:ligatures w14:val=\"standardContextual\"/></w:rPr><w:t>x</w:t></w:r></w:p>",
    )
    .read();
    let r = run(body(&document)[0]);
    assert_eq!(r.fonts.high_ansi.as_deref(), Some("H"));
    assert_eq!(
        (r.fonts.east_asia.as_deref(), r.fonts.complex.as_deref(), r.fonts.hint),
        (Some("E"), Some("C"), FontSlot::EastAsia)
    );
    assert!(r.bold_complex && !r.bold && r.italic_complex && !r.italic && r.small_caps && r.emboss && !r.hidden);
    assert_eq!((r.strike, r.spacing, r.scale, r.kerning_from, r.raise), (Strike::Single, -1.0, 1.5, Some(14.0), 3.0));
    assert_eq!((r.size, r.size_complex, r.highlight), (11.0, 18.0, Some(Rgb(255, 255, 0))));
    assert_eq!(r.underline, Some(Underline { kind: UnderlineKind::Wave, color: Some(Rgb(0, 255, 0)) }));
    assert_eq!(r.border.map(|b| (b.width, b.color)), Some((1.0, Some(Rgb(0x11, 0x22, 0x33)))));
    assert_eq!((r.shading, r.vertical_position), (Some(Rgb(128, 128, 128)), VerticalPosition::Superscript));
    assert!(r.right_to_left && r.complex_script && r.ligatures);
    assert_eq!(
        (r.emphasis_mark, r.language.latin.as_deref(), r.language.complex.as_deref()),
        (EmphasisMark::Dot, Some("fr-FR"), Some("ar-TN"))
    );
}

#[test]
fn a_character_scale_out_of_range_is_ignored() {
    for (written, scale) in [("0", 1.0), ("601", 1.0), ("1", 0.01), ("600", 6.0), ("33%", 0.33)] {
        let run_of =
            Word::new(&format!("<w:p><w:r><w:rPr><w:w w:val=\"{written}\"/></w:rPr><w:t>x</w:t></w:r></w:p>")).read();
        assert_eq!(run(body(&run_of)[0]).scale, scale, "{written}");
    }
}

#[test]
fn paragraph_properties_in_a_bidi_paragraph_are_leading_and_trailing() {
    let document = Word::new(
        "<w:p><w:pPr><w:bidi/><w:jc w:val=\"left\"/><w:ind w:left=\"720\" w:right=\"360\" w:hanging=\"240\"/>\
         <w:tabs><w:tab w:val=\"right\" w:pos=\"2000\" w:leader=\"dot\"/><w:tab w:val=\"left\" w:pos=\"1000\"/></w:tabs></w:pPr></w:p>\
         <w:p><w:pPr><w:bidi/><w:jc w:val=\"right\"/></w:pPr></w:p>",
    )
    .read();
    let paragraphs = body(&document);
    let properties = &paragraphs[0].properties;
    assert!(properties.bidi);
    assert_eq!(properties.alignment, Alignment::Start);
    assert_eq!(properties.indent, Indent { start: 36.0, end: 18.0, first_line: -12.0 });
    let tabs: Vec<(f32, TabKind, TabLeader)> = properties.tabs.iter().map(|t| (t.position, t.kind, t.leader)).collect();
    assert_eq!(tabs, [(50.0, TabKind::Start, TabLeader::None), (100.0, TabKind::End, TabLeader::Dot)]);
    assert_eq!(paragraphs[1].properties.alignment, Alignment::End);
}

#[test]
fn tabs_of_a_style_can_be_cleared() {
    let styles = style(
        "paragraph",
        "T",
        "<w:pPr><w:tabs><w:tab w:val=\"left\" w:pos=\"1000\"/><w:tab w:val=\"center\" w:pos=\"2000\"/></w:tabs></w:pPr>",
    );
    let document = Word::new(
        "<w:p><w:pPr><w:pStyle w:val=\"T\"/><w:tabs><w:tab w:val=\"clear\" w:pos=\"1000\"/><w:tab w:val=\"decimal\" w:pos=\"3000\"/></w:tabs></w:pPr></w:p>",
    )
    .styles(&styles)
    .read();
    let kinds: Vec<TabKind> = body(&document)[0].properties.tabs.iter().map(|tab| tab.kind).collect();
    assert_eq!(kinds, [TabKind::Center, TabKind::Decimal]);
}

#[test]
fn strict_documents_are_read_like_transitional_ones() {
    let strict = "xmlns:w=\"http://purl.oclc.org/ooxml/wordprocessingml/main\"";
    let document = Word::new(
        "<w:p><w:pPr><w:ind w:start=\"36pt\" w:hanging=\"0.5in\"/><w:jc w:val=\"end\"/></w:pPr><w:r><w:rPr><w:sz w:val=\"14pt\"/><w:b w:val=\"on\"/></w:rPr><w:t>x</w:t></w:r></w:p>\
         <w:sectPr><w:pgSz w:w=\"210mm\" w:h=\"297mm\"/></w:sectPr>",
    )
    .namespaces(strict)
    .read();
    let paragraphs = body(&document);
    assert_eq!(paragraphs[0].properties.indent, Indent { start: 36.0, end: 0.0, first_line: -36.0 });
    assert_eq!(paragraphs[0].properties.alignment, Alignment::End);
    assert!((run(paragraphs[0]).size - 14.0).abs() < 0.01 && run(paragraphs[0]).bold);
    assert!((document.sections[0].properties.page_width - 595.28).abs() < 0.1);
}

#[test]
fn frames_and_drop_caps() {
    let document = Word::new(
        "<w:p><w:pPr><w:framePr w:dropCap=\"drop\" w:lines=\"3\" w:wrap=\"around\" w:vAnchor=\"text\" w:hAnchor=\"text\"/></w:pPr><w:r><w:t>D</w:t></w:r></w:p>\
         <w:p><w:pPr><w:framePr w:w=\"2000\" w:h=\"1000\" w:hRule=\"exact\" w:hAnchor=\"page\" w:xAlign=\"right\" w:y=\"401\" w:vAnchor=\"margin\"/></w:pPr></w:p>",
    )
    .read();
    let paragraphs = body(&document);
    assert_eq!(paragraphs[0].properties.frame.and_then(|f| f.drop_cap), Some(DropCap { lines: 3, in_margin: false }));
    let frame = paragraphs[1].properties.frame.unwrap();
    assert_eq!((frame.width, frame.height, frame.height_exact), (Some(100.0), Some(50.0), true));
    assert_eq!((frame.horizontal_anchor, frame.x), (FrameAnchor::Page, Some(PositionValue::End)));
    assert_eq!((frame.vertical_anchor, frame.y), (FrameAnchor::Margin, Some(PositionValue::Offset(20.0))));
}

#[test]
fn without_defaults_runs_are_calibri_and_with_empty_ones_they_are_not() {
    let read = |document: Word| {
        let document = document.read();
        let run = run(body(&document)[0]);
        (run.fonts.ascii.as_deref().map(str::to_owned), run.size, run.size_complex)
    };
    let text = "<w:p><w:r><w:t>x</w:t></w:r></w:p>";
    let calibri = (Some("Calibri".to_owned()), 11.0, 11.0);
    assert_eq!(read(Word::new(text)), calibri);
    assert_eq!(read(Word::new(text).styles("<w:docDefaults><w:pPrDefault/></w:docDefaults>")), calibri);
    assert_eq!(read(Word::new(text).styles("<w:docDefaults><w:rPrDefault/></w:docDefaults>")), (None, 10.0, 10.0));
    let own = "<w:docDefaults><w:rPrDefault><w:rPr><w:sz w:val=\"30\"/></w:rPr></w:rPrDefault></w:docDefaults>";
    assert_eq!(read(Word::new(text).styles(own)), (None, 15.0, 10.0));
}

#[test]
fn a_style_without_an_id_is_identified_by_its_name() {
    let styles = format!("{DEFAULTS}<w:style><w:name w:val=\"Tiny\"/><w:rPr><w:sz w:val=\"2\"/></w:rPr></w:style>");
    let document = Word::new("<w:p><w:pPr><w:pStyle w:val=\"Tiny\"/></w:pPr></w:p>").styles(&styles).read();
    assert_eq!(body(&document)[0].mark.size, 1.0);
}

#[test]
fn the_style_normal_is_the_default_if_no_style_is_marked_as_default() {
    let normal = "<w:style w:type=\"paragraph\" w:styleId=\"style0\"><w:name w:val=\"Normal\"/><w:rPr><w:sz w:val=\"48\"/></w:rPr></w:style>";
    let other = style("paragraph", "Other", "<w:rPr><w:sz w:val=\"30\"/></w:rPr>");
    let read = |styles: &str| body(&Word::new("<w:p/>").styles(styles).read())[0].mark.size;
    assert_eq!(read(&format!("{other}{normal}")), 24.0);
    let flagged = other.replace("<w:style ", "<w:style w:default=\"1\" ");
    assert_eq!(read(&format!("{flagged}{normal}")), 15.0);
}

#[test]
fn frame_properties_of_the_style_apply_unless_overridden() {
    let style = "<w:style w:type=\"paragraph\" w:styleId=\"Framed\"><w:name w:val=\"Framed\"/>\
                 <w:pPr><w:framePr w:w=\"2000\" w:hAnchor=\"page\" w:x=\"1001\" w:y=\"3001\"/></w:pPr></w:style>";
    let framed = |attributes: &str| {
        let paragraph = format!("<w:p><w:pPr><w:pStyle w:val=\"Framed\"/><w:framePr {attributes}/></w:pPr></w:p>");
        body(&Word::new(&paragraph).styles(style).read())[0].properties.frame.unwrap()
    };
    let frame = framed("w:wrap=\"none\" w:xAlign=\"right\"");
    assert_eq!(
        (frame.width, frame.horizontal_anchor, frame.x),
        (Some(100.0), FrameAnchor::Page, Some(PositionValue::End))
    );
    // A position without an anchor is relative to the margin; without a position, the frame is in the text.
    assert_eq!((frame.vertical_anchor, frame.y), (FrameAnchor::Margin, Some(PositionValue::Offset(150.0))));
    assert_eq!(frame.wrap, FrameWrap::None);
    assert_eq!(framed("w:vAnchor=\"page\"").vertical_anchor, FrameAnchor::Page);
    let plain = Word::new("<w:p><w:pPr><w:framePr w:wrap=\"notBeside\"/></w:pPr></w:p>").read();
    let plain = body(&plain)[0].properties.frame.unwrap();
    assert_eq!((plain.vertical_anchor, plain.wrap), (FrameAnchor::Text, FrameWrap::NotBeside));
}

#[test]
fn an_empty_paragraph_that_ends_a_continuous_section_is_removed() {
    let end = |inside: &str| format!("<w:p><w:pPr><w:sectPr/></w:pPr>{inside}</w:p>");
    let before = |kind: &str, first: &str| {
        let next = format!("{}<w:sectPr><w:type w:val=\"{kind}\"/></w:sectPr>", p("next"));
        Word::new(&format!("{first}{next}")).read().sections[0].blocks.len()
    };
    let count = |first: &str| before("continuous", first);
    assert_eq!(count(&format!("{}{}", p("text"), end(""))), 1);
    assert_eq!(count(&format!("{}{}", p("text"), end("<w:bookmarkStart w:id=\"1\" w:name=\"b\"/>"))), 1);
    assert_eq!(count(&format!("{}{}", p("text"), end("<w:r><w:t>x</w:t></w:r>"))), 2);
    assert_eq!(count(&end("")), 1, "a section has a paragraph");
    assert_eq!(before("nextPage", &format!("{}{}", p("text"), end(""))), 2, "it is the last line of its page");
}
