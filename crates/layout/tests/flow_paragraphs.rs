//! Paragraphs one below the other: spacing, keeps, borders.

mod book;
mod flow_common;
use flow_common::*;
use waraq_docx::tree::*;

fn spaced(name: &str, before: f32, after: f32) -> Paragraph {
    text(&[name]).with(|p| {
        p.spacing.before = before;
        p.spacing.after = after;
    })
}

#[test]
fn the_larger_of_two_spaces_counts() {
    let pages = set(&document(vec![spaced("one", 0.0, 12.0).block(), spaced("two", 8.0, 0.0).block()]));
    near(find(&pages, "two").y - find(&pages, "one").y, LINE + 12.0);
}

#[test]
fn spaces_add_where_the_document_asks_for_it() {
    let mut document = document(vec![spaced("one", 0.0, 12.0).block(), spaced("two", 8.0, 0.0).block()]);
    document.settings.do_not_use_html_paragraph_auto_spacing = true;
    let pages = set(&document);
    near(find(&pages, "two").y - find(&pages, "one").y, LINE + 20.0);
}

#[test]
fn contextual_spacing_drops_space_between_paragraphs_of_one_style() {
    let styled = |name: &str, style: &str| {
        spaced(name, 10.0, 10.0).with(|p| {
            p.contextual_spacing = true;
            p.style_id = Some(style.into());
        })
    };
    let pages = set(&document(vec![
        styled("one", "List").block(),
        styled("two", "List").block(),
        styled("three", "Other").block(),
    ]));
    near(find(&pages, "two").y - find(&pages, "one").y, LINE);
    near(find(&pages, "three").y - find(&pages, "two").y, LINE + 10.0);
}

#[test]
fn space_before_stays_on_the_first_page_and_where_the_paragraph_begins_the_page_itself() {
    let mut blocks = vec![spaced("first", 30.0, 0.0).block()];
    blocks.extend(numbered("a", 7));
    blocks.push(spaced("natural", 30.0, 0.0).block());
    blocks.push(text(&["x"]).and(Content::Break(Break::Page)).block());
    blocks.push(spaced("after a break", 30.0, 12.0).block());
    blocks.push(spaced("own page", 30.0, 0.0).with(|p| p.page_break_before = true).block());
    let next = section(small_page(), vec![spaced("section", 30.0, 0.0).block()]);
    let mut above = section(small_page(), blocks);
    above.blocks.push(text(&["last"]).with(|p| p.spacing.after = 20.0).block());
    let pages = set(&sections(vec![above, next]));
    let top = find(&set(&document(numbered("top", 1))), "top1").y;
    let stands = |name: &str, page: usize, space: f32| {
        assert_eq!(page_of(&pages, name), page, "{name}");
        near(find(&pages, name).y, top + space);
    };
    stands("first", 0, 30.0);
    stands("natural", 1, 0.0);
    // The break is that of the paragraph above.
    stands("after a break", 2, 0.0);
    // Of the space between two paragraphs, that after the upper one stays on its page.
    stands("own page", 3, 30.0 - 12.0);
    stands("section", 4, 30.0 - 20.0);
}

#[test]
fn a_page_break_at_the_end_of_a_paragraph_makes_no_empty_line() {
    let pages = set(&document(vec![text(&["one"]).and(Content::Break(Break::Page)).block(), text(&["two"]).block()]));
    let top = find(&set(&document(numbered("top", 1))), "top1").y;
    assert_eq!(page_of(&pages, "two"), 1);
    near(find(&pages, "two").y, top);
}

#[test]
fn text_after_a_page_break_goes_on_on_the_next_page() {
    let paragraph = text(&["one"]).and(Content::Break(Break::Page)).and(Content::Text("two".into()));
    let pages = set(&document(vec![paragraph.block(), text(&["three"]).block()]));
    assert_eq!(page_text(&pages, 0), ["one"]);
    assert_eq!(page_text(&pages, 1), ["two", "three"]);
}

#[test]
fn page_break_before_begins_a_page_once() {
    let broken = |name: &str| text(&[name]).with(|p| p.page_break_before = true).block();
    let pages = set(&document(vec![broken("one"), broken("two"), text(&["three"]).block()]));
    assert_eq!(pages.pages.len(), 2);
    assert_eq!(page_text(&pages, 1), ["two", "three"]);
}

#[test]
fn a_heading_keeps_with_the_next_paragraph_through_a_chain() {
    let mut blocks = numbered("a", 8);
    blocks.push(text(&["heading"]).with(|p| p.keep_next = true).block());
    blocks.push(text(&["subheading"]).with(|p| p.keep_next = true).block());
    blocks.push(text(&["body"]).block());
    let pages = set(&document(blocks));
    assert_eq!(page_text(&pages, 1), ["heading", "subheading", "body"]);
}

#[test]
fn a_chain_longer_than_a_page_breaks_where_it_must() {
    let blocks = (1..=25).map(|n| text(&[&format!("k{n}")]).with(|p| p.keep_next = true).block()).collect();
    let pages = set(&document(blocks));
    assert_eq!(pages.pages.len(), 3);
    assert_eq!(page_of(&pages, "k11"), 1);
}

#[test]
fn keep_lines_moves_the_whole_paragraph() {
    let mut blocks = numbered("a", 8);
    blocks.push(text(&["x1", "x2", "x3"]).with(|p| p.keep_lines = true).block());
    let pages = set(&document(blocks));
    assert_eq!(page_text(&pages, 1), ["x1", "x2", "x3"]);
}

#[test]
fn widow_control_leaves_no_line_alone() {
    let guarded = |lines: &[&str]| text(lines).with(|p| p.widow_control = true).block();
    // Nine lines of ten are full: the first line would stand alone.
    let mut blocks = numbered("a", 9);
    blocks.push(guarded(&["x1", "x2", "x3", "x4"]));
    assert_eq!(page_of(&set(&document(blocks)), "x1"), 1);
    // Seven are full: three lines fit, but then the last would stand alone.
    let mut blocks = numbered("a", 7);
    blocks.push(guarded(&["x1", "x2", "x3", "x4"]));
    let pages = set(&document(blocks));
    assert_eq!((page_of(&pages, "x2"), page_of(&pages, "x3")), (0, 1));
    // Three lines cannot be parted.
    let mut blocks = numbered("a", 8);
    blocks.push(guarded(&["x1", "x2", "x3"]));
    assert_eq!(page_of(&set(&document(blocks)), "x1"), 1);
}

#[test]
fn neighbours_with_the_same_borders_share_a_box() {
    let boxed = |name: &str| {
        text(&[name]).with(|p| {
            let line = line_border(1.0);
            p.borders = ParagraphBorders { top: line, bottom: line, left: line, right: line, between: None, bar: None };
        })
    };
    let horizontal = |pages: &waraq_layout::Pages| {
        rectangles(pages, 0).iter().filter(|(area, _)| area.width > 100.0 && area.height < 2.0).count()
    };
    let one = set(&document(vec![boxed("one").block(), boxed("two").block()]));
    assert_eq!(horizontal(&one), 2);
    let two = set(&document(vec![boxed("one").block(), text(&["between"]).block(), boxed("two").block()]));
    assert_eq!(horizontal(&two), 4);
}

#[test]
fn shading_covers_the_paragraph_and_the_space_inside_a_group() {
    let shaded = |name: &str| spaced(name, 0.0, 10.0).with(|p| p.shading = Some(Rgb(200, 0, 0)));
    let pages = set(&document(vec![shaded("one").block(), shaded("two").block()]));
    let covered: f32 =
        rectangles(&pages, 0).iter().filter(|(_, color)| *color == Rgb(200, 0, 0)).map(|(a, _)| a.height).sum();
    near(covered, 2.0 * LINE + 10.0);
}

#[test]
fn hidden_paragraphs_take_no_room() {
    let hidden = std::sync::Arc::new(RunProperties { hidden: true, ..RunProperties::default() });
    let mut ghost = text(&["ghost"]);
    ghost.mark = hidden.clone();
    ghost.inlines.iter_mut().for_each(|inline| inline.run = hidden.clone());
    let pages = set(&document(vec![text(&["one"]).block(), ghost.block(), text(&["two"]).block()]));
    near(find(&pages, "two").y - find(&pages, "one").y, LINE);
}

#[test]
fn headings_become_the_outline_and_the_structure() {
    let heading = |name: &str, level: u8| text(&[name]).with(|p| p.outline_level = Some(level)).block();
    let pages = set(&document(vec![heading("Part", 0), heading("Chapter", 1), text(&["body"]).block()]));
    let outline: Vec<_> = pages.outline.iter().map(|entry| (entry.title.as_str(), entry.level, entry.page)).collect();
    assert_eq!(outline, [("Part", 0, 0), ("Chapter", 1, 0)]);
    let kinds: Vec<_> = pages.structure.iter().map(|element| element.kind.clone()).collect();
    use waraq_layout::ElementKind::*;
    assert_eq!(kinds, [Heading(1), Heading(2), Paragraph]);
    assert!(find(&pages, "body").tagged);
}

#[test]
fn headings_are_as_deep_as_they_are_nested_whatever_their_styles_are_numbered() {
    use waraq_layout::ElementKind::Heading;
    let heading = |level: u8| text(&["Heading"]).with(|p| p.outline_level = Some(level - 1)).block();
    let empty = || text(&[" "]).with(|p| p.outline_level = Some(0)).block();
    for (styles, nested) in
        [([2, 3, 2], [1, 2, 1]), ([1, 3, 2], [1, 2, 2]), ([3, 1, 9], [1, 1, 2]), ([2, 8, 9], [1, 2, 2])]
    {
        let pages = set(&document(styles.into_iter().flat_map(|level| [empty(), heading(level)]).collect()));
        let kinds = pages.structure.iter().map(|element| &element.kind);
        let found: Vec<_> = kinds.filter(|kind| matches!(kind, Heading(_))).cloned().collect();
        assert_eq!(found, nested.map(Heading), "{styles:?}");
    }
}

#[test]
fn line_spacing_below_the_last_line_of_a_page_must_fit() {
    let spaced = |factor: f32| {
        move |n: usize| text(&[&format!("a{n}")]).with(|p| p.spacing.line = LineSpacing::Multiple(factor)).block()
    };
    let single = set(&document((1..=2).map(spaced(1.0)).collect()));
    let natural = find(&single, "a2").y - find(&single, "a1").y;
    let pages = set(&document((1..=20).map(spaced(1.6)).collect()));
    // A page of 200: as many spaced lines as have all their room.
    let fits = (200.0 / (1.6 * natural)).floor() as usize;
    assert!(200.0 - fits as f32 * 1.6 * natural > natural, "the text of one more has room");
    assert_eq!(page_of(&pages, &format!("a{fits}")), 0);
    assert_eq!(page_of(&pages, &format!("a{}", fits + 1)), 1);
}

#[test]
fn a_border_with_a_shadow_stands_within_its_distance_to_the_text() {
    let below = |width: f32, shadow: bool| {
        let line = line_border(width).map(|line| Border { space: 3.0, shadow, ..line });
        let boxed =
            text(&["a"]).with(|p| p.borders = ParagraphBorders { top: line, bottom: line, ..Default::default() });
        find(&set(&document(vec![boxed.block(), text(&["b"]).block()])), "b").y
    };
    near(below(2.0, false) - below(2.0, true), 4.0);
    // It is not drawn over the text.
    near(below(5.0, true) - below(2.0, true), 4.0);
}
