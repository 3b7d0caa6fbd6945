//! Tests of reading pictures, shapes, groups and text boxes in DrawingML and VML.

mod word;

use waraq_docx::tree::*;
use word::*;

const PNG: &[u8] = b"\x89PNG\r\n\x1a\nrest";

fn in_run(inner: &str) -> String {
    format!("<w:p><w:r>{inner}</w:r></w:p>")
}

fn graphic(inner: &str) -> String {
    format!("<a:graphic><a:graphicData uri=\"x\">{inner}</a:graphicData></a:graphic>")
}

fn inline(inner: &str) -> String {
    in_run(&format!(
        "<w:drawing><wp:inline><wp:extent cx=\"1270000\" cy=\"635000\"/><wp:docPr id=\"1\" name=\"n\" descr=\"what it shows\"/>{}</wp:inline></w:drawing>",
        graphic(inner)
    ))
}

const PICTURE: &str = "<pic:pic><pic:blipFill><a:blip r:embed=\"image\"/><a:srcRect l=\"10000\" b=\"25000\"/></pic:blipFill>\
    <pic:spPr><a:xfrm rot=\"5400000\" flipH=\"1\"/></pic:spPr></pic:pic>";

#[test]
fn an_inline_picture() {
    let document = Word::new(&(inline(PICTURE) + &inline(PICTURE))).part("image", "media/a.png", PNG).read();
    assert_eq!(document.images.len(), 1, "one part is one picture");
    assert_eq!(document.images[0].format, ImageFormat::Png);
    let drawing = drawing(&document);
    assert_eq!((drawing.width, drawing.height, drawing.description.as_deref()), (100.0, 50.0, Some("what it shows")));
    assert!(matches!(drawing.placement, Placement::Inline));
    let Graphic::Picture(picture) = &drawing.graphic else { panic!("a picture") };
    assert_eq!(
        (picture.crop, picture.orientation.rotation, picture.orientation.flip_horizontal),
        ([0.1, 0.0, 0.0, 0.25], 90.0, true)
    );
}

#[test]
fn a_missing_picture_is_a_warning_and_a_box() {
    let document = Word::new(&inline(PICTURE)).read();
    assert!(matches!(&drawing(&document).graphic, Graphic::Unsupported { label } if label == "Picture"));
    let warning = &document.warnings[0];
    assert_eq!(
        (warning.code.as_str(), warning.part.as_deref().unwrap(), warning.paragraph),
        ("picture_missing", "word/document.xml", Some(1))
    );
}

#[test]
fn an_anchored_shape_with_text() {
    let shape = "<wps:wsp><wps:spPr><a:prstGeom prst=\"roundRect\"><a:avLst><a:gd name=\"adj\" fmla=\"val 30000\"/></a:avLst></a:prstGeom>\
        <a:solidFill><a:srgbClr val=\"FF0000\"><a:alpha val=\"50000\"/></a:srgbClr></a:solidFill>\
        <a:ln w=\"25400\"><a:solidFill><a:srgbClr val=\"00FF00\"/></a:solidFill><a:prstDash val=\"dash\"/><a:tailEnd type=\"triangle\"/></a:ln></wps:spPr>\
        <wps:style><a:fontRef idx=\"minor\"><a:srgbClr val=\"FFFFFF\"/></a:fontRef></wps:style>\
        <wps:txbx><w:txbxContent><w:p><w:r><w:t>inside</w:t></w:r></w:p></w:txbxContent></wps:txbx><wps:bodyPr lIns=\"0\" anchor=\"ctr\" vert=\"vert270\"><a:spAutoFit/></wps:bodyPr></wps:wsp>";
    let xml = in_run(&format!(
        "<w:drawing><wp:anchor distL=\"114300\" distR=\"0\" behindDoc=\"0\" relativeHeight=\"7\" layoutInCell=\"1\" allowOverlap=\"0\" simplePos=\"0\">\
         <wp:positionH relativeFrom=\"page\"><wp:align>right</wp:align></wp:positionH><wp:positionV relativeFrom=\"margin\"><wp:posOffset>127000</wp:posOffset></wp:positionV>\
         <wp:extent cx=\"1270000\" cy=\"635000\"/><wp:wrapSquare wrapText=\"left\"/>{}<wp14:sizeRelH relativeFrom=\"margin\"><wp14:pctWidth>40000</wp14:pctWidth></wp14:sizeRelH></wp:anchor></w:drawing>",
        graphic(shape)
    ));
    let document = Word::new(&xml).read();
    let drawing = drawing(&document);
    let Placement::Anchored(anchor) = &drawing.placement else { panic!("anchored") };
    assert_eq!((anchor.horizontal.relative_to, anchor.horizontal.value), (RelativeTo::Page, PositionValue::End));
    assert_eq!((anchor.vertical.relative_to, anchor.vertical.value), (RelativeTo::Margin, PositionValue::Offset(10.0)));
    assert_eq!(
        (anchor.wrap, anchor.z_order, anchor.distance_left, anchor.allow_overlap),
        (Wrap::Square(WrapSides::Left), 7, 9.0, false)
    );
    assert_eq!(anchor.relative_width, Some((RelativeTo::Margin, 0.4)));
    let Graphic::Shape(shape) = &drawing.graphic else { panic!("a shape") };
    assert_eq!(shape.geometry, Geometry::RoundedRectangle(0.3));
    assert_eq!(shape.fill, Some(Fill::Solid { color: Rgb(255, 0, 0), opacity: 0.5 }));
    let stroke = shape.stroke.unwrap();
    assert_eq!((stroke.color, stroke.width, stroke.dash), (Rgb(0, 255, 0), 2.0, Dash::Dash));
    let head = LineHead { kind: LineHeadKind::Triangle, length: 3.0, width: 3.0 };
    assert_eq!((stroke.start, stroke.end), (None, Some(head)));
    let text_box = shape.text.as_ref().unwrap();
    assert_eq!(
        (text_box.insets, text_box.vertical_alignment, text_box.auto_fit),
        ([0.0, 3.6, 7.2, 3.6], VerticalAlignment::Center, true)
    );
    assert_eq!((text_box.text_direction, texts(&text_box.blocks)), (TextDirection::Up, vec!["inside".to_owned()]));
    assert_eq!(run(paragraphs(&text_box.blocks)[0]).color, Some(Rgb(255, 255, 255)), "the text color of the shape");
}

#[test]
fn a_group_is_scaled_into_its_box() {
    let child = "<wps:wsp><wps:spPr><a:xfrm><a:off x=\"1000\" y=\"500\"/><a:ext cx=\"500\" cy=\"500\"/></a:xfrm><a:prstGeom prst=\"ellipse\"/></wps:spPr><wps:bodyPr/></wps:wsp>";
    let xml = inline(&format!(
        "<wpg:wgp><wpg:grpSpPr><a:xfrm><a:off x=\"0\" y=\"0\"/><a:ext cx=\"9\" cy=\"9\"/><a:chOff x=\"500\" y=\"500\"/><a:chExt cx=\"1000\" cy=\"1000\"/></a:xfrm></wpg:grpSpPr>{child}</wpg:wgp>"
    ));
    let document = Word::new(&xml).read();
    let Graphic::Group(group) = &drawing(&document).graphic else { panic!("a group") };
    let child = &group.children[0];
    let rounded = |value: f32| value.round();
    assert_eq!([child.x, child.y, child.width, child.height].map(rounded), [50.0, 0.0, 50.0, 25.0]);
}

/// Returns a path with the fill and stroke of its shape.
fn path(commands: &[PathCommand]) -> Geometry {
    Geometry::Paths(vec![ShapePath { commands: commands.to_vec(), fill: PathFill::Shape, stroked: true }])
}

#[test]
fn a_custom_geometry_becomes_a_path_in_fractions_of_its_box() {
    let xml = inline(
        "<wps:wsp><wps:spPr><a:custGeom><a:gdLst><a:gd name=\"half\" fmla=\"*/ w 1 2\"/></a:gdLst><a:pathLst><a:path>\
         <a:moveTo><a:pt x=\"0\" y=\"0\"/></a:moveTo><a:lnTo><a:pt x=\"half\" y=\"b\"/></a:lnTo><a:close/></a:path></a:pathLst></a:custGeom></wps:spPr><wps:bodyPr/></wps:wsp>",
    );
    let document = Word::new(&xml).read();
    let Graphic::Shape(shape) = &drawing(&document).graphic else { panic!("a shape") };
    assert_eq!(shape.geometry, path(&[PathCommand::Move(0.0, 0.0), PathCommand::Line(0.5, 1.0), PathCommand::Close]));
}

#[test]
fn vml_text_boxes_pictures_and_rules() {
    let text_box = in_run(
        "<w:pict><v:shapetype id=\"_x0000_t202\" o:spt=\"202\"/><v:shape type=\"#_x0000_t202\" fillcolor=\"#f00\" stroked=\"f\" \
         style=\"position:absolute;margin-left:10pt;margin-top:-5pt;width:2in;height:50pt;z-index:-3;mso-position-horizontal-relative:page;v-text-anchor:middle\">\
         <v:textbox inset=\"0,,1pt,\"><w:txbxContent><w:p><w:r><w:t>in</w:t></w:r></w:p></w:txbxContent></v:textbox><w10:wrap type=\"square\"/></v:shape></w:pict>",
    );
    let document = Word::new(&text_box).read();
    let shape_drawing = drawing(&document);
    assert_eq!((shape_drawing.width, shape_drawing.height), (144.0, 50.0));
    let Placement::Anchored(anchor) = &shape_drawing.placement else { panic!("anchored") };
    assert_eq!(
        (anchor.horizontal.relative_to, anchor.horizontal.value),
        (RelativeTo::Page, PositionValue::Offset(10.0))
    );
    assert_eq!(
        (anchor.vertical.value, anchor.wrap, anchor.behind_text),
        (PositionValue::Offset(-5.0), Wrap::Square(WrapSides::Both), true)
    );
    let Graphic::Shape(shape) = &shape_drawing.graphic else { panic!("a shape") };
    assert_eq!((shape.fill.clone(), shape.stroke), (Some(Fill::Solid { color: Rgb(255, 0, 0), opacity: 1.0 }), None));
    let inside = shape.text.as_ref().unwrap();
    assert_eq!((inside.insets, inside.vertical_alignment), ([0.0, 3.6, 1.0, 3.6], VerticalAlignment::Center));
    assert_eq!(texts(&inside.blocks), ["in"]);

    let object = in_run(
        "<w:object><v:shape style=\"width:100pt;height:40pt\"><v:imagedata r:id=\"image\" cropleft=\"6554f\"/></v:shape></w:object>",
    );
    let document = Word::new(&object).part("image", "media/a.png", PNG).read();
    let Graphic::Picture(picture) = &drawing(&document).graphic else { panic!("a picture") };
    assert!((picture.crop[0] - 0.1).abs() < 0.001);
}

#[test]
fn a_horizontal_rule_has_a_fraction_of_the_line_width() {
    for (style, share, expected) in [
        ("width:0", "", (Some(1.0), Alignment::Start)),
        ("width:0", "o:hrpct=\"500\" o:hralign=\"center\"", (Some(0.5), Alignment::Center)),
        ("width:100pt", "o:hrpct=\"4000\" o:hralign=\"right\"", (Some(1.0), Alignment::End)),
        ("width:100pt", "o:hrpct=\"0\"", (None, Alignment::Start)),
    ] {
        let rule = in_run(&format!(
            "<w:pict><v:rect style=\"{style};height:1.5pt\" o:hr=\"t\" o:hrstd=\"t\" {share} fillcolor=\"#0000ff\"/></w:pict>",
        ));
        let document = Word::new(&rule).read();
        let drawing = drawing(&document);
        let (width_fraction, alignment) = expected;
        let Placement::Rule(placed) = drawing.placement else { panic!("{:?}", drawing.placement) };
        assert_eq!(placed, HorizontalRule { width_fraction, alignment }, "{style} {share}");
        let Graphic::Shape(bar) = &drawing.graphic else { panic!("{:?}", drawing.graphic) };
        assert_eq!((&bar.fill, &bar.stroke), (&Some(Fill::Solid { color: Rgb(0, 0, 255), opacity: 1.0 }), &None));
    }
}

#[test]
fn a_vml_group_scales_its_children() {
    let xml = in_run(
        "<w:pict><v:group style=\"width:100pt;height:50pt\" coordorigin=\"100,100\" coordsize=\"1000,500\">\
         <v:rect style=\"left:600;top:100;width:500;height:250\"/><v:line from=\"100,600\" to=\"1100,600\"/></v:group></w:pict>",
    );
    let document = Word::new(&xml).read();
    let Graphic::Group(group) = &drawing(&document).graphic else { panic!("a group") };
    let boxes: Vec<[f32; 4]> =
        group.children.iter().map(|child| [child.x, child.y, child.width, child.height]).collect();
    assert_eq!(boxes, [[50.0, 0.0, 50.0, 25.0], [0.0, 50.0, 100.0, 0.0]]);
}

#[test]
fn a_chart_without_its_part_is_a_labelled_box() {
    let chart = "<c:chart xmlns:c=\"http://schemas.openxmlformats.org/drawingml/2006/chart\" r:id=\"x\"/>";
    let document = Word::new(&inline(chart)).read();
    assert!(matches!(&drawing(&document).graphic, Graphic::Unsupported { label } if label == "Chart"));
    assert_eq!(document.warnings[0].code, "chart_not_drawn");
}

#[test]
fn a_vml_polyline_has_the_bounding_box_of_its_points() {
    let xml = in_run(
        "<w:pict><v:polyline style=\"position:absolute;margin-left:1pt\" points=\"10pt,20pt,30pt,20pt,30pt,60pt,10pt,20pt\" filled=\"f\"/></w:pict>",
    );
    let document = Word::new(&xml).read();
    let drawing = drawing(&document);
    assert_eq!((drawing.width, drawing.height), (20.0, 40.0));
    let Placement::Anchored(anchor) = &drawing.placement else { panic!("anchored") };
    assert_eq!(
        (anchor.horizontal.value, anchor.vertical.value),
        (PositionValue::Offset(11.0), PositionValue::Offset(20.0))
    );
    let Graphic::Shape(shape) = &drawing.graphic else { panic!("a shape") };
    let corners = [
        PathCommand::Move(0.0, 0.0),
        PathCommand::Line(1.0, 0.0),
        PathCommand::Line(1.0, 1.0),
        PathCommand::Line(0.0, 0.0),
        PathCommand::Close,
    ];
    assert_eq!((shape.geometry.clone(), shape.fill.clone()), (path(&corners), None));
}

#[test]
fn warped_word_art_is_straight_and_reported() {
    let shape = |warp: &str| {
        inline(&format!(
            "<wps:wsp><wps:txbx><w:txbxContent><w:p><w:r><w:t>Bent</w:t></w:r></w:p></w:txbxContent></wps:txbx>\
             <wps:bodyPr><a:prstTxWarp prst=\"{warp}\"/></wps:bodyPr></wps:wsp>"
        ))
    };
    let bent = Word::new(&shape("textArchUp")).read();
    let Graphic::Shape(held) = &drawing(&bent).graphic else { panic!("a shape") };
    let art = held.text.as_ref().and_then(|text| text.word_art.as_ref()).unwrap();
    assert_eq!((art.lines.as_slice(), art.fitted), (["Bent".to_owned()].as_slice(), true));
    assert_eq!(bent.warnings.iter().map(|warning| warning.code).collect::<Vec<_>>(), ["word_art_straight"]);
    assert!(Word::new(&shape("textNoShape")).read().warnings.is_empty());
}

#[test]
fn line_ends_are_read_in_drawingml_and_vml() {
    let line = "<wps:wsp><wps:spPr><a:prstGeom prst=\"line\"/><a:ln w=\"25400\"><a:solidFill><a:srgbClr val=\"000000\"/></a:solidFill>\
        <a:headEnd type=\"oval\" w=\"lg\" len=\"sm\"/><a:tailEnd type=\"none\" w=\"lg\" len=\"lg\"/></a:ln></wps:spPr><wps:bodyPr/></wps:wsp>";
    let ends = |xml: &str| {
        let document = Word::new(xml).read();
        let Graphic::Shape(shape) = &drawing(&document).graphic else { panic!("a shape") };
        let stroke = shape.stroke.unwrap();
        (stroke.start, stroke.end)
    };
    let head = |kind, length, width| Some(LineHead { kind, length, width });
    assert_eq!(ends(&inline(line)), (head(LineHeadKind::Oval, 2.0, 5.0), None));
    let vml = |stroke: &str| {
        in_run(&format!("<w:pict><v:line from=\"0,0\" to=\"90pt,9pt\"><v:stroke {stroke}/></v:line></w:pict>"))
    };
    let stroke = "startarrow=\"classic\" endarrow=\"open\" endarrowwidth=\"narrow\" endarrowlength=\"long\"";
    let expected = (head(LineHeadKind::Stealth, 3.0, 3.0), head(LineHeadKind::Open, 5.0, 2.0));
    assert_eq!(ends(&vml(stroke)), expected);
    assert_eq!(ends(&vml("startarrow=\"none\" endarrow=\"of another kind\"")), (None, None));
}

/// A rule from Word's gallery is a picture with its own width or the width of the line. The plain rule is a bar.
#[test]
fn a_rule_with_a_picture_shows_the_picture() {
    let rule = |style: &str, more: &str| {
        in_run(&format!(
            "<w:pict><v:shape type=\"#_x0000_t75\" style=\"{style}\" o:hrpct=\"0\" o:hralign=\"center\" o:hr=\"t\">{more}</v:shape></w:pict>"
        ))
    };
    let picture = "<v:imagedata r:id=\"image\"/>";
    let of = |xml: &str| Word::new(xml).part("image", "media/a.png", PNG).read();
    let document = of(&rule("width:450pt;height:7.5pt", picture));
    let shown = drawing(&document);
    assert!(matches!(&shown.graphic, Graphic::Picture(picture) if picture.outline.is_none()), "{:?}", shown.graphic);
    assert_eq!((shown.width, shown.height), (450.0, 7.5));
    let across = of(&rule("width:0;height:1.5pt", picture));
    assert!(matches!(drawing(&across).graphic, Graphic::Picture(_)));
    let plain = of(&rule("width:0;height:1.5pt", ""));
    assert!(matches!(drawing(&plain).graphic, Graphic::Shape(_)));
    for document in [&document, &across, &plain] {
        let Placement::Rule(rule) = drawing(document).placement else { panic!("a rule") };
        assert_eq!(rule.alignment, Alignment::Center);
    }
}

/// Word's picture shape type has neither stroke nor fill. A file defines this type once, or never.
#[test]
fn a_vml_picture_without_its_shape_type_has_no_border() {
    let of = |more: &str, inner: &str| {
        let style = "style=\"width:10pt;height:10pt\"";
        let xml = in_run(&format!("<w:pict><v:shape type=\"#_x0000_t75\" {style} {more}>{inner}</v:shape></w:pict>"));
        Word::new(&xml).part("image", "media/a.png", PNG).read()
    };
    let document = of("", "<v:imagedata r:id=\"image\"/>");
    assert!(matches!(&drawing(&document).graphic, Graphic::Picture(picture) if picture.outline.is_none()));
    let document = of("", "");
    let Graphic::Shape(shape) = &drawing(&document).graphic else { panic!("a shape") };
    assert!(shape.stroke.is_none() && shape.fill.is_none(), "{shape:?}");
    let document = of("stroked=\"t\"", "<v:imagedata r:id=\"image\"/>");
    assert!(matches!(&drawing(&document).graphic, Graphic::Picture(picture) if picture.outline.is_some()));
}

/// The hue offset is an angle on the colour circle, not a share (§20.1.2.3.15).
#[test]
fn the_hue_offset_is_an_angle() {
    let fill = |changes: &str| {
        let shape = format!(
            "<wps:wsp><wps:spPr><a:solidFill><a:srgbClr val=\"FF0000\">{changes}</a:srgbClr></a:solidFill></wps:spPr><wps:bodyPr/></wps:wsp>"
        );
        let document = Word::new(&inline(&shape)).read();
        let Graphic::Shape(shape) = &drawing(&document).graphic else { panic!("a shape") };
        shape.fill.clone()
    };
    let solid = |color, opacity| Some(Fill::Solid { color, opacity });
    assert_eq!(fill("<a:hueOff val=\"7200000\"/>"), solid(Rgb(0, 255, 0), 1.0));
    assert_eq!(fill("<a:hueOff val=\"-7200000\"/>"), solid(Rgb(0, 0, 255), 1.0));
    assert_eq!(fill("<a:hueOff val=\"0\"/><a:alphaOff val=\"-40000\"/>"), solid(Rgb(255, 0, 0), 0.6));
}

/// A diagram without a saved drawing is shown as a list of its texts, children below their parents.
#[test]
fn smart_art_without_a_drawing_is_a_list_of_its_texts() {
    let point = |id: &str, kind: &str, more: &str, words: &str| {
        let text = format!("<dgm:t><a:bodyPr/><a:p><a:r><a:t>{words}</a:t></a:r></a:p></dgm:t>");
        format!("<dgm:pt modelId=\"{id}\" {kind}>{more}{}</dgm:pt>", if words.is_empty() { "" } else { &text })
    };
    let tie = |from: &str, to: &str, place: u8| {
        format!("<dgm:cxn modelId=\"{from}{to}\" srcId=\"{from}\" destId=\"{to}\" srcOrd=\"{place}\"/>")
    };
    let points = [
        point("d", "type=\"doc\"", "", ""),
        point("2", "", "", "second"),
        point("1", "", "", "first"),
        point("1a", "", "", "below"),
        point("3", "", "<dgm:prSet phldr=\"1\"/>", "[Text]"),
        point("t", "type=\"parTrans\"", "", "arrow"),
    ];
    let ties = [tie("d", "1", 0), tie("d", "2", 1), tie("1", "1a", 0), tie("d", "3", 2), tie("1a", "1", 0)];
    let data = format!(
        "<dgm:dataModel xmlns:dgm=\"http://schemas.openxmlformats.org/drawingml/2006/diagram\" \
         xmlns:a=\"http://schemas.openxmlformats.org/drawingml/2006/main\"><dgm:ptLst>{}</dgm:ptLst><dgm:cxnLst>{}</dgm:cxnLst></dgm:dataModel>",
        points.concat(),
        ties.concat()
    );
    let ids =
        "<dgm:relIds xmlns:dgm=\"http://schemas.openxmlformats.org/drawingml/2006/diagram\" r:dm=\"diagramData\"/>";
    let document = Word::new(&inline(ids)).part("diagramData", "diagrams/data1.xml", data.as_bytes()).read();
    let Graphic::Shape(shape) = &drawing(&document).graphic else { panic!("a shape") };
    let blocks = &shape.text.as_ref().unwrap().blocks;
    let lines: Vec<(String, f32)> =
        paragraphs(blocks).into_iter().map(|p| (text(p), p.properties.indent.start)).collect();
    assert_eq!(lines, [("first".to_owned(), 0.0), ("below".to_owned(), 12.0), ("second".to_owned(), 0.0)]);
    assert_eq!(document.warnings.iter().map(|warning| warning.code).collect::<Vec<_>>(), ["smart_art_not_drawn"]);
    // All three lines fit into the box, which is 50 points high.
    let run = &paragraphs(blocks)[0].inlines[0].run;
    assert!((6.0..18.0).contains(&run.size) && 3.0 * 1.3 * run.size <= 50.0, "{}", run.size);
    // Without texts, the box has its label.
    let empty = data.replace("<dgm:t>", "<dgm:x>").replace("</dgm:t>", "</dgm:x>");
    let document = Word::new(&inline(ids)).part("diagramData", "diagrams/data1.xml", empty.as_bytes()).read();
    assert!(matches!(&drawing(&document).graphic, Graphic::Unsupported { label } if label == "SmartArt"));
}
