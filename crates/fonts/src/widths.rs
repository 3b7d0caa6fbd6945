//! How wide the letters of families are that others stand for here.
//!
//! A line holds as many words as in the font that the document names: where letters of another stand for them, those are set narrower or
//! wider by the ratio of the two families' widths, or smaller and larger where that is what the families differ in.

/// A family (lower case), and how much wider its letters are than those of the family that stands for it: upright, bold, italic.
///
/// The ratios are those of the average widths of Latin text that Capsize's collection of metrics has of both families (`xWidthAvg`). Of
/// Consolas, Lucida Console and Arial Narrow they are exact: letters of the first two are all equally wide (1126 and 1234 of 2048, to
/// Cousine's 1229), those of the third are Arial's, by 0.82. Comic Sans MS is not in that collection. Its ratios are
/// means of the widths that browsers measured for the package `string-pixel-width`, weighted by how frequent letters and spaces are in English
/// text. (For Verdana, Tahoma, Georgia and Trebuchet MS such means differ from the collection's ratios by 0.7 % at most.)
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

/// The same of Cyrillic text, where it is known to differ: the mean widths of Verdana's characters (which browsers measured for the package
/// `anafanafo`) and of Arimo's, each character as frequent as in Russian, a sixth of the text spaces.
const CYRILLIC_WIDTHS: &[(&str, [f32; 3])] = &[("verdana", [1.127, 1.163, 1.127])];

/// A family (lower case) whose letters are smaller than those of the family that stands for it, and by how much.
///
/// Traditional Arabic fills less of its em than Amiri does. The share is that with which a report set in it, 9,000 words in lines of an exact
/// height, has Word's pages: between 0.775 and 0.785 there are 27 as Word saved (33 in Amiri as it is), at 0.78 sixteen of Word's 26 page
/// starts fall on the very line (one), and the 17 headings stand on the pages that its typed table of contents says (three).
const SIZES: &[(&str, f32)] = &[("traditional arabic", 0.78)];

/// How much wider and how much higher letters of this family (any case) are than those of the family that stands for it. `None` where it is
/// not known.
///
/// ```
/// assert_eq!(waraq_fonts::stretch("Arial Narrow", false, false, false), Some((0.82, 1.0)));
/// assert_eq!(waraq_fonts::stretch("Traditional Arabic", false, false, false), Some((0.78, 0.78)));
/// assert_eq!(waraq_fonts::stretch("Calibri", false, false, false), None);
/// assert!(waraq_fonts::stretch("Comic Sans MS", false, false, false) > waraq_fonts::stretch("Tahoma", false, false, false));
/// assert!(waraq_fonts::stretch("Verdana", false, false, true) < waraq_fonts::stretch("Verdana", false, false, false));
/// ```
pub fn stretch(family: &str, bold: bool, italic: bool, cyrillic: bool) -> Option<(f32, f32)> {
    let name = family.trim().trim_start_matches('@');
    if let Some((_, size)) = SIZES.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)) {
        return Some((*size, *size));
    }
    let tables = [CYRILLIC_WIDTHS, WIDTHS];
    let mut tables = tables.iter().skip(usize::from(!cyrillic));
    let widths = tables.find_map(|table| table.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)))?.1;
    widths.get(if bold { 1 } else { usize::from(italic) * 2 }).map(|width| (*width, 1.0))
}
