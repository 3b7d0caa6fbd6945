//! Width ratios between Word's fonts and their substitutes.
//!
//! A line must have as many words as in the font that the document names. Layout therefore scales the glyphs of the substitute
//! horizontally by the ratio of the widths. If the letters of the two fonts differ in size, layout scales width and height.

/// Families (lower case) with the ratio of their width to the width of their substitute: upright, bold, italic.
///
/// The ratios compare the average widths of Latin text (`xWidthAvg`) in Capsize's collection of metrics. The ratios of
/// Consolas, Lucida Console and Arial Narrow are exact. Consolas, Lucida Console and their substitute Cousine are
/// monospaced: in units of 1/2048 em, their glyphs are 1126, 1234 and 1229 wide. Glyphs of Arial Narrow are 0.82 times as
/// wide as glyphs of Arial.
///
/// Comic Sans MS is not in that collection. Its ratios compare means of widths that browsers measured for the package
/// `string-pixel-width`, weighted by the frequency of letters and spaces in English. (For Verdana, Tahoma, Georgia and
/// Trebuchet MS such means differ from the collection's ratios by at most 0.7 %.)
const WIDTHS: &[(&str, [f32; 3])] = &[
    ("verdana", [1049.0 / 913.0, 1170.0 / 983.0, 1049.0 / 913.0]),
    ("tahoma", [917.0 / 913.0, 1044.0 / 983.0, 917.0 / 913.0]),
    ("trebuchet ms", [934.0 / 913.0, 976.0 / 983.0, 943.0 / 913.0]),
    ("georgia", [913.0 / 832.0, 1062.0 / 886.0, 931.0 / 836.0]),
    ("segoe ui", [908.0 / 840.0, 973.0 / 859.0, 888.0 / 835.0]),
    ("consolas", [1126.0 / 1229.0; 3]),
    ("lucida console", [1234.0 / 1229.0; 3]),
    ("arial narrow", [0.82; 3]),
    ("comic sans ms", [1.055, 1.049, 1.055]),
];

/// Ratios for Cyrillic text, for families whose Cyrillic ratio is known and differs from the Latin one. A ratio is the
/// mean width of Verdana's characters divided by the mean width of Arimo's characters. Browsers measured Verdana's
/// widths for the package `anafanafo`. The means are weighted by the frequency of the characters in Russian; a sixth of
/// the text is spaces.
const CYRILLIC_WIDTHS: &[(&str, [f32; 3])] = &[("verdana", [1.127, 1.163, 1.127])];

/// Families (lower case) whose letters are smaller than those of their substitute, with the ratio of the sizes.
///
/// The letters of Traditional Arabic are smaller in relation to their em than those of Amiri. The ratio was found with
/// a report of 9,000 words in Traditional Arabic, whose lines have an exact height. In Word, the report has 27 pages.
/// In this layout, it has 27 pages with ratios between 0.775 and 0.785, and 33 pages in unscaled Amiri. With the ratio
/// 0.78, 16 of Word's 26 page breaks are at the same line, but only 1 in unscaled Amiri. All 17 headings are on the
/// pages that the report's table of contents gives, but only 3 in unscaled Amiri.
const SIZES: &[(&str, f32)] = &[("traditional arabic", 0.78)];

/// Returns the factors by which layout scales the width and the height of the substitute's glyphs. The family name may be in any
/// case. `cyrillic` selects the ratio for Cyrillic text. Returns `None` if no ratio is known.
///
/// ```
/// assert_eq!(waraq_fonts::scale_factors("Arial Narrow", false, false, false), Some((0.82, 1.0)));
/// assert_eq!(waraq_fonts::scale_factors("Traditional Arabic", false, false, false), Some((0.78, 0.78)));
/// assert_eq!(waraq_fonts::scale_factors("Calibri", false, false, false), None);
/// assert!(waraq_fonts::scale_factors("Comic Sans MS", false, false, false) > waraq_fonts::scale_factors("Tahoma", false, false, false));
/// assert!(waraq_fonts::scale_factors("Verdana", false, false, true) < waraq_fonts::scale_factors("Verdana", false, false, false));
/// ```
pub fn scale_factors(family: &str, bold: bool, italic: bool, cyrillic: bool) -> Option<(f32, f32)> {
    let name = family.trim().trim_start_matches('@');
    if let Some((_, size)) = SIZES.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)) {
        return Some((*size, *size));
    }
    let tables = [CYRILLIC_WIDTHS, WIDTHS];
    let mut tables = tables.iter().skip(usize::from(!cyrillic));
    let widths = tables.find_map(|table| table.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)))?.1;
    widths.get(if bold { 1 } else { usize::from(italic) * 2 }).map(|width| (*width, 1.0))
}
