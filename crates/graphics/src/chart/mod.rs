//! Charts (DrawingML, ECMA-376 part 1, §21.2). Their values are those cached in the chart part, not those of the
//! embedded workbook.

pub mod model;

use crate::Rgb;
use crate::color::color_in;
use crate::fill::{descendant_color, shape_stroke};
use crate::theme::{Theme, ThemeLanguages};
use crate::xml::values::{emu, given, integer, on_off};
use crate::xml::{Element, Ns};
use model::*;

/// Maximum number of points of a series. A page cannot show more.
const MOST_POINTS: usize = 2_000;
/// Maximum number of series of a plot.
const MOST_SERIES: usize = 200;
/// Maximum number of characters of a label.
const MOST_LABEL: usize = 200;

/// Reads a chart part from its root (`c:chartSpace`). Returns `None` if the kind of chart is not supported.
pub fn read<'t>(space: Element<'t>, theme: &Theme) -> Option<Chart> {
    let chart = space.local("chart")?;
    let area = chart.local("plotArea")?;
    let plots: Vec<Element<'t>> = area.children().filter(|child| child.name().ends_with("Chart")).collect();
    let value_axes: Vec<Element<'t>> = area.all(Ns::Chart, "valAx").collect();
    let first = plots.first().copied()?;
    // These charts are not supported: pies combined with other kinds, horizontal bars with two value axes, and charts
    // with more than two value axes.
    let kinds: Vec<PlotKind> = plots.iter().map(|plot| kind(*plot)).collect::<Option<_>>()?;
    let lying = kinds.iter().any(|kind| matches!(kind, PlotKind::Bars { horizontal: true, .. }));
    let mixed = kinds.len() > 1 && kinds.iter().any(|kind| matches!(kind, PlotKind::Pie { .. }));
    if mixed || value_axes.len() > 2 || value_axes.len() == 2 && lying {
        return None;
    }
    let is_of = |plot: Element<'t>, axis: Element<'t>| {
        let id = value(axis, "axId");
        id.is_some() && plot.all(Ns::Chart, "axId").any(|axis| axis.plain("val") == id)
    };
    // The value axis of the first plot is at the left.
    let primary = value_axes.iter().copied().find(|axis| is_of(first, *axis)).or(value_axes.first().copied());
    let secondary =
        value_axes.iter().copied().find(|axis| value(*axis, "axId") != primary.and_then(|p| value(p, "axId")));
    let mut read = Chart { text_size: 10.0, ..Chart::default() };
    let other = secondary.and_then(|axis| plots.iter().copied().find(|plot| is_of(*plot, axis)));
    if value_axes.len() == 2 && other.is_none() {
        return None;
    }
    for (plot, kind) in plots.into_iter().zip(kinds) {
        let series = all_series(plot, matches!(kind, PlotKind::Pie { .. }), first, theme);
        let secondary = secondary.is_some_and(|axis| is_of(plot, axis));
        read.plots.push(Plot { kind, grouping: grouping(plot), secondary, series });
    }
    if read.plots.iter().all(|plot| plot.series.is_empty()) {
        return None;
    }
    read.categories = categories(first);
    let points = read.plots.iter().flat_map(|plot| &plot.series).map(|series| series.values.len()).max()?;
    for number in read.categories.len()..points {
        read.categories.push((number + 1).to_string());
    }
    let style = space.local("txPr").and_then(|text| text.descendant(Ns::A, "defRPr"));
    if let Some(size) = style.and_then(size_of) {
        read.text_size = size;
    }
    read.text_color = style.and_then(|style| solid(style, theme));
    // Without a theme, the font of the default theme of Office is used.
    let family = theme.font("minorHAnsi", &ThemeLanguages::default());
    read.family = family.or_else(|| Some("Calibri".into()));
    read.background = space.local("spPr").and_then(|shape| solid(shape, theme));
    read.border = shape_stroke(space.local("spPr"), None, theme);
    read.title = chart_title(chart, &read, value(space, "lang"));
    read.legend = chart
        .local("legend")
        .map(|legend| value(legend, "legendPos").and_then(|side| side.parse().ok()).unwrap_or_default());
    let category_axis = ["catAx", "dateAx"].iter().find_map(|name| area.local(name));
    read.category_axis = CategoryAxis {
        shown: category_axis.is_some_and(|axis| !deleted(axis)),
        reversed: category_axis.is_some_and(reversed),
        title: category_axis.and_then(|axis| axis.local("title")).and_then(chart_text),
    };
    read.value_axis = primary.map(|axis| value_axis(axis, first)).unwrap_or_default();
    read.secondary_axis = secondary.zip(other).map(|(axis, plot)| value_axis(axis, plot));
    Some(read)
}

/// Returns the solid fill colour of the properties.
fn solid(properties: Element<'_>, theme: &Theme) -> Option<Rgb> {
    color_in(properties.local("solidFill")?, theme, None).map(|(color, _)| color)
}

/// Returns the series of a plot. `first` is the first plot of the chart.
fn all_series<'t>(plot: Element<'t>, pie: bool, first: Element<'t>, theme: &Theme) -> Vec<Series> {
    let own_color = |element: Element<'t>| -> Option<Rgb> {
        let properties = element.local("spPr")?;
        let gradient = || descendant_color(properties.local("gradFill")?, theme).map(|(color, _)| color);
        let line = || solid(properties.local("ln")?, theme);
        solid(properties, theme).or_else(gradient).or_else(line)
    };
    let varies = on_off(value(plot, "varyColors"));
    let alone = plot.all(Ns::Chart, "ser").count() == 1 && plot.name() == first.name();
    let read = plot.all(Ns::Chart, "ser").take(MOST_SERIES).enumerate().map(|(place, element)| {
        let order = value(element, "idx").and_then(integer).and_then(|order| usize::try_from(order).ok());
        let values = numbers(element);
        let vary = varies && (pie || alone && plot.name().starts_with("bar") && value(plot, "varyColors").is_some());
        let mut point_colors: Vec<Option<Rgb>> = if vary && own_color(element).is_none() || pie && varies {
            (0..values.len()).map(|point| Some(accent(point, theme))).collect()
        } else {
            Vec::new()
        };
        for point in element.all(Ns::Chart, "dPt") {
            let Some(index) = value(point, "idx").and_then(whole) else { continue };
            if index < values.len() {
                point_colors.resize(values.len().max(point_colors.len()), None);
                point_colors[index] = own_color(point).or(point_colors[index]);
            }
        }
        let line = element.local("spPr").and_then(|properties| properties.local("ln"));
        let width = line.and_then(|line| line.plain("w")).and_then(emu).unwrap_or(2.25);
        let without_line = line.is_some_and(|line| line.local("noFill").is_some());
        let symbol = element.local("marker").and_then(|marker| value(marker, "symbol"));
        let marked = given(value(plot, "marker")) == Some(true);
        Series {
            name: text_of(element.local("tx")).unwrap_or_else(|| format!("Series {}", place + 1)),
            color: own_color(element).unwrap_or_else(|| accent(order.unwrap_or(place), theme)),
            point_colors,
            line_width: if without_line { 0.0 } else { width.clamp(0.25, 20.0) },
            marked: symbol.map_or(marked, |symbol| symbol != "none"),
            labels: element.local("dLbls").or(plot.local("dLbls")).and_then(point_label),
            values,
        }
    });
    read.collect()
}

/// Returns the accent colour of the theme for a series or point. After the sixth, the colours are repeated in darker
/// shades.
fn accent(index: usize, theme: &Theme) -> Rgb {
    const OFFICE: [Rgb; 6] = [
        Rgb(0x4F, 0x81, 0xBD),
        Rgb(0xC0, 0x50, 0x4D),
        Rgb(0x9B, 0xBB, 0x59),
        Rgb(0x80, 0x64, 0xA2),
        Rgb(0x4B, 0xAC, 0xC6),
        Rgb(0xF7, 0x96, 0x46),
    ];
    let place = index % 6;
    let color = theme.color(&format!("accent{}", place + 1)).unwrap_or(OFFICE[place]);
    let shade = [100_u32, 60, 80, 50][index / 6 % 4];
    let darker = |channel: u8| (u32::from(channel) * shade / 100) as u8;
    Rgb(darker(color.0), darker(color.1), darker(color.2))
}

/// Returns the title of the chart. If the chart has no title text, the title is the name of its only series, or the
/// placeholder of Office for a title element without text. `c:autoTitleDeleted` suppresses both.
fn chart_title(chart: Element<'_>, read: &Chart, language: Option<&str>) -> Option<ChartText> {
    let title = chart.local("title");
    if let Some(text) = title.and_then(chart_text) {
        return Some(text);
    }
    let off = given(value(chart, "autoTitleDeleted")) == Some(true);
    let mut series = read.plots.iter().flat_map(|plot| &plot.series);
    let only = series.next().filter(|_| series.next().is_none());
    let text = match (only, title) {
        _ if off => return None,
        (Some(only), _) => only.name.clone(),
        (None, Some(title)) if title.local("tx").is_none() => unwritten_title(language).into(),
        (None, _) => return None,
    };
    let size = title.and_then(|title| title.descendant(Ns::A, "defRPr")).and_then(size_of);
    Some(ChartText { text, size, bold: false })
}

/// Returns the placeholder title of Office in the language of the chart (c:lang).
fn unwritten_title(language: Option<&str>) -> &'static str {
    match language.unwrap_or_default().split('-').next() {
        Some("fr") => "Titre du graphique",
        Some("ar") => "عنوان المخطط",
        _ => "Chart Title",
    }
}

/// Returns true if the chart is three-dimensional. It is drawn without depth.
pub fn is_deep(space: Element<'_>) -> bool {
    space.descendant(Ns::Chart, "view3D").is_some()
}

/// Returns the `val` attribute of a child.
fn value<'x>(element: Element<'x>, name: &str) -> Option<&'x str> {
    element.local(name)?.plain("val")
}

/// Returns a percentage of a child element as a fraction. `otherwise` is the default in percent.
fn share_of(element: Element<'_>, name: &str, otherwise: f32) -> f32 {
    let given = value(element, name).and_then(|value| value.trim().trim_end_matches('%').parse::<f32>().ok());
    given.filter(|value| value.is_finite()).unwrap_or(otherwise) / 100.0
}

fn grouping(plot: Element<'_>) -> Grouping {
    value(plot, "grouping").and_then(|grouping| grouping.parse().ok()).unwrap_or_default()
}

fn kind(plot: Element<'_>) -> Option<PlotKind> {
    Some(match plot.name() {
        "barChart" | "bar3DChart" => {
            let stacked = grouping(plot) != Grouping::Clustered;
            PlotKind::Bars {
                horizontal: value(plot, "barDir") == Some("bar"),
                gap: share_of(plot, "gapWidth", 150.0).clamp(0.0, 5.0),
                overlap: share_of(plot, "overlap", if stacked { 100.0 } else { 0.0 }).clamp(-1.0, 1.0),
            }
        }
        "lineChart" | "line3DChart" => PlotKind::Lines,
        "areaChart" | "area3DChart" => PlotKind::Areas,
        "pieChart" | "pie3DChart" | "doughnutChart" => {
            let hole =
                if plot.name() == "doughnutChart" { share_of(plot, "holeSize", 50.0).clamp(0.1, 0.9) } else { 0.0 };
            PlotKind::Pie { start: share_of(plot, "firstSliceAng", 0.0) * 100.0 % 360.0, hole }
        }
        _ => return None,
    })
}

/// Returns the cached numbers of a series.
fn numbers(series: Element<'_>) -> Vec<Option<f64>> {
    let points = series.local("val").map(points).unwrap_or_default();
    points.into_iter().map(|point| point.and_then(number)).collect()
}

fn number(text: &str) -> Option<f64> {
    text.trim().parse().ok().filter(|number: &f64| number.is_finite() && number.abs() < 1e15)
}

fn whole(text: &str) -> Option<usize> {
    text.trim().parse().ok()
}

/// Returns the names of the categories.
fn categories(plot: Element<'_>) -> Vec<String> {
    let source = plot.all(Ns::Chart, "ser").find_map(|series| series.local("cat"));
    let points = source.map(points).unwrap_or_default();
    points.into_iter().map(|point| point.unwrap_or_default().chars().take(MOST_LABEL).collect()).collect()
}

/// Returns the cached points of `c:val`, `c:cat` and similar elements, by index. `None` is a missing point.
fn points(source: Element<'_>) -> Vec<Option<&str>> {
    let Some(data) = source.children().next() else { return Vec::new() };
    let cache = ["numCache", "strCache", "multiLvlStrCache"].iter().find_map(|name| data.local(name)).unwrap_or(data);
    // If categories have several levels, only the innermost level is used.
    let cache = cache.local("lvl").unwrap_or(cache);
    let count = value(cache, "ptCount").and_then(whole).unwrap_or(0);
    let mut points = vec![None; count.min(MOST_POINTS)];
    for point in cache.all(Ns::Chart, "pt") {
        let Some(index) = point.plain("idx").and_then(whole) else { continue };
        if index < MOST_POINTS {
            points.resize(points.len().max(index + 1), None);
            points[index] = point.local("v").map(Element::text);
        }
    }
    points
}

/// Returns the text of a `c:tx`, given directly or cached.
fn text_of(text: Option<Element<'_>>) -> Option<String> {
    let text = text?;
    if let Some(plain) = text.local("v") {
        return Some(plain.text().to_owned());
    }
    let cached = points(text).into_iter().flatten().collect::<Vec<_>>().join(" ");
    (!cached.is_empty()).then_some(cached)
}

/// Returns a font size in points.
fn size_of(style: Element<'_>) -> Option<f32> {
    let size = style.plain("sz").and_then(integer)?;
    Some((size as f32 / 100.0).clamp(4.0, 72.0))
}

/// Returns the text of a title, or `None` if it has no text of its own.
fn chart_text(title: Element<'_>) -> Option<ChartText> {
    let source = title.local("tx")?;
    let rich = source.local("rich");
    let text = match rich {
        Some(rich) => {
            let paragraph = |paragraph: Element<'_>| -> String {
                let runs = paragraph.children().filter_map(|run| run.local("t"));
                runs.map(|text| text.text()).collect()
            };
            rich.all(Ns::A, "p").map(paragraph).collect::<Vec<_>>().join(" ")
        }
        None => text_of(Some(source))?,
    };
    let run = rich.and_then(|rich| rich.descendant(Ns::A, "rPr").filter(|run| run.plain("sz").is_some()));
    let style = run.or_else(|| rich.and_then(|rich| rich.descendant(Ns::A, "defRPr")));
    let bold = on_off(style.and_then(|style| style.plain("b")));
    let text: String = text.trim().chars().take(1_000).collect();
    (!text.is_empty()).then(|| ChartText { text, size: style.and_then(size_of), bold })
}

/// Returns the content of point labels, or `None` if the points have no labels.
fn point_label(labels: Element<'_>) -> Option<PointLabel> {
    let on = |name| given(value(labels, name)) == Some(true);
    if on("showPercent") {
        Some(PointLabel::Share)
    } else if on("showVal") {
        Some(PointLabel::Value)
    } else {
        on("showCatName").then_some(PointLabel::Category)
    }
}

/// Returns true if the labels of an axis are not shown.
fn deleted(axis: Element<'_>) -> bool {
    given(value(axis, "delete")) == Some(true) || value(axis, "tickLblPos") == Some("none")
}

fn reversed(axis: Element<'_>) -> bool {
    axis.local("scaling").and_then(|scaling| value(scaling, "orientation")) == Some("maxMin")
}

/// Reads a value axis. `plot` is a plot that uses it and provides the number format if the axis has none.
fn value_axis(axis: Element<'_>, plot: Element<'_>) -> ValueAxis {
    let scaling = |name| value(axis.local("scaling")?, name).and_then(number);
    let own = axis.local("numFmt").filter(|format| given(format.plain("sourceLinked")) != Some(true));
    let cached = || plot.descendant(Ns::Chart, "val")?.descendant(Ns::Chart, "formatCode").map(Element::text);
    let format = own.and_then(|format| format.plain("formatCode")).or_else(cached).unwrap_or("General");
    ValueAxis {
        shown: !deleted(axis),
        grid: axis.local("majorGridlines").is_some(),
        least: scaling("min"),
        greatest: scaling("max"),
        step: value(axis, "majorUnit").and_then(number).filter(|step| *step > 0.0),
        format: format.chars().take(MOST_LABEL).collect(),
        title: axis.local("title").and_then(chart_text),
    }
}
