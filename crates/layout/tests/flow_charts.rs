//! Charts drawn from their values: columns, bars, lines, areas and pies (ECMA-376 part 1, §21.2).

mod book;
mod flow_common;

use flow_common::*;
use waraq_docx::tree::*;
use waraq_layout::{DisplayItem, Pages, Paint};

const COLORS: [Rgb; 3] = [Rgb(200, 0, 0), Rgb(0, 150, 0), Rgb(0, 0, 180)];

fn series(number: usize, values: &[f64]) -> Series {
    Series {
        name: format!("Series {number}"),
        values: values.iter().map(|value| value.is_finite().then_some(*value)).collect(),
        color: COLORS[number % 3],
        point_colors: Vec::new(),
        line_width: 2.0,
        has_markers: false,
        labels: None,
    }
}

fn chart(kind: PlotKind, grouping: Grouping, all: &[&[f64]]) -> Chart {
    let series = all.iter().enumerate().map(|(number, values)| series(number, values)).collect();
    Chart {
        title: Some(ChartText { text: "The title".into(), size: None, bold: true }),
        legend: Some(LegendPosition::Right),
        categories: (1..=all[0].len()).map(|n| format!("C{n}")).collect(),
        plots: vec![Plot { kind, grouping, secondary: false, series }],
        category_axis: CategoryAxis { shown: true, ..CategoryAxis::default() },
        value_axis: ValueAxis { shown: true, has_grid_lines: true, format: "General".into(), ..ValueAxis::default() },
        text_size: 8.0,
        ..Chart::default()
    }
}

const COLUMNS: PlotKind = PlotKind::Bars { horizontal: false, gap: 1.5, overlap: 0.0 };
const HORIZONTAL_BARS: PlotKind = PlotKind::Bars { horizontal: true, gap: 1.5, overlap: 0.0 };

/// Lays out a chart of 300 by 180 points on a page of its own.
fn chart_pages(chart: Chart) -> Pages {
    let graphic = Graphic::Chart(Box::new(chart));
    let (width, height, placement) = (300.0, 180.0, Placement::Inline);
    let inside = Drawing {
        id: NodeId::default(),
        width,
        height,
        placement,
        graphic,
        description: Some("What it shows".into()),
        link: None,
    };
    lay_out(&document(vec![text(&[""]).with_content(drawing(inside)).into_block()]))
}

/// Returns the rectangles of this colour from left to right. The last one is omitted, because it belongs to the legend.
fn bar_areas(pages: &Pages, color: Rgb) -> Vec<waraq_layout::Rect> {
    let mut found: Vec<_> =
        rectangles(pages, 0).into_iter().filter(|(_, of)| *of == color).map(|(area, _)| area).collect();
    found.sort_by(|a, b| a.x.total_cmp(&b.x));
    assert!(!found.is_empty());
    found.pop();
    found
}

/// Returns the number of filled paths of this colour.
fn filled_path_count(pages: &Pages, color: Rgb) -> usize {
    let of = |item: &DisplayItem| matches!(item, DisplayItem::FilledPath { paint: Paint::Solid { color: of, .. }, .. } if *of == color);
    pages.pages[0].items.iter().filter(|placed| of(&placed.item)).count()
}

#[test]
fn columns_are_as_high_as_their_values_and_named_below() {
    let pages = chart_pages(chart(COLUMNS, Grouping::Clustered, &[&[2.0, 4.0, 1.0], &[3.0, 1.0, 2.0]]));
    let (first, second) = (bar_areas(&pages, COLORS[0]), bar_areas(&pages, COLORS[1]));
    assert_eq!((first.len(), second.len()), (3, 3));
    assert_near(first[1].height, 2.0 * first[0].height);
    assert_near(second[0].height, 1.5 * first[0].height);
    let foot = |area: &waraq_layout::Rect| area.y + area.height;
    assert_near(foot(&first[0]), foot(&second[2]));
    assert_near(first[0].x + first[0].width, second[0].x);
    assert!(find_text(&pages, "C1").y > foot(&first[0]));
    assert!(find_text(&pages, "The title").y < first[1].y);
    // The scale begins at zero and ends above the greatest value.
    assert!(find_text(&pages, "0").x < first[0].x && find_text(&pages, "5").y < first[1].y);
    let legend = find_text(&pages, "Series 1");
    assert!(legend.x > second[2].x + second[2].width);
    assert!(placed_texts(&pages).iter().all(|text| text.tagged), "all texts are tagged as parts of the figure");
}

#[test]
fn horizontal_bars_grow_to_the_right_with_the_first_category_at_the_bottom() {
    let pages = chart_pages(chart(HORIZONTAL_BARS, Grouping::Clustered, &[&[1.0, 3.0]]));
    let mut bars = bar_areas(&pages, COLORS[0]);
    bars.sort_by(|a, b| b.y.total_cmp(&a.y));
    assert_near(bars[1].width, 3.0 * bars[0].width);
    assert_near(bars[0].x, bars[1].x);
    assert!(find_text(&pages, "C1").y > find_text(&pages, "C2").y);
}

#[test]
fn stacked_columns_are_on_top_of_each_other_and_shares_add_up_to_the_full_height() {
    let values: [&[f64]; 2] = [&[1.0, 2.0], &[3.0, 2.0]];
    let stacked = chart_pages(chart(COLUMNS, Grouping::Stacked, &values));
    let (first, second) = (bar_areas(&stacked, COLORS[0]), bar_areas(&stacked, COLORS[1]));
    assert_near(second[0].y + second[0].height, first[0].y);
    assert_near(second[0].height, 3.0 * first[0].height);
    let shares = chart_pages(chart(COLUMNS, Grouping::PercentStacked, &values));
    let (first, second) = (bar_areas(&shares, COLORS[0]), bar_areas(&shares, COLORS[1]));
    assert_near(first[0].height + second[0].height, first[1].height + second[1].height);
    assert_near(first[1].height, second[1].height);
}

#[test]
fn columns_of_negative_values_extend_below_zero() {
    let pages = chart_pages(chart(COLUMNS, Grouping::Clustered, &[&[2.0, -1.0]]));
    let columns = bar_areas(&pages, COLORS[0]);
    assert_near(columns[0].y + columns[0].height, columns[1].y);
    assert_near(columns[0].height, 2.0 * columns[1].height);
}

#[test]
fn a_line_has_a_gap_where_a_value_is_missing() {
    let pages = chart_pages(chart(PlotKind::Lines, Grouping::Clustered, &[&[1.0, 2.0, f64::NAN, 3.0, 4.0]]));
    let lines: Vec<_> = pages.pages[0]
        .items
        .iter()
        .filter_map(|placed| match &placed.item {
            // Skip the line of the legend, which is straight.
            DisplayItem::Stroke(stroke) if stroke.color == COLORS[0] && stroke.path.len() > 2 => Some(stroke),
            _ => None,
        })
        .collect();
    assert_eq!(lines.len(), 1);
    let moves = lines[0].path.iter().filter(|command| matches!(command, PathCommand::Move(..))).count();
    assert_eq!((lines[0].path.len(), moves), (4, 2));
    assert_eq!(
        filled_path_count(&self::chart_pages(chart(PlotKind::Areas, Grouping::Stacked, &[&[1.0, 2.0]])), COLORS[0]),
        1
    );
}

#[test]
fn a_pie_has_a_slice_and_a_legend_entry_for_each_value() {
    let mut pie = chart(PlotKind::Pie { start: 0.0, hole: 0.0 }, Grouping::Clustered, &[&[1.0, 1.0, 2.0]]);
    pie.plots[0].series[0].point_colors = COLORS.into_iter().map(Some).collect();
    pie.plots[0].series[0].labels = Some(PointLabel::Percentage);
    let pages = chart_pages(pie);
    assert!(COLORS.iter().all(|color| filled_path_count(&pages, *color) == 1));
    let legend: Vec<f32> = ["C1", "C2", "C3"].iter().map(|name| find_text(&pages, name).y).collect();
    assert!(legend[0] < legend[1] && legend[1] < legend[2]);
    assert!(find_text(&pages, "50%").x < find_text(&pages, "25%").x, "the half is on the left, clockwise from the top");
}

#[test]
fn category_names_that_do_not_fit_are_rotated() {
    let mut wide = chart(COLUMNS, Grouping::Clustered, &[&[1.0; 12]]);
    wide.categories = (0..12).map(|n| format!("A long name {n}")).collect();
    let pages = chart_pages(wide);
    let groups = pages.pages[0].items.iter().filter(|placed| matches!(placed.item, DisplayItem::Group { .. })).count();
    assert!(groups >= 6, "{groups}");
}

#[test]
fn a_secondary_axis_is_at_the_right_and_scales_its_plots() {
    let mut both = chart(COLUMNS, Grouping::Clustered, &[&[1_000.0, 2_000.0]]);
    let shares =
        Plot { secondary: true, ..chart(COLUMNS, Grouping::Clustered, &[&[1.0], &[0.4, 0.8]]).plots.remove(0) };
    both.plots.push(Plot { series: vec![shares.series[1].clone()], ..shares });
    let title = |text: &str| Some(ChartText { text: text.into(), size: None, bold: false });
    let percent = ValueAxis { shown: true, format: "0%".into(), title: title("Shares"), ..ValueAxis::default() };
    both.secondary_axis = Some(percent);
    let pages = chart_pages(both);
    let (sums, shares) = (bar_areas(&pages, COLORS[0]), bar_areas(&pages, COLORS[1]));
    // Both series have similar heights, although their values differ by a factor of 1,000.
    assert!(sums[1].height > 30.0 && shares[1].height > 30.0);
    assert_near(sums[1].height, 2.0 * sums[0].height);
    assert_near(shares[1].height, 2.0 * shares[0].height);
    assert!(find_text(&pages, "2000").x < sums[0].x);
    assert!(find_text(&pages, "80%").x > sums[1].x + sums[1].width);
    find_text(&pages, "Shares");
}

#[test]
fn hostile_charts_cost_little_and_stay_finite() {
    for values in [[f64::MAX, -f64::MAX], [0.0, 0.0], [1e-300, 2e-300], [f64::NAN, f64::NAN], [-5.0, -5.0]] {
        for kind in
            [COLUMNS, HORIZONTAL_BARS, PlotKind::Lines, PlotKind::Areas, PlotKind::Pie { start: f32::NAN, hole: 0.5 }]
        {
            for grouping in [Grouping::Clustered, Grouping::Stacked, Grouping::PercentStacked] {
                let mut hostile = chart(kind, grouping, &[&values, &values]);
                hostile.value_axis.step = Some(1e-12);
                hostile.value_axis.min = Some(1e14);
                let pages = chart_pages(hostile);
                let finite =
                    |area: &waraq_layout::Rect| [area.x, area.y, area.width, area.height].iter().all(|n| n.is_finite());
                assert!(rectangles(&pages, 0).iter().all(|(area, _)| finite(area)));
                assert!(pages.pages[0].items.len() < 2_000);
            }
        }
    }
    let mut empty = chart(COLUMNS, Grouping::Clustered, &[&[]]);
    empty.plots.clear();
    chart_pages(empty);
}
