//! A picture that was decoded: its colours compressed, and its opacity as a picture of its own (ISO 32000-1, 11.6.5.3).

use std::sync::{Mutex, OnceLock};

use super::channels::{Channels, Compressed};
use super::compact::write_stream;
use super::deflate::Zlib;
use super::stand_in::Dictionary;
use crate::picture::{Apart, Head};

pub(super) struct Pixels {
    pub head: Head,
    /// Until they are compressed.
    raw: Mutex<Option<Apart>>,
    /// `None`: they could not be.
    deflated: OnceLock<Option<Deflated>>,
}

struct Deflated {
    color: Compressed,
    alpha: Option<Compressed>,
}

impl Pixels {
    pub(super) fn new(raw: Apart) -> Self {
        Self { head: raw.head, raw: Mutex::new(Some(raw)), deflated: OnceLock::new() }
    }

    /// Compresses them, once; another thread that is at it is waited for. Whether it was done here.
    pub(super) fn deflate(&self, zlib: &mut Zlib) -> bool {
        let mut here = false;
        self.deflated.get_or_init(|| {
            here = true;
            let raw = self.raw.lock().ok()?.take()?;
            let mut compressed = |pixels, count| Channels { pixels, size: self.head.size, count }.compressed(zlib);
            let alpha = match &raw.alpha {
                Some(alpha) => Some(compressed(alpha, 1)?),
                None => None,
            };
            Some(Deflated { color: compressed(&raw.color, if self.head.gray { 1 } else { 3 })?, alpha })
        });
        here
    }

    /// What of them waits to be compressed.
    pub(super) fn raw_bytes(&self) -> usize {
        self.raw.lock().ok().and_then(|raw| raw.as_ref().map(Apart::bytes)).unwrap_or(0)
    }

    /// Whether [`Self::write_opacity`] writes anything.
    pub(super) fn has_opacity(&self) -> bool {
        self.deflated.get().and_then(Option::as_ref).is_some_and(|deflated| deflated.alpha.is_some())
    }

    /// Writes the opacity as an object.
    pub(super) fn write_opacity(&self, out: &mut Vec<u8>, number: usize) -> Option<()> {
        let alpha = self.deflated.get()?.as_ref()?.alpha.as_ref()?;
        let (width, height) = self.head.size;
        let entries = format!(
            "/Type/XObject/Subtype/Image/Width {width}/Height {height}/ColorSpace/DeviceGray/BitsPerComponent 8{}",
            alpha.entries
        );
        write_stream(out, number, entries.as_bytes(), &alpha.data)
    }

    /// Writes the object that krilla wrote for the stand-in, given the entries of its dictionary but for the length.
    pub(super) fn write(&self, out: &mut Vec<u8>, number: usize, entries: &str, opacity: Option<usize>) -> Option<()> {
        let color = &self.deflated.get()?.as_ref()?.color;
        let Dictionary { before, after, space } = Dictionary::read(entries)?;
        let opacity = opacity.map(|number| format!("/SMask {number} 0 R")).unwrap_or_default();
        let entries = format!("{before}/ColorSpace{space}/BitsPerComponent 8{after}{opacity}{}", color.entries);
        write_stream(out, number, entries.as_bytes(), &color.data)
    }
}
