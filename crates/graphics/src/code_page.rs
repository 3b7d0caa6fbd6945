//! Decodes text in the code pages of Windows.

/// A code page, by its number in Windows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CodePage(i32);

impl CodePage {
    /// Windows-1252, for Western European languages.
    pub const WESTERN: Self = Self(1252);

    /// Returns the code page with this number, as in RTF's `\ansicpg`, or `None` if it is not supported.
    pub fn from_number(number: i32) -> Option<Self> {
        matches!(number, 874 | 932 | 936 | 949 | 950 | 1250..=1258).then_some(Self(number))
    }

    /// Returns the code page of a font's character set (\[MS-WMF\] 2.1.1.5). Character sets without a code page use the
    /// Western one.
    pub fn from_charset(charset: u8) -> Self {
        Self(match charset {
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
        })
    }

    /// Returns the name of this code page in the Encoding Standard. The function `decode` of the module `decoder`
    /// expects that name.
    fn label(self) -> String {
        match self.0 {
            932 => "shift_jis".into(),
            936 => "gbk".into(),
            949 => "euc-kr".into(),
            950 => "big5".into(),
            number => format!("windows-{number}"),
        }
    }

    /// Decodes bytes. Invalid bytes become U+FFFD.
    pub fn decode(self, bytes: &[u8]) -> String {
        decoder::decode(&self.label(), bytes)
    }
}

#[cfg(not(target_arch = "wasm32"))]
mod decoder {
    pub fn decode(label: &str, bytes: &[u8]) -> String {
        let encoding = encoding_rs::Encoding::for_label(label.as_bytes()).unwrap_or(encoding_rs::WINDOWS_1252);
        encoding.decode_without_bom_handling(bytes).0.into_owned()
    }
}

/// Decodes text with the `TextDecoder` of the browser, so that the engine does not have to include tables of code
/// pages.
#[cfg(target_arch = "wasm32")]
mod decoder {
    #![allow(unsafe_code)] // for the code that wasm-bindgen generates

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
        // If the browser does not support the encoding, only ASCII characters are decoded.
        decoded.unwrap_or_else(|_| {
            bytes.iter().map(|byte| if byte.is_ascii() { char::from(*byte) } else { '\u{fffd}' }).collect()
        })
    }
}
