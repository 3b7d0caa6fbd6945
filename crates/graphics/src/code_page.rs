//! Text in bytes, by the code pages of Windows.

use encoding_rs::*;

/// The code page of a font's character set (\[MS-WMF\] 2.1.1.5); Western text where it has none of its own.
pub fn of_charset(charset: u8) -> &'static Encoding {
    match charset {
        128 => SHIFT_JIS,
        129 | 130 => EUC_KR,
        134 => GBK,
        136 => BIG5,
        161 => WINDOWS_1253,
        162 => WINDOWS_1254,
        163 => WINDOWS_1258,
        177 => WINDOWS_1255,
        178 => WINDOWS_1256,
        186 => WINDOWS_1257,
        204 => WINDOWS_1251,
        222 => WINDOWS_874,
        238 => WINDOWS_1250,
        _ => WINDOWS_1252,
    }
}
