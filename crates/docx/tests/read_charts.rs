//! Tests of reading charts (ECMA-376 part 1, §21.2).

mod word;

use waraq_docx::tree::*;
use word::*;

const CHART: &str = "xmlns:c=\"http://schemas.openxmlformats.org/drawingml/2006/chart\" \
                     xmlns:a=\"http://schemas.openxmlformats.org/drawingml/2006/main\"";

fn read_chart(inside: &str) -> (Graphic, Vec<waraq_docx::fields::Diagnostic>) {
    let drawing = format!(
        "<w:p><w:r><w:drawing><wp:inline><wp:extent cx=\"1270000\" cy=\"635000\"/><a:graphic><a:graphicData>\
         <c:chart {CHART} r:id=\"chart\"/></a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p>"
    );
    let part = format!("<c:chartSpace {CHART}>{inside}</c:chartSpace>");
    let document = Word::new(&drawing).part("chart", "charts/chart1.xml", part.as_bytes()).read();
    let Content::Drawing(drawing) = &body(&document)[0].inlines[0].content else { panic!("a drawing") };
    (drawing.graphic.clone(), document.warnings)
}

#[track_caller]
fn chart(inside: &str) -> Chart {
    match read_chart(inside) {
        (Graphic::Chart(chart), _) => *chart,
        (other, warnings) => panic!("{other:?} {warnings:?}"),
    }
}

fn cache(kind: &str, values: &[&str]) -> String {
    let points: String = values
        .iter()
        .enumerate()
        .filter(|(_, v)| !v.is_empty())
        .map(|(i, v)| format!("<c:pt idx=\"{i}\"><c:v>{v}</c:v></c:pt>"))
        .collect();
    format!("<c:{kind}Ref><c:{kind}Cache><c:ptCount val=\"{}\"/>{points}</c:{kind}Cache></c:{kind}Ref>", values.len())
}

fn series(index: usize, name: &str, values: &[&str], more: &str) -> String {
    format!(
        "<c:ser><c:idx val=\"{index}\"/><c:tx>{}</c:tx>{more}<c:cat>{}</c:cat><c:val>{}</c:val></c:ser>",
        cache("str", &[name]),
        cache("str", &["Jan", "Feb", "Mar"]),
        cache("num", values)
    )
}

#[test]
fn columns_are_read_with_their_names_values_and_colours() {
    let red = "<c:spPr><a:solidFill><a:srgbClr val=\"FF0000\"/></a:solidFill></c:spPr>";
    let xml = format!(
        "<c:chart><c:title><c:tx><c:rich><a:p><a:r><a:t>Sales &amp; </a:t></a:r><a:r><a:t>costs</a:t></a:r></a:p></c:rich></c:tx></c:title>\
         <c:plotArea><c:barChart><c:barDir val=\"col\"/><c:grouping val=\"stacked\"/>{}{}<c:gapWidth val=\"80\"/></c:barChart>\
         <c:catAx><c:scaling><c:orientation val=\"maxMin\"/></c:scaling></c:catAx>\
         <c:valAx><c:scaling><c:max val=\"10\"/></c:scaling><c:majorGridlines/><c:numFmt formatCode=\"0.0\" sourceLinked=\"0\"/></c:valAx>\
         </c:plotArea><c:legend><c:legendPos val=\"b\"/></c:legend></c:chart>",
        series(0, "One", &["1", "", "3.5"], red),
        series(1, "Two", &["4", "5", "x"], "")
    );
    let chart = chart(&xml);
    assert_eq!(chart.title.as_ref().map(|title| title.text.as_str()), Some("Sales & costs"));
    assert_eq!(chart.legend, Some(LegendPosition::Bottom));
    assert_eq!(chart.categories, ["Jan", "Feb", "Mar"]);
    let [plot] = &chart.plots[..] else { panic!("one plot") };
    assert_eq!(plot.kind, PlotKind::Bars { horizontal: false, gap: 0.8, overlap: 1.0 });
    assert_eq!(plot.grouping, Grouping::Stacked);
    assert_eq!(plot.series[0].name, "One");
    assert_eq!(plot.series[0].values, [Some(1.0), None, Some(3.5)]);
    assert_eq!(plot.series[1].values, [Some(4.0), Some(5.0), None]);
    assert_eq!(plot.series[0].color, Rgb(255, 0, 0));
    assert_ne!(plot.series[1].color, plot.series[0].color);
    assert!(chart.category_axis.reversed && chart.category_axis.shown);
    assert_eq!((chart.value_axis.max, chart.value_axis.format.as_str()), (Some(10.0), "0.0"));
}

#[test]
fn each_pie_slice_has_a_colour_and_a_single_series_gives_the_title() {
    let labels = "<c:dLbls><c:showVal val=\"0\"/><c:showPercent val=\"1\"/></c:dLbls>";
    let point =
        "<c:dPt><c:idx val=\"1\"/><c:spPr><a:solidFill><a:srgbClr val=\"00FF00\"/></a:solidFill></c:spPr></c:dPt>";
    let xml = format!(
        "<c:chart><c:plotArea><c:doughnutChart><c:varyColors val=\"1\"/>{}<c:firstSliceAng val=\"90\"/><c:holeSize val=\"60\"/>\
         </c:doughnutChart></c:plotArea></c:chart>",
        series(0, "Shares", &["1", "2", "3"], &format!("{point}{labels}"))
    );
    let chart = chart(&xml);
    assert_eq!(chart.title.as_ref().map(|title| title.text.as_str()), Some("Shares"));
    assert_eq!(chart.legend, None);
    assert_eq!(chart.plots[0].kind, PlotKind::Pie { start: 90.0, hole: 0.6 });
    let series = &chart.plots[0].series[0];
    assert_eq!(series.labels, Some(PointLabel::Percentage));
    assert_eq!(series.point_colors[1], Some(Rgb(0, 255, 0)));
    assert_ne!(series.point_colors[0], series.point_colors[2]);
}

#[test]
fn an_automatic_title_has_the_text_of_office() {
    let of = |before: &str, title: &str| {
        let (one, two) = (series(0, "One", &["1"], ""), series(1, "Two", &["4"], ""));
        let xml = format!(
            "{before}<c:chart>{title}<c:plotArea><c:barChart><c:barDir val=\"col\"/>{one}{two}</c:barChart></c:plotArea></c:chart>"
        );
        chart(&xml).title.map(|title| title.text)
    };
    let title = "<c:title><c:overlay val=\"0\"/></c:title>";
    assert_eq!(of("", title).as_deref(), Some("Chart Title"));
    assert_eq!(of("<c:lang val=\"fr-FR\"/>", title).as_deref(), Some("Titre du graphique"));
    assert_eq!(of("", &format!("{title}<c:autoTitleDeleted val=\"1\"/>")), None);
    assert_eq!(of("", ""), None);
}

#[test]
fn charts_that_cannot_be_drawn_are_labelled_boxes() {
    let plot = |name: &str| format!("<c:{name}>{}</c:{name}>", series(0, "One", &["1"], ""));
    let of =
        |plots: &str, axes: &str| read_chart(&format!("<c:chart><c:plotArea>{plots}{axes}</c:plotArea></c:chart>"));
    for (plots, axes) in [
        (plot("radarChart"), ""),
        (plot("scatterChart"), ""),
        (plot("barChart") + &plot("lineChart"), "<c:valAx/><c:valAx/>"),
        (String::new(), ""),
    ] {
        let (graphic, warnings) = of(&plots, axes);
        assert!(matches!(graphic, Graphic::Unsupported { label } if label == "Chart"));
        assert_eq!(warnings[0].code, "chart_not_drawn");
    }
    assert!(matches!(of(&(plot("barChart") + &plot("lineChart")), "<c:valAx/>").0, Graphic::Chart(_)));
}

#[test]
fn plots_on_a_secondary_axis_use_its_scale() {
    let plot = |name: &str, of: &str, axes: [u8; 2]| {
        let ids = axes.map(|id| format!("<c:axId val=\"{id}\"/>")).concat();
        format!("<c:{name}>{}{ids}</c:{name}>", series(0, of, &["1", "2"], ""))
    };
    let axis = |id: u8, more: &str| format!("<c:valAx><c:axId val=\"{id}\"/>{more}</c:valAx>");
    let plots = plot("barChart", "Sums", [1, 2]) + &plot("lineChart", "Shares", [3, 4]);
    let percent = "<c:numFmt formatCode=\"0%\" sourceLinked=\"0\"/>";
    let axes = format!("<c:catAx><c:axId val=\"1\"/></c:catAx>{}{}", axis(4, percent), axis(2, "<c:majorGridlines/>"));
    let read = |plots: &str| read_chart(&format!("<c:chart><c:plotArea>{plots}{axes}</c:plotArea></c:chart>")).0;
    let Graphic::Chart(chart) = read(&plots) else { panic!("a chart") };
    assert_eq!(chart.plots.iter().map(|plot| plot.secondary).collect::<Vec<_>>(), [false, true]);
    assert!(chart.value_axis.has_grid_lines, "the first plot's");
    assert_eq!(chart.secondary_axis.map(|axis| axis.format).as_deref(), Some("0%"));
    // Horizontal bars would need the secondary axis above them.
    let lying = plots.replace("<c:barChart>", "<c:barChart><c:barDir val=\"bar\"/>");
    assert!(matches!(read(&lying), Graphic::Unsupported { .. }));
}

#[test]
fn the_numbers_of_points_and_series_are_limited() {
    let xml = "<c:chart><c:plotArea><c:lineChart><c:ser><c:val><c:numRef><c:numCache><c:ptCount val=\"4000000000\"/>\
               <c:pt idx=\"3999999999\"><c:v>1</c:v></c:pt><c:pt idx=\"1\"><c:v>1e400</c:v></c:pt></c:numCache></c:numRef></c:val>\
               </c:ser></c:lineChart><c:valAx/></c:plotArea></c:chart>";
    let chart = chart(xml);
    assert_eq!(chart.plots[0].series[0].values.len(), 2_000);
    assert!(chart.plots[0].series[0].values.iter().all(Option::is_none));
}
