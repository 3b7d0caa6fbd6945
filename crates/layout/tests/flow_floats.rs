//! Inline pictures, and floating objects beside text.

mod book;
mod flow_common;
use flow_common::*;
use waraq_docx::tree::*;
use waraq_layout::ElementKind;

fn anchored(x: f32, y: f32, size: (f32, f32), wrap: Wrap) -> Content {
    picture(size.0, size.1, Placement::Anchored(Box::new(anchor(x, y, wrap))))
}

const BOTH: Wrap = Wrap::Square(WrapSides::Both);

#[test]
fn text_wraps_beside_a_picture_and_below_it() {
    let mut blocks = vec![
        text(&[])
            .with_content(anchored(0.0, 0.0, (100.0, 35.0), BOTH))
            .with_content(Content::Text("one".into()))
            .into_block(),
    ];
    blocks.extend(numbered_paragraphs("a", 2));
    let pages = lay_out(&document(blocks));
    assert_near(find_text(&pages, "one").x, 150.0);
    assert_near(find_text(&pages, "a1").x, 150.0);
    assert_near(find_text(&pages, "a2").x, 50.0);
    let area = pictures(&pages, 0)[0];
    assert_near(area.x, 50.0);
    assert_near(area.y, 50.0);
}

#[test]
fn text_above_the_anchor_wraps_too() {
    let mut up = anchor(0.0, 0.0, BOTH);
    up.vertical = Position { relative_to: RelativeTo::Margin, value: PositionValue::Start };
    let floating = picture(100.0, 35.0, Placement::Anchored(Box::new(up)));
    let mut blocks = numbered_paragraphs("a", 4);
    blocks.push(text(&["anchor"]).with_content(floating).into_block());
    let pages = lay_out(&document(blocks));
    assert_near(find_text(&pages, "a1").x, 150.0);
    assert_near(find_text(&pages, "a3").x, 50.0);
}

#[test]
fn top_and_bottom_leaves_no_text_beside() {
    let mut blocks = vec![
        text(&[])
            .with_content(anchored(0.0, 0.0, (100.0, 35.0), Wrap::TopAndBottom))
            .with_content(Content::Text("one".into()))
            .into_block(),
    ];
    blocks.extend(numbered_paragraphs("a", 1));
    let pages = lay_out(&document(blocks));
    assert_near(find_text(&pages, "one").x, 50.0);
    assert!(find_text(&pages, "one").y > 50.0 + 35.0);
}

#[test]
fn a_float_without_wrapping_takes_no_space() {
    let blocks = vec![
        text(&["one"]).with_content(anchored(0.0, 0.0, (100.0, 35.0), Wrap::None)).into_block(),
        text(&["two"]).into_block(),
    ];
    let pages = lay_out(&document(blocks));
    assert_near(find_text(&pages, "one").x, 50.0);
    assert_near(find_text(&pages, "two").y - find_text(&pages, "one").y, LINE);
}

#[test]
fn a_float_in_the_middle_divides_the_line() {
    let content = Content::Text("word ".repeat(16).trim_end().to_owned());
    let pages = lay_out(&document(vec![
        text(&[]).with_content(anchored(120.0, 0.0, (60.0, 15.0), BOTH)).with_content(content).into_block(),
    ]));
    let first = placed_texts(&pages);
    let y = first[0].y;
    let on_first: Vec<f32> = first.iter().filter(|found| (found.y - y).abs() < 0.1).map(|found| found.x).collect();
    assert!(on_first.iter().any(|x| *x < 170.0) && on_first.iter().any(|x| *x >= 229.9), "{on_first:?}");
}

#[test]
fn positions_are_relative_to_page_margin_and_their_alignments() {
    let make = |relative_to, place| {
        let mut at = anchor(0.0, 0.0, Wrap::None);
        at.horizontal = Position { relative_to, value: place };
        at.vertical = Position { relative_to, value: place };
        let content = picture(40.0, 30.0, Placement::Anchored(Box::new(at)));
        let pages = lay_out(&document(vec![text(&["one"]).with_content(content).into_block()]));
        let area = pictures(&pages, 0)[0];
        (area.x.round(), area.y.round())
    };
    assert_eq!(make(RelativeTo::Page, PositionValue::Offset(10.0)), (10.0, 10.0));
    assert_eq!(make(RelativeTo::Page, PositionValue::End), (360.0, 270.0));
    assert_eq!(make(RelativeTo::Margin, PositionValue::Center), (180.0, 135.0));
    assert_eq!(make(RelativeTo::Margin, PositionValue::Start), (50.0, 50.0));
}

#[test]
fn a_picture_moves_to_the_next_page_with_its_anchor() {
    let mut blocks = numbered_paragraphs("a", 10);
    blocks.push(text(&["anchor"]).with_content(anchored(0.0, 0.0, (50.0, 30.0), BOTH)).into_block());
    let pages = lay_out(&document(blocks));
    assert!(pictures(&pages, 0).is_empty());
    assert_eq!(pictures(&pages, 1).len(), 1);
}

#[test]
fn a_text_box_lays_out_its_blocks_inside_its_insets() {
    let shape = Shape {
        geometry: Geometry::Rectangle,
        turn: Orientation::default(),
        fill: None,
        stroke: None,
        text: Some(TextBox {
            blocks: vec![text(&["inside"]).into_block()],
            insets: [7.0, 4.0, 7.0, 4.0],
            ..TextBox::default()
        }),
        text_area: None,
    };
    let placement = Placement::Anchored(Box::new(anchor(100.0, 40.0, Wrap::None)));
    let graphic = Graphic::Shape(Box::new(shape));
    let boxed = drawing(Drawing {
        id: NodeId::default(),
        width: 120.0,
        height: 60.0,
        placement,
        graphic,
        description: None,
        link: None,
    });
    let pages = lay_out(&document(vec![text(&["one"]).with_content(boxed).into_block()]));
    assert_near(find_text(&pages, "inside").x, 50.0 + 100.0 + 7.0);
    assert_near(find_text(&pages, "inside").y - find_text(&pages, "one").y, 44.0);
    assert!(find_text(&pages, "inside").tagged);
}

#[test]
fn a_frame_floats_beside_the_text() {
    let frame = Frame {
        width: Some(100.0),
        height: None,
        height_exact: false,
        horizontal_anchor: FrameAnchor::Text,
        vertical_anchor: FrameAnchor::Text,
        x: Some(PositionValue::Offset(0.0)),
        y: None,
        horizontal_space: 10.0,
        vertical_space: 0.0,
        wrap: FrameWrap::Around,
        drop_cap: None,
    };
    let framed = text(&["framed"]).with_properties(|p| p.frame = Some(frame));
    let pages = lay_out(&document(vec![framed.into_block(), text(&["beside", "below"]).into_block()]));
    assert_near(find_text(&pages, "framed").x, 50.0);
    assert_near(find_text(&pages, "beside").x, 50.0 + 110.0);
    assert_near(find_text(&pages, "below").x, 50.0);
}

/// A trailing tab does not widen a frame without a given width.
#[test]
fn a_frame_is_as_wide_as_its_text() {
    let frame = Frame {
        width: None,
        height: None,
        height_exact: false,
        horizontal_anchor: FrameAnchor::Text,
        vertical_anchor: FrameAnchor::Text,
        x: Some(PositionValue::Offset(0.0)),
        y: None,
        horizontal_space: 10.0,
        vertical_space: 0.0,
        wrap: FrameWrap::Around,
        drop_cap: None,
    };
    let beside = |more: &[Content]| {
        let framed = more
            .iter()
            .cloned()
            .fold(text(&["page"]), ParagraphBuilder::with_content)
            .with_properties(|p| p.frame = Some(frame));
        find_text(&lay_out(&document(vec![framed.into_block(), text(&["beside"]).into_block()])), "beside").x
    };
    assert_near(beside(&[Content::Tab]), beside(&[]));
    assert!(beside(&[Content::Tab, Content::Text("x".into())]) > beside(&[]) + 5.0);
}

#[test]
fn unsupported_content_is_a_box_with_a_label() {
    let graphic = Graphic::Unsupported { label: "Chart".into() };
    let chart = drawing(Drawing {
        id: NodeId::default(),
        width: 200.0,
        height: 80.0,
        placement: Placement::Inline,
        graphic,
        description: None,
        link: None,
    });
    let pages = lay_out(&document(vec![
        text(&[]).with_properties(|p| p.spacing.line = LineSpacing::Multiple(1.0)).with_content(chart).into_block(),
    ]));
    assert_eq!(page_text(&pages, 0), ["Chart"]);
}

#[test]
fn text_wraps_around_floats_of_the_header() {
    let mut at = anchor(0.0, 0.0, BOTH);
    at.vertical = Position { relative_to: RelativeTo::Page, value: PositionValue::Offset(40.0) };
    let logo = picture(100.0, 45.0, Placement::Anchored(Box::new(at)));
    let mut document = document(numbered_paragraphs("a", 12));
    document.sections[0].headers.default =
        Some(std::sync::Arc::new(vec![text(&["head"]).with_content(logo).into_block()]));
    let pages = lay_out(&document);
    assert_near(find_text(&pages, "a1").x, 150.0);
    assert_near(find_text(&pages, "a3").x, 50.0);
    assert_near(find_text(&pages, "a11").x, 150.0);
}

#[test]
fn a_table_is_beside_a_float_if_it_fits_there() {
    let make = |width: f32| {
        let anchor =
            text(&[]).with_content(anchored(0.0, 0.0, (100.0, 75.0), BOTH)).with_content(Content::Text("one".into()));
        lay_out(&document(vec![anchor.into_block(), Block::Table(table(&[width], vec![row(vec![cell(&["cell"])])]))]))
    };
    let beside = make(180.0);
    assert_near(find_text(&beside, "cell").x, 50.0 + 100.0 + 5.0);
    assert_near(find_text(&beside, "cell").y - find_text(&beside, "one").y, LINE);
    let below = make(250.0);
    assert_near(find_text(&below, "cell").x, 55.0);
    assert!(find_text(&below, "cell").y > 50.0 + 75.0);
}

#[test]
fn a_row_longer_than_its_page_begins_above_floats_of_the_footer() {
    let mut low = anchor(0.0, 0.0, BOTH);
    low.vertical = Position { relative_to: RelativeTo::Page, value: PositionValue::Offset(255.0) };
    let stamp = picture(100.0, 20.0, Placement::Anchored(Box::new(low)));
    let lines: Vec<String> = (1..=15).map(|n| format!("x{n}")).collect();
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    let mut document = document(vec![Block::Table(table(&[100.0], vec![row(vec![cell(&lines)])]))]);
    document.sections[0].footers.default =
        Some(std::sync::Arc::new(vec![text(&["foot"]).with_content(stamp).into_block()]));
    let pages = lay_out(&document);
    assert_eq!((page_of(&pages, "x1"), page_of(&pages, "x10"), page_of(&pages, "x15")), (0, 0, 1));
}

#[test]
fn a_table_ignores_the_text_distance_of_a_float_beside_it() {
    let top = |width: f32| {
        let mut beside = anchor(200.0, 0.0, BOTH);
        beside.distance_left = 20.0;
        let floating = picture(100.0, 75.0, Placement::Anchored(Box::new(beside)));
        let anchor = text(&[]).with_content(floating).with_content(Content::Text("one".into()));
        let pages = lay_out(&document(vec![
            anchor.into_block(),
            Block::Table(table(&[width], vec![row(vec![cell(&["cell"])])])),
        ]));
        find_text(&pages, "cell").y - find_text(&pages, "one").y
    };
    assert_near(top(190.0), LINE);
    assert!(top(210.0) > 50.0);
}

#[test]
fn a_float_that_displaces_its_anchor_moves_to_the_next_page_with_it() {
    let mut up = anchor(0.0, 0.0, Wrap::TopAndBottom);
    up.vertical = Position { relative_to: RelativeTo::Margin, value: PositionValue::Start };
    let floating = picture(100.0, 95.0, Placement::Anchored(Box::new(up)));
    let mut blocks = numbered_paragraphs("a", 7);
    blocks.push(text(&["anchor"]).with_content(floating).into_block());
    blocks.extend(numbered_paragraphs("b", 2));
    let pages = lay_out(&document(blocks));
    // A page fits ten lines, or five below the float. The anchor is on the eighth line, so it does not fit on the page of the
    // float.
    assert_eq!((page_of(&pages, "a7"), page_of(&pages, "anchor"), page_of(&pages, "b2")), (0, 1, 1));
    assert_eq!((pictures(&pages, 0).len(), pictures(&pages, 1).len()), (0, 1));
    assert_near(find_text(&pages, "a1").y - find_text(&pages, "a2").y, -LINE);
    assert!(find_text(&pages, "anchor").y > 50.0 + 95.0);
}

#[test]
fn a_float_that_moves_with_its_anchor_breaks_no_page() {
    let mut high = anchor(0.0, 0.0, Wrap::Square(WrapSides::Both));
    high.distance_top = 30.0;
    let floating = picture(250.0, 30.0, Placement::Anchored(Box::new(high)));
    let pages =
        lay_out(&document(vec![text(&["above"]).into_block(), text(&["anchor"]).with_content(floating).into_block()]));
    assert_eq!((pages.pages.len(), page_of(&pages, "anchor")), (1, 0));
}

fn text_box(auto_fit: bool) -> Content {
    text_box_of(vec![text(&["in1", "in2", "in3"]).into_block()], auto_fit)
}

fn text_box_of(blocks: Vec<Block>, auto_fit: bool) -> Content {
    let shape = Shape {
        geometry: Geometry::Rectangle,
        turn: Orientation::default(),
        fill: None,
        stroke: None,
        text: Some(TextBox { blocks, auto_fit, ..TextBox::default() }),
        text_area: None,
    };
    let graphic = Graphic::Shape(Box::new(shape));
    drawing(Drawing {
        id: NodeId::default(),
        width: 100.0,
        height: 30.0,
        placement: Placement::Inline,
        graphic,
        description: None,
        link: None,
    })
}

#[test]
fn a_box_of_fixed_size_cuts_its_text_off_and_adds_a_warning() {
    let clips = |pages: &waraq_layout::Pages| {
        let clip = |placed: &waraq_layout::TaggedItem| match &placed.item {
            waraq_layout::DisplayItem::Group { clip, .. } => *clip,
            _ => None,
        };
        pages.pages[0].items.iter().filter_map(clip).map(|area| area.height).collect::<Vec<_>>()
    };
    let pages = lay_out(&document(vec![text(&[]).with_content(text_box(false)).into_block()]));
    assert_eq!(clips(&pages), [30.0]);
    assert!(pages.warnings.iter().any(|warning| warning.code == "text_cut_off"));
    let grown = lay_out(&document(vec![text(&[]).with_content(text_box(true)).into_block()]));
    assert!(clips(&grown).is_empty() && grown.warnings.is_empty());
    // Empty paragraphs and the space below text do not count as cut off.
    let spaced = text(&["in"]).with_properties(|p| p.spacing.after = 40.0).into_block();
    for blocks in [vec![text(&["in"]).into_block(), text(&[]).into_block(), text(&[]).into_block()], vec![spaced]] {
        let pages = lay_out(&document(vec![text(&[]).with_content(text_box_of(blocks, false)).into_block()]));
        assert!(clips(&pages).is_empty() && pages.warnings.is_empty(), "{:?}", pages.warnings);
    }
}

/// Returns the kind of the structure element of the first item on the first page for which `item` returns true.
fn element_kind_of(
    pages: &waraq_layout::Pages,
    item: impl Fn(&waraq_layout::DisplayItem) -> bool,
) -> Option<&ElementKind> {
    let placed = pages.pages[0].items.iter().find(|placed| item(&placed.item)).expect("the item");
    pages.structure.get(placed.element?.0 as usize).map(|element| &element.kind)
}

#[test]
fn text_of_a_box_in_a_line_belongs_to_its_paragraph() {
    let pages = lay_out(&document(vec![text(&["around"]).with_content(text_box(true)).into_block()]));
    let of = |words: &str| {
        element_kind_of(
            &pages,
            |item| matches!(item, waraq_layout::DisplayItem::Glyphs(run) if run.text.trim() == words),
        )
    };
    assert_eq!((of("around"), of("in2")), (Some(&ElementKind::Paragraph), Some(&ElementKind::Paragraph)));
}

/// The width of the rule is relative to its line. The text of the page begins at 50 and is 300 points wide, and the paragraph
/// is indented by 20 points. Its line thus begins at 70 and is 280 points wide.
#[test]
fn a_horizontal_rule_is_aligned_within_its_line() {
    let rule = |share_of_width, alignment| {
        let bar = Shape { fill: Some(Fill::Solid { color: Rgb(0, 0, 255), opacity: 1.0 }), ..Shape::default() };
        drawing(Drawing {
            id: NodeId::default(),
            width: 80.0,
            height: 2.0,
            placement: Placement::Rule(HorizontalRule { width_fraction: share_of_width, alignment }),
            graphic: Graphic::Shape(Box::new(bar)),
            description: None,
            link: None,
        })
    };
    for (share, alignment, expected) in [
        (Some(1.0), Alignment::Start, (70.0, 350.0)),
        (Some(0.5), Alignment::Start, (70.0, 210.0)),
        (Some(0.5), Alignment::Center, (140.0, 280.0)),
        (Some(0.5), Alignment::End, (210.0, 350.0)),
        (None, Alignment::Center, (170.0, 250.0)),
    ] {
        for of_text in [Alignment::Start, Alignment::Center] {
            let mut paragraph = text(&[]).with_content(rule(share, alignment));
            let properties = std::sync::Arc::make_mut(&mut paragraph.properties);
            properties.indent.start = 20.0;
            properties.alignment = of_text;
            let pages = lay_out(&document(vec![paragraph.into_block()]));
            let bar = pages.pages[0].items.iter().find_map(|placed| match &placed.item {
                waraq_layout::DisplayItem::FilledPath { path, .. } => Some((path, placed.element)),
                _ => None,
            });
            let (path, element) = bar.unwrap();
            let xs = path.iter().filter_map(|command| match command {
                waraq_layout::PathCommand::Move(x, _) | waraq_layout::PathCommand::Line(x, _) => Some(*x),
                _ => None,
            });
            let (left, right) = xs.fold((f32::MAX, f32::MIN), |(left, right), x| (left.min(x), right.max(x)));
            assert_near(left, expected.0);
            assert_near(right, expected.1);
            assert_eq!(element, None, "a rule has no structure element");
        }
    }
}

#[test]
fn a_picture_after_a_picture_bullet_is_a_figure_and_the_bullet_is_not() {
    let Content::Drawing(plain) = picture(60.0, 30.0, Placement::Inline) else { unreachable!() };
    let described = |words: &str| drawing(Drawing { description: Some(words.into()), ..(*plain).clone() });
    let mut paragraph = text(&["a"]).with_content(described("first"));
    paragraph.label = Some(Label {
        text: String::new(),
        picture: Some(ImageId(0)),
        run: run(),
        suffix: LabelSuffix::Space,
        alignment: Justification::Start,
        tab: None,
        first_number_level: None,
        format: NumberFormat::Decimal,
    });
    let pages = lay_out(&document(vec![paragraph.into_block()]));
    let of = |words: Option<&str>| {
        element_kind_of(
            &pages,
            |item| matches!(item, waraq_layout::DisplayItem::Image(image) if image.description.as_deref() == words),
        )
    };
    assert!(matches!(of(Some("first")), Some(ElementKind::Figure { alternative_text: Some(text) }) if text == "first"));
    assert_eq!(of(None), Some(&ElementKind::Paragraph));
}

#[test]
fn an_anchored_box_that_fits_its_text_has_the_height_of_its_text() {
    let make = |height: f32| {
        let Content::Drawing(inline) = text_box(true) else { unreachable!() };
        let placement = Placement::Anchored(Box::new(anchor(0.0, 0.0, Wrap::TopAndBottom)));
        let boxed = drawing(Drawing { height, placement, ..(*inline).clone() });
        let pages = lay_out(&document(vec![text(&["below"]).with_content(boxed).into_block()]));
        find_text(&pages, "below").y
    };
    // The box is three lines high, whether the document made it larger or smaller.
    assert_near(make(150.0), 50.0 + 3.0 * LINE + LINE * 0.8);
    assert_near(make(30.0), make(150.0));
}

#[test]
fn a_drawing_anchored_after_a_page_break_is_on_the_next_page() {
    let mut blocks = numbered_paragraphs("a", 1);
    let picture = anchored(0.0, 0.0, (50.0, 30.0), Wrap::None);
    blocks.push(text(&[]).with_content(Content::Break(Break::Page)).with_content(picture).into_block());
    blocks.extend(numbered_paragraphs("b", 1));
    let pages = lay_out(&document(blocks));
    assert_eq!((pages.pages.len(), page_of(&pages, "b1")), (2, 1));
    assert!(pictures(&pages, 0).is_empty());
    assert_near(pictures(&pages, 1)[0].y, 50.0);
}

#[test]
fn a_word_too_wide_for_one_side_of_a_float_goes_to_the_other() {
    let content = Content::Text("incomprehensibilities and more".into());
    let pages = lay_out(&document(vec![
        text(&[]).with_content(anchored(75.0, 0.0, (95.0, 15.0), BOTH)).with_content(content).into_block(),
    ]));
    let first = &placed_texts(&pages)[0];
    assert!(first.text.starts_with("incomprehensibilities"), "{first:?}");
    assert_near(first.x, 50.0 + 75.0 + 95.0);
}

#[test]
fn a_table_in_a_box_without_line_wrapping_is_inside_the_box() {
    let shape = Shape {
        geometry: Geometry::Rectangle,
        turn: Orientation::default(),
        fill: None,
        stroke: None,
        text: Some(TextBox {
            blocks: vec![
                text(&[]).with_properties(|p| p.alignment = Alignment::Center).into_block(),
                Block::Table(table(&[80.0], vec![row(vec![cell(&["inside"])])])),
            ],
            no_wrap: true,
            auto_fit: true,
            ..TextBox::default()
        }),
        text_area: None,
    };
    let placement = Placement::Anchored(Box::new(anchor(100.0, 40.0, Wrap::None)));
    let graphic = Graphic::Shape(Box::new(shape));
    let boxed = drawing(Drawing {
        id: NodeId::default(),
        width: 120.0,
        height: 60.0,
        placement,
        graphic,
        description: None,
        link: None,
    });
    let x = find_text(&lay_out(&document(vec![text(&["one"]).with_content(boxed).into_block()])), "inside").x;
    assert!((150.0..270.0).contains(&x), "{x}");
}

/// §20.4.2.3, layoutInCell: a drawing that is not laid out in its cell is placed as if there were no table. Word 2013 lays out
/// every drawing in its cell.
#[test]
fn a_drawing_not_laid_out_in_its_cell_is_positioned_as_outside_the_table() {
    let place = |mode: u8, in_cell: bool, to: (RelativeTo, RelativeTo), wrap: Wrap| {
        let mut at = anchor(30.0, 40.0, wrap);
        at.layout_in_cell = in_cell;
        (at.horizontal.relative_to, at.vertical.relative_to) = to;
        let mut second = cell(&[]);
        let floating = picture(60.0, 30.0, Placement::Anchored(Box::new(at)));
        second.blocks = vec![text(&["cell"]).with_content(floating).into_block()];
        let rows = vec![row(vec![cell(&["first"]), second])];
        let mut document = document(vec![text(&["one"]).into_block(), Block::Table(table(&[100.0, 200.0], rows))]);
        document.settings.compatibility_mode = mode;
        let pages = lay_out(&document);
        let area = pictures(&pages, 0)[0];
        (area.x.round(), area.y.round(), find_text(&pages, "cell").x.round())
    };
    let page = (RelativeTo::Page, RelativeTo::Page);
    // In mode 14, the text of the first cell, not the edge of the table, is aligned with the text above. The text of the second
    // cell is 100 points to the right of it.
    assert_eq!(place(14, false, page, Wrap::None), (30.0, 40.0, 150.0));
    assert_eq!(place(14, false, (RelativeTo::Margin, RelativeTo::Margin), Wrap::None), (80.0, 90.0, 150.0));
    // The horizontal position is relative to the edge of the column, and the vertical position to the paragraph in the cell.
    let (x, y, _) = place(14, false, (RelativeTo::Column, RelativeTo::Paragraph), BOTH);
    assert_eq!((x, y), (80.0, 110.0));
    // If the drawing is laid out in its cell, both positions are relative to the content of the cell, which is below the first
    // line.
    assert_eq!(place(14, true, page, Wrap::None), (180.0, 110.0, 150.0));
    assert_eq!(place(15, false, page, Wrap::None), (185.0, 110.0, 155.0));
}

#[test]
fn a_drawing_in_a_floating_or_nested_table_can_be_positioned_on_the_page() {
    let mut at = anchor(30.0, 40.0, Wrap::None);
    at.layout_in_cell = false;
    (at.horizontal.relative_to, at.vertical.relative_to) = (RelativeTo::Page, RelativeTo::Page);
    let mut inner = cell(&[]);
    inner.blocks =
        vec![text(&["cell"]).with_content(picture(60.0, 30.0, Placement::Anchored(Box::new(at)))).into_block()];
    let mut outer = cell(&[]);
    outer.blocks = vec![Block::Table(table(&[100.0], vec![row(vec![inner])])), text(&[]).into_block()];
    let mut whole = table(&[150.0], vec![row(vec![outer])]);
    for floats in [false, true] {
        if floats {
            let (horizontal_anchor, vertical_anchor) = (FrameAnchor::Page, FrameAnchor::Page);
            let (x, y) = (Some(PositionValue::Offset(200.0)), Some(PositionValue::Offset(150.0)));
            let [distance_left, distance_right, distance_top, distance_bottom] = [0.0; 4];
            whole.properties.position = Some(TablePosition {
                horizontal_anchor,
                vertical_anchor,
                x,
                y,
                distance_left,
                distance_right,
                distance_top,
                distance_bottom,
                allow_overlap: true,
            });
        }
        let mut document =
            document(vec![text(&["one"]).into_block(), Block::Table(whole.clone()), text(&["end"]).into_block()]);
        document.settings.compatibility_mode = 12;
        let area = pictures(&lay_out(&document), 0)[0];
        assert_eq!((area.x.round(), area.y.round()), (30.0, 40.0), "{floats}");
    }
}

#[test]
fn a_box_without_line_wrapping_fits_its_lines_and_keeps_its_positioned_edge() {
    let fitted = |place: PositionValue, alignment: Alignment, words: &str| {
        let mut at = anchor(0.0, 40.0, Wrap::None);
        at.horizontal = Position { relative_to: RelativeTo::Page, value: place };
        let shape = Shape {
            geometry: Geometry::Rectangle,
            turn: Orientation::default(),
            fill: Some(Fill::Solid { color: Rgb(9, 9, 9), opacity: 1.0 }),
            stroke: None,
            text: Some(TextBox {
                blocks: vec![text(&[words]).with_properties(|p| p.alignment = alignment).into_block()],
                insets: [5.0, 0.0, 5.0, 0.0],
                no_wrap: true,
                auto_fit: true,
                ..TextBox::default()
            }),
            text_area: None,
        };
        let placement = Placement::Anchored(Box::new(at));
        let graphic = Graphic::Shape(Box::new(shape));
        let boxed = drawing(Drawing {
            id: NodeId::default(),
            width: 30.0,
            height: 9.0,
            placement,
            graphic,
            description: None,
            link: None,
        });
        let pages = lay_out(&document(vec![text(&["one"]).with_content(boxed).into_block()]));
        let path = pages.pages[0].items.iter().find_map(|placed| match &placed.item {
            waraq_layout::DisplayItem::FilledPath { path, .. } => Some(path.clone()),
            _ => None,
        });
        let mut across = Vec::new();
        for command in path.unwrap() {
            if let waraq_layout::PathCommand::Move(x, _) | waraq_layout::PathCommand::Line(x, _) = command {
                across.push(x);
            }
        }
        let edges = across.iter().fold((f32::MAX, f32::MIN), |(low, high), x| (low.min(*x), high.max(*x)));
        (edges.0, edges.1, find_text(&pages, words).x)
    };
    let words = "words that are longer than their box";
    for alignment in [Alignment::Start, Alignment::Center, Alignment::End] {
        let (left, right, x) = fitted(PositionValue::Offset(10.0), alignment, words);
        assert_near(left, 10.0);
        assert!(right > 130.0, "{right}");
        assert!((x - 15.0).abs() < 1.0, "{x}");
        let (left, right, _) = fitted(PositionValue::Center, alignment, words);
        assert_near((left + right) / 2.0, 200.0);
        assert_near(fitted(PositionValue::End, alignment, words).1, 400.0);
    }
    // A box wider than its line shrinks to it.
    let (left, right, _) = fitted(PositionValue::Offset(10.0), Alignment::Start, "i");
    assert_near(left, 10.0);
    assert!(right < 35.0, "{right}");
}

/// wp14:sizeRelH, sizeRelV: cover pages and sidebars are groups whose size is a fraction of the page size, regardless of the
/// saved size of the group.
#[test]
fn a_group_of_relative_size_scales_its_children() {
    let Content::Drawing(inner) = picture(60.0, 30.0, Placement::Inline) else { panic!("a drawing") };
    let child = |x, y, width, height| GroupChild { x, y, width, height, graphic: inner.graphic.clone() };
    let nested = Graphic::Group(Group { children: vec![child(10.0, 0.0, 10.0, 20.0)], ..Group::default() });
    let children = vec![
        child(0.0, 0.0, 100.0, 100.0),
        GroupChild { x: 50.0, y: 50.0, width: 20.0, height: 20.0, graphic: nested },
    ];
    let mut at = anchor(0.0, 0.0, Wrap::None);
    (at.horizontal.relative_to, at.vertical.relative_to) = (RelativeTo::Page, RelativeTo::Page);
    at.relative_width = Some((RelativeTo::Page, 0.5));
    at.relative_height = Some((RelativeTo::Page, 1.0));
    let placement = Placement::Anchored(Box::new(at));
    let graphic = Graphic::Group(Group { children, ..Group::default() });
    let drawn = drawing(Drawing {
        id: NodeId::default(),
        width: 100.0,
        height: 100.0,
        placement,
        graphic,
        description: None,
        link: None,
    });
    let pages = lay_out(&document(vec![text(&["one"]).with_content(drawn).into_block()]));
    let boxes: Vec<[f32; 4]> =
        pictures(&pages, 0).iter().map(|area| [area.x, area.y, area.width, area.height].map(f32::round)).collect();
    assert_eq!(boxes, [[0.0, 0.0, 200.0, 300.0], [120.0, 150.0, 20.0, 60.0]]);
}
