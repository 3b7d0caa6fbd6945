//! How wide the letters of families are that others stand for here.
//!
//! A line holds as many words as in the font that the document names: where letters of another stand for them, those are set narrower or
//! wider by the ratio of the two families' widths.

/// A family (lower case), and how much wider its letters are than those of the family that stands for it: upright, bold, italic.
///
/// The ratios are those of the average widths of Latin text that Capsize's collection of metrics has of both families (`xWidthAvg`). Of
/// Consolas, Lucida Console and Arial Narrow they are exact: letters of the first two are all equally wide (1126 and 1234 of 2048, to
/// Cousine's 1229), those of the third are Arial's, by 0.82. Of Aptos it is that of the average widths of all letters (OS/2, xAvgCharWidth)
/// as Word writes them into PDFs (AvgWidth 561, and 521 for Calibri, Carlito's twin): three page starts of Word's fall on it, one without.
const WIDTHS: &[(&str, [f32; 3])] = &[
    ("verdana", [1049.0 / 913.0, 1170.0 / 983.0, 1049.0 / 913.0]),
    ("tahoma", [917.0 / 913.0, 1044.0 / 983.0, 917.0 / 913.0]),
    ("trebuchet ms", [934.0 / 913.0, 976.0 / 983.0, 943.0 / 913.0]),
    ("georgia", [913.0 / 832.0, 1062.0 / 886.0, 931.0 / 836.0]),
    ("segoe ui", [908.0 / 840.0, 973.0 / 859.0, 888.0 / 835.0]),
    ("aptos", [561.0 / 521.0; 3]),
    ("consolas", [1126.0 / 1229.0; 3]),
    ("lucida console", [1234.0 / 1229.0; 3]),
    ("arial narrow", [0.82; 3]),
];

/// How much wider letters of this family (any case) are than those of the family that stands for it. `None` where it is not known.
///
/// ```
/// assert_eq!(waraq_fonts::stretch("Arial Narrow", false, false), Some(0.82));
/// assert_eq!(waraq_fonts::stretch("Calibri", false, false), None);
/// ```
pub fn stretch(family: &str, bold: bool, italic: bool) -> Option<f32> {
    let name = family.trim().trim_start_matches('@');
    let (_, widths) = WIDTHS.iter().find(|(known, _)| known.eq_ignore_ascii_case(name))?;
    widths.get(if bold { 1 } else { usize::from(italic) * 2 }).copied()
}
