//! Text in bytes, by the code pages of Windows.

/// An encoding, by its label in the Encoding Standard, which libraries and browsers have in common.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CodePage(&'static str);

impl CodePage {
    pub const WESTERN: Self = Self("windows-1252");

    /// By its number in Windows, as `\ansicpg` in RTF has it.
    pub fn of_number(number: i32) -> Option<Self> {
        Some(Self(match number {
            874 => "windows-874",
            932 => "shift_jis",
            936 => "gbk",
            949 => "euc-kr",
            950 => "big5",
            1250 => "windows-1250",
            1251 => "windows-1251",
            1252 => "windows-1252",
            1253 => "windows-1253",
            1254 => "windows-1254",
            1255 => "windows-1255",
            1256 => "windows-1256",
            1257 => "windows-1257",
            1258 => "windows-1258",
            _ => return None,
        }))
    }

    /// The one of a font's character set (\[MS-WMF\] 2.1.1.5); Western text where it has none of its own.
    pub fn of_charset(charset: u8) -> Self {
        let number = match charset {
            128 => 932,
            129 | 130 => 949,
            134 => 936,
            136 => 950,
            161 => 1253,
            162 => 1254,
            163 => 1258,
            177 => 1255,
            178 => 1256,
            186 => 1257,
            204 => 1251,
            222 => 874,
            238 => 1250,
            _ => 1252,
        };
        Self::of_number(number).unwrap_or(Self::WESTERN)
    }

    /// Bytes that stand for nothing become U+FFFD.
    pub fn decode(self, bytes: &[u8]) -> String {
        decoder::decode(self.0, bytes)
    }
}

#[cfg(not(target_arch = "wasm32"))]
mod decoder {
    pub fn decode(label: &str, bytes: &[u8]) -> String {
        let encoding = encoding_rs::Encoding::for_label(label.as_bytes()).unwrap_or(encoding_rs::WINDOWS_1252);
        encoding.decode_without_bom_handling(bytes).0.into_owned()
    }
}

/// Browsers have the tables of these encodings; the engine that they load need not bring them.
#[cfg(target_arch = "wasm32")]
mod decoder {
    #![allow(unsafe_code)] // what wasm-bindgen writes around the functions

    use wasm_bindgen::JsValue;
    use wasm_bindgen::prelude::wasm_bindgen;

    #[wasm_bindgen]
    extern "C" {
        type TextDecoder;

        #[wasm_bindgen(constructor, catch)]
        fn new(label: &str) -> Result<TextDecoder, JsValue>;

        #[wasm_bindgen(method, catch)]
        fn decode(this: &TextDecoder, bytes: &[u8]) -> Result<String, JsValue>;
    }

    pub fn decode(label: &str, bytes: &[u8]) -> String {
        let decoded = TextDecoder::new(label).and_then(|decoder| decoder.decode(bytes));
        // a browser without the encoding: what is ASCII can be read
        decoded.unwrap_or_else(|_| {
            bytes.iter().map(|byte| if byte.is_ascii() { char::from(*byte) } else { '\u{fffd}' }).collect()
        })
    }
}
