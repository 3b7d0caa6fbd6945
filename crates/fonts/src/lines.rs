//! Line heights of Word's fonts that are replaced by substitutes.
//!
//! Word computes the height of a line from the font that the document names. Layout must use the same height when it draws the
//! text in a substitute. Otherwise pages would break at other lines than in Word.

/// The line heights of font families. Each tuple has the family's name in lower case, the part of the line height above the
/// baseline, and the part below it. Both parts are in ems.
///
/// The values are `usWinAscent` and `usWinDescent` of the table OS/2 divided by the units per em (2048 in all these
/// fonts). The first value includes the external leading of Windows: max(0, gap - ((winAscent + winDescent) - (ascender
/// - descender))).
///
/// Sources: Capsize's collection of metrics for Tahoma, Verdana, Georgia, Trebuchet MS and Segoe UI; a similar
/// collection for Cambria and Franklin Gothic Medium. Consolas, Comic Sans MS, Cambria and Aptos were checked against
/// documents in Word: the pages must start at the same lines. For Aptos only the sum is published (1.2847). The values
/// with three decimals are published measurements of Word's printed output: the first baseline and the distance between
/// single-spaced lines. The other values are unchecked, because the font files were not available.
const LINE_HEIGHTS: &[(&str, f32, f32)] = &[
    ("tahoma", em(2049), em(423)),
    ("verdana", em(2059), em(430)),
    ("georgia", em(1878), em(449)),
    ("trebuchet ms", em(1923), em(455)),
    ("segoe ui", em(2210), em(514)),
    ("segoe ui light", em(2210), em(514)),
    ("segoe ui semibold", em(2210), em(514)),
    ("segoe ui semilight", em(2210), em(514)),
    ("lucida console", em(1616), em(432)),
    ("lucida sans unicode", em(2246), em(901)),
    ("consolas", em(1884), em(514)),
    ("comic sans ms", em(2257), em(597)),
    ("arial black", em(2254), em(634)),
    ("arial narrow", em(1916), em(434)),
    ("impact", em(2066), em(432)),
    ("microsoft sans serif", em(1888), em(430)),
    ("constantia", em(1950), em(550)),
    ("cambria", em(1946), em(455)),
    ("garamond", em(1765), em(539)),
    ("palatino linotype", em(2150), em(613)),
    ("franklin gothic book", em(1854), em(466)),
    ("franklin gothic medium", em(1877), em(445)),
    ("century gothic", 1.008, 0.218),
    ("bookman old style", 0.941, 0.237),
    ("gill sans mt", 0.927, 0.236),
    ("candara", 0.951, 0.270),
    ("corbel", 0.953, 0.254),
    ("rockwell", 0.952, 0.218),
    ("tw cen mt", 0.854, 0.233),
    ("aptos", 1.0027, 0.282),
    ("aptos display", 1.0027, 0.282),
    // East Asian families with square characters: Word adds 0.3 em to the line distance, half above and half below.
    // OpenOffice found this factor by experiment ("external leading for Asian fonts").
    ("simsun", 1.009, 0.291),
    ("\u{5b8b}\u{4f53}", 1.009, 0.291),
    ("nsimsun", 1.009, 0.291),
    ("\u{65b0}\u{5b8b}\u{4f53}", 1.009, 0.291),
    ("simhei", 1.009, 0.291),
    ("\u{9ed1}\u{4f53}", 1.009, 0.291),
    ("kaiti", 1.009, 0.291),
    ("\u{6977}\u{4f53}", 1.009, 0.291),
    ("kaiti_gb2312", 1.009, 0.291),
    ("\u{6977}\u{4f53}_gb2312", 1.009, 0.291),
    ("fangsong", 1.009, 0.291),
    ("\u{4eff}\u{5b8b}", 1.009, 0.291),
    ("fangsong_gb2312", 1.009, 0.291),
    ("\u{4eff}\u{5b8b}_gb2312", 1.009, 0.291),
    ("ms mincho", 1.009, 0.291),
    ("\u{ff2d}\u{ff33} \u{660e}\u{671d}", 1.009, 0.291),
    ("ms gothic", 1.009, 0.291),
    ("\u{ff2d}\u{ff33} \u{30b4}\u{30b7}\u{30c3}\u{30af}", 1.009, 0.291),
    ("batang", 1.009, 0.291),
    ("\u{bc14}\u{d0d5}", 1.009, 0.291),
    ("gulim", 1.009, 0.291),
    ("\u{ad74}\u{b9bc}", 1.009, 0.291),
    ("mingliu", 0.951, 0.349),
    ("\u{7d30}\u{660e}\u{9ad4}", 0.951, 0.349),
    ("pmingliu", 0.951, 0.349),
    ("\u{65b0}\u{7d30}\u{660e}\u{9ad4}", 0.951, 0.349),
    // Symbol fonts: their substitute has glyphs of many heights, and a bullet must not increase the line distance of a list.
    ("symbol", 1.005, 0.220),
    ("wingdings", 0.899, 0.211),
    ("wingdings 2", 0.899, 0.211),
    ("wingdings 3", 0.899, 0.211),
    ("webdings", 0.8, 0.2),
];

const fn em(units: u16) -> f32 {
    units as f32 / 2048.0
}

/// Returns the parts of a family's line height above and below the baseline, in ems. The name may be in any case. Returns
/// `None` if the height is unknown, or if the family itself or a metric-compatible font is shipped.
///
/// ```
/// assert_eq!(waraq_fonts::line_height("Lucida Console").map(|(up, down)| up + down), Some(1.0));
/// assert_eq!(waraq_fonts::line_height("Carlito"), None);
/// ```
pub fn line_height(family: &str) -> Option<(f32, f32)> {
    let name = family.trim().trim_start_matches('@');
    LINE_HEIGHTS.iter().find(|(known, _, _)| known.eq_ignore_ascii_case(name)).map(|(_, up, down)| (*up, *down))
}
