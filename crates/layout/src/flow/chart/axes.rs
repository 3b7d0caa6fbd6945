//! The scale of a value axis and the format of its numbers.

use waraq_docx::tree::{Chart, Grouping, Plot, ValueAxis};

/// Maximum number of steps on an axis. If the step size in the file leads to more steps, that step size is ignored.
const MAX_STEPS: f64 = 50.0;

/// Maximum absolute value on an axis. Beyond it, `f64` cannot represent small differences between values.
const MAX_VALUE: f64 = 1e15;

/// The range of a value axis, and the step between its ticks.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Scale {
    pub least: f64,
    pub greatest: f64,
    pub step: f64,
}

impl Scale {
    /// Computes the scale of the primary or secondary axis from the values of its plots. The scale has about `steps` steps,
    /// unless the file sets the step size.
    pub fn for_axis(chart: &Chart, axis: &ValueAxis, secondary: bool, steps: f32) -> Self {
        let plots: Vec<&Plot> = chart.plots.iter().filter(|plot| plot.secondary == secondary).collect();
        let ValueRange { mut least, mut greatest } = value_range(&plots, chart.categories.len());
        // An axis begins at zero, unless its values are close together and far from zero.
        if least > 0.0 && (greatest - least) / greatest > 1.0 / 6.0 {
            least = 0.0;
        } else if greatest < 0.0 && (greatest - least) / least.abs() > 1.0 / 6.0 {
            greatest = 0.0;
        }
        if greatest - least <= f64::EPSILON * greatest.abs().max(1.0) {
            (least, greatest) = if greatest > 0.0 { (0.0, greatest) } else { (least.min(0.0), 0.0) };
            if greatest <= least {
                greatest = least + 1.0;
            }
        }
        let shares = plots.iter().any(|plot| plot.grouping == Grouping::PercentStacked);
        let (low, high) = (axis.min.unwrap_or(least), axis.max.unwrap_or(greatest));
        let (low, high) = if high > low { (low, high) } else { (least, greatest) };
        let step = axis.step.filter(|step| (high - low) / step <= MAX_STEPS);
        let step = step.unwrap_or_else(|| round_step((high - low) / f64::from(steps.clamp(2.0, 10.0))));
        let air = if shares { 0.0 } else { (high - low) * 0.05 };
        let below = if low < 0.0 { ((low - air) / step).floor() * step } else { (low / step).floor() * step };
        let above = if high > 0.0 { ((high + air) / step - 1e-9).ceil() * step } else { 0.0 };
        let least = axis.min.filter(|least| *least < high).unwrap_or(below);
        let greatest = axis.max.filter(|greatest| *greatest > least).unwrap_or(above);
        Self { least, greatest: greatest.max(least + step * 0.01), step }
    }

    /// Returns the position of a value on the axis, from 0 (least value) to 1 (greatest value).
    pub fn position_of(&self, value: f64) -> f32 {
        let share = (value - self.least) / (self.greatest - self.least);
        if share.is_nan() { 0.0 } else { share.clamp(0.0, 1.0) as f32 }
    }

    /// Returns the value at which bars begin: zero, or the value on the axis closest to zero.
    pub fn bar_start(&self) -> f64 {
        0.0_f64.clamp(self.least, self.greatest)
    }

    pub fn ticks(&self) -> impl Iterator<Item = f64> + '_ {
        let count = ((self.greatest - self.least) / self.step + 1e-6).clamp(0.0, 2.0 * MAX_STEPS) as usize;
        (0..=count).map(|index| self.least + self.step * index as f64)
    }
}

/// The least and the greatest of several values.
struct ValueRange {
    /// The least value.
    least: f64,
    /// The greatest value.
    greatest: f64,
}

/// Returns the range of the values of the plots, or 0 to 1 if they have no values. The values of stacked series are added up.
fn value_range(plots: &[&Plot], categories: usize) -> ValueRange {
    let (mut least, mut greatest) = (f64::INFINITY, f64::NEG_INFINITY);
    let mut see = |value: f64| {
        let value = value.clamp(-MAX_VALUE, MAX_VALUE);
        (least, greatest) = (least.min(value), greatest.max(value));
    };
    for plot in plots {
        if plot.grouping == Grouping::Clustered {
            plot.series.iter().flat_map(|series| &series.values).flatten().for_each(|value| see(*value));
            continue;
        }
        for index in 0..categories {
            let values = plot.series.iter().filter_map(|series| series.values.get(index).copied().flatten());
            let (up, down) = values.fold((0.0, 0.0), |(up, down), v| (up + v.max(0.0), down + v.min(0.0)));
            let whole = if plot.grouping == Grouping::PercentStacked { up - down } else { 1.0 };
            if whole > 0.0 {
                see(up / whole);
                see(down / whole);
            }
        }
    }
    if least <= greatest { ValueRange { least, greatest } } else { ValueRange { least: 0.0, greatest: 1.0 } }
}

/// Rounds a step up to a round number: 1, 2 or 5 times a power of ten. Returns 1 if `step` is not a positive number.
fn round_step(step: f64) -> f64 {
    if !step.is_finite() || step <= 0.0 {
        return 1.0;
    }
    let power = 10_f64.powf(step.log10().floor());
    let times = [1.0, 2.0, 5.0, 10.0].into_iter().find(|times| times * power >= step * (1.0 - 1e-9)).unwrap_or(10.0);
    times * power
}

/// Formats a number with the format code of an axis (§18.8.31): decimals, thousands separators, percent sign and surrounding
/// text. If the code is "General" or has no digit placeholder (`0`, `#`, `?`), the number gets as many decimals as `step`, the
/// distance between two ticks.
pub(super) fn format_value(value: f64, axis: &ValueAxis, step: f64) -> String {
    let code = axis.format.split(';').next().unwrap_or_default();
    let digits = |c: char| matches!(c, '0' | '#' | '?');
    if code.eq_ignore_ascii_case("general") || !code.contains(digits) {
        return format_general(value, step);
    }
    let percent = code.contains('%');
    let value = if percent { value * 100.0 } else { value };
    let decimals = code.split_once('.').map_or(0, |(_, after)| after.chars().take_while(|c| digits(*c)).count()).min(9);
    let mut number = format!("{:.*}", decimals, value.abs());
    if code.contains(",#") || code.contains(",0") {
        number = with_thousands_separators(&number);
    }
    let first = code.find(digits).unwrap_or(0);
    let last = code.rfind(|c| digits(c) || c == '.').map_or(0, |at| at + 1);
    let words = |part: &str| -> String {
        // Remove [$€-407] and [Red], quotes around text, escapes and padding.
        let part = part.split(']').next_back().unwrap_or_default();
        part.chars().filter(|c| !matches!(c, '"' | '\\' | '_' | '*' | '(' | ')' | ',')).collect()
    };
    let sign = if value < 0.0 && number.chars().any(|c| c.is_ascii_digit() && c != '0') { "-" } else { "" };
    format!("{sign}{}{number}{}", words(code.get(..first).unwrap_or("")), words(code.get(last..).unwrap_or("")))
}

/// Formats a number in the format "General": with as many decimals as `step` has.
fn format_general(value: f64, step: f64) -> String {
    let text = format!("{:.*}", decimals(step, 9) as usize, value);
    if text.starts_with('-') && !text.contains(|c: char| ('1'..='9').contains(&c)) {
        text.replace('-', "")
    } else {
        text
    }
}

/// Returns the number of decimals that are needed to write `number` exactly. Returns 2 if more than `most` decimals would be
/// needed.
pub(super) fn decimals(number: f64, most: i32) -> i32 {
    let whole = |decimals: &i32| {
        let scaled = number * 10_f64.powi(*decimals);
        (scaled - scaled.round()).abs() < 1e-6 * scaled.abs().max(1.0)
    };
    (0..most).find(whole).unwrap_or(2)
}

fn with_thousands_separators(number: &str) -> String {
    let (whole, rest) = number.split_at(number.find('.').unwrap_or(number.len()));
    let mut out = String::with_capacity(number.len() + 4);
    for (index, digit) in whole.chars().enumerate() {
        if index > 0 && (whole.len() - index) % 3 == 0 {
            out.push(',');
        }
        out.push(digit);
    }
    out + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_by_their_format() {
        let axis = |format: &str| ValueAxis { format: format.into(), ..ValueAxis::default() };
        let of = |value, format: &str| format_value(value, &axis(format), 1.0);
        assert_eq!(of(1234.5, "#,##0.00"), "1,234.50");
        assert_eq!(of(0.25, "0%"), "25%");
        assert_eq!(of(-3.0, "0.0;[Red]-0.0"), "-3.0");
        assert_eq!(of(12.0, "\"€\" 0"), "€ 12");
        assert_eq!(of(4.0, "General"), "4");
        assert_eq!(format_value(0.5, &axis("General"), 0.25), "0.50");
    }

    #[test]
    fn axis_steps_are_round_numbers() {
        assert_eq!(
            [round_step(0.13), round_step(1.9), round_step(2.1), round_step(70.0), round_step(0.0)],
            [0.2, 2.0, 5.0, 100.0, 1.0]
        );
    }
}
