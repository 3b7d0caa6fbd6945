//! Charts (DrawingML, ECMA-376 part 1, §21.2). Their values are those cached in the chart part, not those of the
//! embedded workbook.

pub mod model;

use crate::Rgb;
use crate::color::color_in;
use crate::fill::{descendant_color, shape_stroke};
use crate::theme::{Theme, ThemeLanguages};
use crate::xml::values::{emu, integer, on_off, on_off_if_present};
use crate::xml::{Element, Ns};
use model::*;

/// Maximum number of points that are read from a series. A page cannot show more.
const MAX_POINTS: usize = 2_000;
/// Maximum number of series of a plot.
const MAX_SERIES: usize = 200;
/// Maximum number of characters of a label.
const MAX_LABEL_CHARACTERS: usize = 200;

/// Reads a chart part from its root (`c:chartSpace`). Returns `None` if the kind of chart is not supported.
pub fn read_chart<'t>(space: Element<'t>, theme: &Theme) -> Option<Chart> {
    let chart = space.child_named("chart")?;
    let area = chart.child_named("plotArea")?;
    let plots: Vec<Element<'t>> = area.children().filter(|child| child.name().ends_with("Chart")).collect();
    let value_axes: Vec<Element<'t>> = area.children_with_name(Ns::Chart, "valAx").collect();
    let first = plots.first().copied()?;
    // These charts are not supported: pies combined with other kinds, horizontal bars with two value axes, and charts
    // with more than two value axes.
    let kinds: Vec<PlotKind> = plots.iter().map(|plot| plot_kind(*plot)).collect::<Option<_>>()?;
    let has_horizontal_bars = kinds.iter().any(|kind| matches!(kind, PlotKind::Bars { horizontal: true, .. }));
    let has_mixed_pie = kinds.len() > 1 && kinds.iter().any(|kind| matches!(kind, PlotKind::Pie { .. }));
    if has_mixed_pie || value_axes.len() > 2 || value_axes.len() == 2 && has_horizontal_bars {
        return None;
    }
    let uses_axis = |plot: Element<'t>, axis: Element<'t>| {
        let id = child_value(axis, "axId");
        id.is_some() && plot.children_with_name(Ns::Chart, "axId").any(|axis| axis.attr("val") == id)
    };
    // The value axis of the first plot is at the left.
    let primary = value_axes.iter().copied().find(|axis| uses_axis(first, *axis)).or(value_axes.first().copied());
    let secondary = value_axes
        .iter()
        .copied()
        .find(|axis| child_value(*axis, "axId") != primary.and_then(|p| child_value(p, "axId")));
    let mut result = Chart { text_size: 10.0, ..Chart::default() };
    let other = secondary.and_then(|axis| plots.iter().copied().find(|plot| uses_axis(*plot, axis)));
    if value_axes.len() == 2 && other.is_none() {
        return None;
    }
    for (plot, kind) in plots.into_iter().zip(kinds) {
        let series = all_series(plot, matches!(kind, PlotKind::Pie { .. }), first, theme);
        let secondary = secondary.is_some_and(|axis| uses_axis(plot, axis));
        result.plots.push(Plot { kind, grouping: grouping(plot), secondary, series });
    }
    if result.plots.iter().all(|plot| plot.series.is_empty()) {
        return None;
    }
    result.categories = categories(first);
    let points = result.plots.iter().flat_map(|plot| &plot.series).map(|series| series.values.len()).max()?;
    for number in result.categories.len()..points {
        result.categories.push((number + 1).to_string());
    }
    let style = space.child_named("txPr").and_then(|text| text.descendant(Ns::A, "defRPr"));
    if let Some(size) = style.and_then(font_size) {
        result.text_size = size;
    }
    result.text_color = style.and_then(|style| solid_color(style, theme));
    // Without a theme, the font of the default theme of Office is used.
    let family = theme.font("minorHAnsi", &ThemeLanguages::default());
    result.family = family.or_else(|| Some("Calibri".into()));
    result.background = space.child_named("spPr").and_then(|shape| solid_color(shape, theme));
    result.border = shape_stroke(space.child_named("spPr"), None, theme);
    result.title = chart_title(chart, &result, child_value(space, "lang"));
    result.legend = chart
        .child_named("legend")
        .map(|legend| child_value(legend, "legendPos").and_then(|side| side.parse().ok()).unwrap_or_default());
    let category_axis = ["catAx", "dateAx"].iter().find_map(|name| area.child_named(name));
    result.category_axis = CategoryAxis {
        shown: category_axis.is_some_and(|axis| !is_hidden(axis)),
        reversed: category_axis.is_some_and(is_reversed),
        title: category_axis.and_then(|axis| axis.child_named("title")).and_then(chart_text),
    };
    result.value_axis = primary.map(|axis| value_axis(axis, first)).unwrap_or_default();
    result.secondary_axis = secondary.zip(other).map(|(axis, plot)| value_axis(axis, plot));
    Some(result)
}

/// Returns the colour of the solid fill in the properties of a shape or of text. Returns `None` if they have no solid
/// fill.
fn solid_color(properties: Element<'_>, theme: &Theme) -> Option<Rgb> {
    color_in(properties.child_named("solidFill")?, theme, None).map(|(color, _)| color)
}

/// Returns the series of a plot. `pie` is true for a pie or doughnut chart. `first` is the first plot of the chart. The
/// points of a single series of bars can have different colours (`c:varyColors`). This applies only if `plot` has the
/// same element name as `first`.
fn all_series<'t>(plot: Element<'t>, pie: bool, first: Element<'t>, theme: &Theme) -> Vec<Series> {
    let own_color = |element: Element<'t>| -> Option<Rgb> {
        let properties = element.child_named("spPr")?;
        let gradient = || descendant_color(properties.child_named("gradFill")?, theme).map(|(color, _)| color);
        let line = || solid_color(properties.child_named("ln")?, theme);
        solid_color(properties, theme).or_else(gradient).or_else(line)
    };
    let varies = on_off(child_value(plot, "varyColors"));
    let is_only_series = plot.children_with_name(Ns::Chart, "ser").count() == 1 && plot.name() == first.name();
    let read = plot.children_with_name(Ns::Chart, "ser").take(MAX_SERIES).enumerate().map(|(place, element)| {
        let order = child_value(element, "idx").and_then(integer).and_then(|order| usize::try_from(order).ok());
        let values = series_values(element);
        let vary = varies
            && (pie || is_only_series && plot.name().starts_with("bar") && child_value(plot, "varyColors").is_some());
        let mut point_colors: Vec<Option<Rgb>> = if vary && own_color(element).is_none() || pie && varies {
            (0..values.len()).map(|point| Some(accent_color(point, theme))).collect()
        } else {
            Vec::new()
        };
        for point in element.children_with_name(Ns::Chart, "dPt") {
            let Some(index) = child_value(point, "idx").and_then(parse_index) else { continue };
            if index < values.len() {
                point_colors.resize(values.len().max(point_colors.len()), None);
                point_colors[index] = own_color(point).or(point_colors[index]);
            }
        }
        let line = element.child_named("spPr").and_then(|properties| properties.child_named("ln"));
        let width = line.and_then(|line| line.attr("w")).and_then(emu).unwrap_or(2.25);
        let without_line = line.is_some_and(|line| line.child_named("noFill").is_some());
        let symbol = element.child_named("marker").and_then(|marker| child_value(marker, "symbol"));
        let marked = on_off_if_present(child_value(plot, "marker")) == Some(true);
        Series {
            name: cached_text(element.child_named("tx")).unwrap_or_else(|| format!("Series {}", place + 1)),
            color: own_color(element).unwrap_or_else(|| accent_color(order.unwrap_or(place), theme)),
            point_colors,
            line_width: if without_line { 0.0 } else { width.clamp(0.25, 20.0) },
            has_markers: symbol.map_or(marked, |symbol| symbol != "none"),
            labels: element.child_named("dLbls").or(plot.child_named("dLbls")).and_then(point_label),
            values,
        }
    });
    read.collect()
}

/// Returns the accent colour of the theme for the series or point with this index. From index 6 on, the six colours are
/// repeated in darker shades.
fn accent_color(index: usize, theme: &Theme) -> Rgb {
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

/// Returns the title of the chart: the text of its title element, or else the name of its only series. If the chart has
/// neither, an empty title element shows the placeholder of Office. `c:autoTitleDeleted` suppresses the series name and
/// the placeholder.
fn chart_title(chart: Element<'_>, read: &Chart, language: Option<&str>) -> Option<ChartText> {
    let title = chart.child_named("title");
    if let Some(text) = title.and_then(chart_text) {
        return Some(text);
    }
    let off = on_off_if_present(child_value(chart, "autoTitleDeleted")) == Some(true);
    let mut series = read.plots.iter().flat_map(|plot| &plot.series);
    let only = series.next().filter(|_| series.next().is_none());
    let text = match (only, title) {
        _ if off => return None,
        (Some(only), _) => only.name.clone(),
        (None, Some(title)) if title.child_named("tx").is_none() => placeholder_title(language).into(),
        (None, _) => return None,
    };
    let size = title.and_then(|title| title.descendant(Ns::A, "defRPr")).and_then(font_size);
    Some(ChartText { text, size, bold: false })
}

/// Returns the placeholder title of Office in the language of the chart (c:lang).
fn placeholder_title(language: Option<&str>) -> &'static str {
    match language.unwrap_or_default().split('-').next() {
        Some("fr") => "Titre du graphique",
        Some("ar") => "عنوان المخطط",
        _ => "Chart Title",
    }
}

/// Returns true if the chart is three-dimensional. Such a chart is drawn without depth.
pub fn is_three_dimensional(space: Element<'_>) -> bool {
    space.descendant(Ns::Chart, "view3D").is_some()
}

/// Returns the `val` attribute of the first child element with this name.
fn child_value<'x>(element: Element<'x>, name: &str) -> Option<&'x str> {
    element.child_named(name)?.attr("val")
}

/// Returns the percentage in the child element `name` as a fraction: 0.5 for 50 percent. `otherwise` is the default in
/// percent.
fn percentage_as_fraction(element: Element<'_>, name: &str, otherwise: f32) -> f32 {
    let given = child_value(element, name).and_then(|value| value.trim().trim_end_matches('%').parse::<f32>().ok());
    given.filter(|value| value.is_finite()).unwrap_or(otherwise) / 100.0
}

fn grouping(plot: Element<'_>) -> Grouping {
    child_value(plot, "grouping").and_then(|grouping| grouping.parse().ok()).unwrap_or_default()
}

fn plot_kind(plot: Element<'_>) -> Option<PlotKind> {
    Some(match plot.name() {
        "barChart" | "bar3DChart" => {
            let stacked = grouping(plot) != Grouping::Clustered;
            PlotKind::Bars {
                horizontal: child_value(plot, "barDir") == Some("bar"),
                gap: percentage_as_fraction(plot, "gapWidth", 150.0).clamp(0.0, 5.0),
                overlap: percentage_as_fraction(plot, "overlap", if stacked { 100.0 } else { 0.0 }).clamp(-1.0, 1.0),
            }
        }
        "lineChart" | "line3DChart" => PlotKind::Lines,
        "areaChart" | "area3DChart" => PlotKind::Areas,
        "pieChart" | "pie3DChart" | "doughnutChart" => {
            let hole = if plot.name() == "doughnutChart" {
                percentage_as_fraction(plot, "holeSize", 50.0).clamp(0.1, 0.9)
            } else {
                0.0
            };
            PlotKind::Pie { start: percentage_as_fraction(plot, "firstSliceAng", 0.0) * 100.0 % 360.0, hole }
        }
        _ => return None,
    })
}

/// Returns the cached numbers of a series. `None` is a missing or invalid number.
fn series_values(series: Element<'_>) -> Vec<Option<f64>> {
    let points = series.child_named("val").map(cached_points).unwrap_or_default();
    points.into_iter().map(|point| point.and_then(parse_number)).collect()
}

fn parse_number(text: &str) -> Option<f64> {
    text.trim().parse().ok().filter(|number: &f64| number.is_finite() && number.abs() < 1e15)
}

fn parse_index(text: &str) -> Option<usize> {
    text.trim().parse().ok()
}

/// Returns the names of the categories of a plot, from the first series that has them.
fn categories(plot: Element<'_>) -> Vec<String> {
    let source = plot.children_with_name(Ns::Chart, "ser").find_map(|series| series.child_named("cat"));
    let points = source.map(cached_points).unwrap_or_default();
    points.into_iter().map(|point| point.unwrap_or_default().chars().take(MAX_LABEL_CHARACTERS).collect()).collect()
}

/// Returns the cached points of `c:val`, `c:cat` and similar elements, by index. `None` is a missing point.
fn cached_points(source: Element<'_>) -> Vec<Option<&str>> {
    let Some(data) = source.children().next() else { return Vec::new() };
    let cache =
        ["numCache", "strCache", "multiLvlStrCache"].iter().find_map(|name| data.child_named(name)).unwrap_or(data);
    // If categories have several levels, only the innermost level is used.
    let cache = cache.child_named("lvl").unwrap_or(cache);
    let count = child_value(cache, "ptCount").and_then(parse_index).unwrap_or(0);
    let mut points = vec![None; count.min(MAX_POINTS)];
    for point in cache.children_with_name(Ns::Chart, "pt") {
        let Some(index) = point.attr("idx").and_then(parse_index) else { continue };
        if index < MAX_POINTS {
            points.resize(points.len().max(index + 1), None);
            points[index] = point.child_named("v").map(Element::text);
        }
    }
    points
}

/// Returns the text of a `c:tx` element: its literal text, or the cached text of the cells to which it refers.
fn cached_text(text: Option<Element<'_>>) -> Option<String> {
    let text = text?;
    if let Some(plain) = text.child_named("v") {
        return Some(plain.text().to_owned());
    }
    let cached = cached_points(text).into_iter().flatten().collect::<Vec<_>>().join(" ");
    (!cached.is_empty()).then_some(cached)
}

/// Returns the font size in text properties, in points from 4 to 72. Returns `None` if they have no size.
fn font_size(style: Element<'_>) -> Option<f32> {
    let size = style.attr("sz").and_then(integer)?;
    Some((size as f32 / 100.0).clamp(4.0, 72.0))
}

/// Returns the text of a title element, or `None` if the element contains no text.
fn chart_text(title: Element<'_>) -> Option<ChartText> {
    let source = title.child_named("tx")?;
    let rich = source.child_named("rich");
    let text = match rich {
        Some(rich) => {
            let paragraph = |paragraph: Element<'_>| -> String {
                let runs = paragraph.children().filter_map(|run| run.child_named("t"));
                runs.map(|text| text.text()).collect()
            };
            rich.children_with_name(Ns::A, "p").map(paragraph).collect::<Vec<_>>().join(" ")
        }
        None => cached_text(Some(source))?,
    };
    let run = rich.and_then(|rich| rich.descendant(Ns::A, "rPr").filter(|run| run.attr("sz").is_some()));
    let style = run.or_else(|| rich.and_then(|rich| rich.descendant(Ns::A, "defRPr")));
    let bold = on_off(style.and_then(|style| style.attr("b")));
    let text: String = text.trim().chars().take(1_000).collect();
    (!text.is_empty()).then(|| ChartText { text, size: style.and_then(font_size), bold })
}

/// Returns the content of the labels that a `c:dLbls` element specifies, or `None` if the points have no labels.
fn point_label(labels: Element<'_>) -> Option<PointLabel> {
    let on = |name| on_off_if_present(child_value(labels, name)) == Some(true);
    if on("showPercent") {
        Some(PointLabel::Percentage)
    } else if on("showVal") {
        Some(PointLabel::Value)
    } else {
        on("showCatName").then_some(PointLabel::Category)
    }
}

/// Returns true if the labels of an axis are not shown.
fn is_hidden(axis: Element<'_>) -> bool {
    on_off_if_present(child_value(axis, "delete")) == Some(true) || child_value(axis, "tickLblPos") == Some("none")
}

fn is_reversed(axis: Element<'_>) -> bool {
    axis.child_named("scaling").and_then(|scaling| child_value(scaling, "orientation")) == Some("maxMin")
}

/// Reads a value axis. `plot` is a plot that uses this axis. If the axis has no number format of its own, the number
/// format of the plot's values is used.
fn value_axis(axis: Element<'_>, plot: Element<'_>) -> ValueAxis {
    let scaling = |name| child_value(axis.child_named("scaling")?, name).and_then(parse_number);
    let own = axis.child_named("numFmt").filter(|format| on_off_if_present(format.attr("sourceLinked")) != Some(true));
    let cached = || plot.descendant(Ns::Chart, "val")?.descendant(Ns::Chart, "formatCode").map(Element::text);
    let format = own.and_then(|format| format.attr("formatCode")).or_else(cached).unwrap_or("General");
    ValueAxis {
        shown: !is_hidden(axis),
        has_grid_lines: axis.child_named("majorGridlines").is_some(),
        min: scaling("min"),
        max: scaling("max"),
        step: child_value(axis, "majorUnit").and_then(parse_number).filter(|step| *step > 0.0),
        format: format.chars().take(MAX_LABEL_CHARACTERS).collect(),
        title: axis.child_named("title").and_then(chart_text),
    }
}
