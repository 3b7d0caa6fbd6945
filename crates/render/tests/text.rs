//! Text in the PDF is found as written, in fonts with only the glyphs used.

mod support;

use support::*;
use waraq_layout::{DisplayItem, Element, ElementId, ElementKind, Glyph, GlyphRun, Pages, Rgb, TextShadow};
use waraq_render::{PdfOptions, StandardClaim};

fn pdf_with_tags(document: &Pages, tagged: bool) -> Vec<u8> {
    waraq_render::pdf(document, &PdfOptions { tagged, ..PdfOptions::plain() }).unwrap().bytes
}

/// Returns the content streams as readable text.
fn content_streams(bytes: &[u8]) -> String {
    reader("qpdf", &["--qdf", "--object-streams=disable", "FILE", "-"], bytes)
}

#[test]
fn latin_text_with_ligatures_is_read_as_written() {
    let text = "An office affiliate filed the difficult finding";
    let bytes = pdf(&pages(vec![vec![DisplayItem::Glyphs(run(text, LATIN, 12.0, 72.0, 100.0))]]));
    check(&bytes);
    assert_eq!(text_of(&bytes).trim(), text);
}

#[test]
fn arabic_text_with_ligatures_and_marks_is_read_in_logical_order() {
    for font in [ARABIC, NASKH] {
        for text in [
            "عقد كراء لأغراض الأعمال",
            "السلام عليكم ورحمة الله",
            "بِسْمِ اللَّهِ الرَّحْمَٰنِ الرَّحِيمِ",
            "المادة الأولى لا يجوز إلا بموافقة المُؤَجِّر والشّاهد",
        ] {
            let shaped = run(text, font, 14.0, 100.0, 100.0);
            let document = pages(vec![vec![DisplayItem::Glyphs(shaped)]]);
            for tagged in [false, true] {
                let bytes = pdf_with_tags(&document, tagged);
                check(&bytes);
                assert_eq!(text_of(&bytes).trim(), text);
                // ISO 32000-1, 14.8.2.3.3
                assert!(tagged || !content_streams(&bytes).contains("ReversedChars"));
            }
        }
    }
}

#[test]
fn runs_that_continue_each_other_are_drawn_together() {
    let first = run("one line, ", LATIN, 12.0, 72.0, 100.0);
    let end = 72.0 + width(&first);
    let second = run("in pieces", LATIN, 12.0, end, 100.0);
    let items = |second: GlyphRun| pages(vec![vec![DisplayItem::Glyphs(first.clone()), DisplayItem::Glyphs(second)]]);
    for tagged in [false, true] {
        let bytes = pdf_with_tags(&items(second.clone()), tagged);
        assert_eq!(content_streams(&bytes).matches(" Tf").count(), 1);
        assert_eq!(text_of(&bytes).trim(), "one line, in pieces");
    }
    let blue = pdf_with_tags(&items(GlyphRun { color: Rgb(0, 0, 255), ..second }), false);
    assert_eq!(content_streams(&blue).matches(" Tf").count(), 2);
    assert_eq!(text_of(&blue).trim(), "one line, in pieces");
}

#[test]
fn letters_with_letter_spacing_keep_their_marks() {
    let text = "تيسيراً قسراً هيّناً مُربَّع";
    for (font, spacing) in [(ARABIC, 0.12), (NASKH, 0.12), (ARABIC, 4.0), (NASKH, -0.3)] {
        let mut shaped = run(text, font, 14.0, 100.0, 100.0);
        let mut last = None;
        for glyph in &mut shaped.glyphs {
            // layout adds the spacing to the first glyph of a cluster, which can be a mark
            if last.replace(glyph.range.clone()) != Some(glyph.range.clone()) {
                glyph.advance += spacing;
            }
        }
        let end = 100.0 + width(&shaped);
        let after = run("|", LATIN, 14.0, end, 100.0);
        let bytes = pdf_with_tags(&pages(vec![vec![DisplayItem::Glyphs(shaped), DisplayItem::Glyphs(after)]]), false);
        check(&bytes);
        assert!(
            !content_streams(&bytes).contains("ActualText"),
            "PDFium treats a span with ActualText as a separate line"
        );
        let read: String = text_of(&bytes).chars().filter(|c| !c.is_whitespace() && *c != '|').collect();
        assert_eq!(read, text.replace(' ', ""), "{font:?} {spacing}");
    }
}

#[test]
fn words_with_tatweels_are_read_as_written() {
    let text = "المستفيد من الخدمة";
    for font in [ARABIC, NASKH] {
        let mut shaped = run(text, font, 14.0, 100.0, 100.0);
        let tatweel = run("ـ", font, 14.0, 0.0, 0.0).glyphs.remove(0);
        // three tatweels after the seen of the first word
        let seen = text.find('ت').unwrap() as u32;
        let place = shaped.glyphs.iter().position(|glyph| glyph.range.end == seen).unwrap();
        let stands_for_nothing = Glyph { range: seen..seen, ..tatweel };
        for _ in 0..3 {
            shaped.glyphs.insert(place, stands_for_nothing.clone());
        }
        // the same letter without tatweels, and a tatweel that was typed
        let typed = "سنة كتـاب";
        let after = run(typed, font, 14.0, 100.0, 140.0);
        for tagged in [false, true] {
            let items = vec![DisplayItem::Glyphs(shaped.clone()), DisplayItem::Glyphs(after.clone())];
            let bytes = pdf_with_tags(&pages(vec![items]), tagged);
            check(&bytes);
            assert_eq!(text_of(&bytes).split_whitespace().collect::<Vec<_>>().join(" "), format!("{text} {typed}"));
        }
    }
}

/// The same glyphs represent letters with and without vowel signs, or with and without dots. Signs and dots are shapes.
#[test]
fn a_glyph_with_two_texts_comes_from_two_subsets_without_actual_text() {
    let text = "بَاب باب على علي";
    let bytes = pdf_with_tags(&pages(vec![vec![DisplayItem::Glyphs(run(text, NASKH, 14.0, 100.0, 100.0))]]), true);
    check(&bytes);
    assert!(!content_streams(&bytes).contains("ActualText"));
    let fonts = reader("pdffonts", &["FILE"], &bytes);
    assert_eq!(fonts.lines().skip(2).count(), 2, "{fonts}");
    assert!(fonts.contains("-2 "), "{fonts}");
    assert_eq!(text_of(&bytes).trim(), text);
}

#[test]
fn characters_without_a_glyph_are_read_as_written() {
    let text = "Name 中文名称";
    let mut items = vec![DisplayItem::Glyphs(run(text, LATIN, 12.0, 72.0, 100.0))];
    items.push(DisplayItem::Glyphs(run("再来", LATIN, 12.0, 72.0, 130.0)));
    let bytes = pdf(&pages(vec![items]));
    check(&bytes);
    assert_eq!(text_of(&bytes).split_whitespace().collect::<Vec<_>>(), ["Name", "中文名称", "再来"]);
}

#[test]
fn a_long_cluster_of_missing_glyphs_is_read_as_written() {
    let text = "👩\u{200d}👧\u{200d}".repeat(50);
    for tagged in [false, true] {
        let mut items = vec![DisplayItem::Glyphs(run(&text, LATIN, 2.0, 72.0, 100.0))];
        items.push(DisplayItem::Glyphs(run("after", LATIN, 12.0, 72.0, 130.0)));
        let bytes = pdf_with_tags(&pages(vec![items]), tagged);
        check(&bytes);
        let read: String = text_of(&bytes).split_whitespace().collect();
        assert_eq!(read, format!("{text}after"), "{tagged}");
    }
}

#[test]
fn a_missing_glyph_is_found_before_the_file_is_written() {
    let mut document = pages(vec![vec![DisplayItem::Glyphs(run("中", LATIN, 12.0, 72.0, 100.0))]]);
    document.structure = vec![Element { kind: ElementKind::Paragraph, parent: None }];
    document.pages[0].items[0].element = Some(ElementId(0));
    (document.metadata.title, document.metadata.language) = (Some("Title".into()), Some("en".into()));
    let options = PdfOptions {
        pdf_ua: StandardClaim::IfPossibleOrWarn,
        pdf_a: StandardClaim::IfPossibleOrWarn,
        ..PdfOptions::default()
    };
    let work = |document: &Pages| {
        let before = document.meter.work();
        let pdf = waraq_render::pdf(document, &options).unwrap();
        check(&pdf.bytes);
        (document.meter.work() - before, pdf.warnings)
    };
    let (missing, warnings) = work(&document);
    let reasons: Vec<&str> = warnings.iter().map(|warning| warning.message.as_str()).collect();
    let reason = |standard: &str| format!("the PDF does not claim {standard}: a character is in none of the fonts");
    assert_eq!(reasons, [reason("PDF/UA-1"), reason("PDF/A-2a")]);
    assert_eq!(missing, 3, "the page is drawn once, and the missing glyph counts");
}

#[test]
fn outlined_and_shadowed_words_are_drawn_and_read_once() {
    let mut words = run("Shadow", LATIN, 24.0, 72.0, 100.0);
    let plain = pdf(&pages(vec![vec![DisplayItem::Glyphs(words.clone())]]));
    words.shadow = Some(TextShadow { right: 1.0, down: 1.0, color: Rgb(128, 128, 128) });
    words.outlined = true;
    let bytes = pdf(&pages(vec![vec![DisplayItem::Glyphs(words)]]));
    check(&bytes);
    assert_eq!(text_of(&bytes).trim(), "Shadow");
    assert_ne!(plain, bytes);
}

#[test]
fn a_shadow_looks_like_its_letters_moved_and_recoloured() {
    let gray = Rgb(150, 150, 150);
    for (text, font) in [("Shadow gap", LATIN), ("العَرَبِيَّة", ARABIC)] {
        for change in [
            |_: &mut GlyphRun| {},
            |run: &mut GlyphRun| run.synthetic_bold = true,
            |run: &mut GlyphRun| run.synthetic_italic = true,
            |run: &mut GlyphRun| {
                run.scale_x = 1.5;
                run.glyphs.iter_mut().for_each(|glyph| glyph.advance *= 1.5);
            },
        ] {
            let mut letters = run(text, font, 40.0, 72.0, 100.0);
            change(&mut letters);
            let mut behind = letters.clone();
            (behind.x, behind.y, behind.color) = (behind.x + 3.0, behind.y + 2.0, gray);
            let once = pdf(&pages(vec![vec![DisplayItem::Glyphs(letters.clone())]]));
            let twice = pdf(&pages(vec![vec![DisplayItem::Glyphs(behind), DisplayItem::Glyphs(letters.clone())]]));
            letters.shadow = Some(TextShadow { right: 3.0, down: 2.0, color: gray });
            let shadowed = pdf(&pages(vec![vec![DisplayItem::Glyphs(letters)]]));
            check(&shadowed);
            assert_eq!(text_of(&shadowed), text_of(&once));
            let (twice, shadowed) = (seen(&twice), seen(&shadowed));
            // a reader smooths the edges of letters differently from those of shapes
            let differences =
                twice.pixels().zip(shadowed.pixels()).map(|(one, other)| f64::from(one.0[0].abs_diff(other.0[0])));
            let ink = twice.pixels().map(|pixel| f64::from(255 - pixel.0[0])).sum::<f64>();
            let different = differences.sum::<f64>() / ink;
            assert!(different < 0.06, "{text}: {different} of the dark pixels differ");
        }
    }
}

#[test]
fn fonts_are_subset_and_glyphs_have_unicodes() {
    let bytes = pdf(&pages(vec![vec![
        DisplayItem::Glyphs(run("Subset", LATIN, 12.0, 72.0, 100.0)),
        DisplayItem::Glyphs(run("مرحبا", ARABIC, 12.0, 72.0, 130.0)),
    ]]));
    let fonts = reader("pdffonts", &["FILE"], &bytes);
    let rows: Vec<&str> = fonts.lines().skip(2).collect();
    assert_eq!(rows.len(), 2, "a font that is not used is not embedded:\n{fonts}");
    for row in rows {
        let columns: Vec<&str> = row.split_whitespace().rev().take(5).collect();
        // columns from the end: object, number, unicode, subset, embedded
        assert_eq!(columns[2..5], ["yes", "yes", "yes"], "{fonts}");
    }
    assert!(bytes.len() < 20_000, "{} bytes", bytes.len());
}

#[test]
fn letters_are_drawn_at_their_positions() {
    let mut spaced = run("wide", LATIN, 10.0, 100.0, 200.0);
    for glyph in &mut spaced.glyphs {
        glyph.advance += 40.0;
    }
    let bytes = pdf(&pages(vec![vec![DisplayItem::Glyphs(spaced)]]));
    let boxes = reader("pdftotext", &["-bbox", "FILE", "-"], &bytes);
    let first = boxes.lines().find(|line| line.contains("<word")).unwrap();
    assert!(first.contains("xMin=\"100.0"), "{first}");
    assert_eq!(boxes.matches("<word").count(), 4, "letters 40 pt apart are words:\n{boxes}");
}

#[test]
fn the_same_pages_give_the_same_bytes() {
    let make = || pdf(&pages(vec![vec![DisplayItem::Glyphs(run("Same", LATIN, 12.0, 72.0, 100.0))]]));
    assert_eq!(make(), make());
}

#[test]
fn text_in_an_unreadable_font_is_left_out_with_a_warning() {
    let mut document = pages(vec![vec![
        DisplayItem::Glyphs(run("kept", LATIN, 12.0, 72.0, 100.0)),
        DisplayItem::Glyphs(run("مرحبا", ARABIC, 12.0, 72.0, 130.0)),
    ]]);
    document.fonts[ARABIC.index()].data = std::sync::Arc::new(b"no font at all".to_vec());
    let made = waraq_render::pdf(&document, &Default::default()).unwrap();
    check(&made.bytes);
    assert_eq!(text_of(&made.bytes).trim(), "kept");
    assert_eq!(made.warnings.iter().map(|warning| warning.code).collect::<Vec<_>>(), ["font_not_embedded"]);
}
