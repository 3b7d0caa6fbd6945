//! A PDF's dictionaries in compressed streams (ISO 32000-1, 7.5.7 and 7.5.8), which krilla leaves as they are: a quarter of a
//! report's bytes, more than half of a tagged one's. And what of its streams was left for here, [compressed](super::deflate).
//! Pictures that krilla was given a stand-in of are put in their place.

use std::io::Write;

use super::deflate::Zlib;
use super::prepare::{Preparation, Ready};
use super::stand_in;

/// A reader that wants one object unpacks all of its stream.
const OBJECTS_A_STREAM: usize = 200;

struct Object<'a> {
    number: usize,
    /// From its number to `endobj`.
    whole: &'a [u8],
    /// What is between `obj` and `endobj`.
    content: &'a [u8],
}

/// Where an object is, as an entry of the cross-reference stream says it.
#[derive(Clone, Copy)]
enum Place {
    Free,
    At(usize),
    /// In the object stream of this number, the how manieth of it.
    In(usize, usize),
}

/// The same objects under the same numbers; `None`: the file is not as krilla writes it, or a picture is not as its head said.
pub(super) fn compact(pdf: &[u8], pictures: &Preparation<'_>) -> Option<Vec<u8>> {
    let table = Table::read(pdf)?;
    let (streams, others): (Vec<Object<'_>>, Vec<Object<'_>>) =
        table.objects(pdf)?.into_iter().partition(|object| object.content.ends_with(b"endstream"));
    let taken_apart: Vec<Option<Parts<'_>>> = streams.iter().map(Parts::of).collect();
    let groups: Vec<ObjectStream> = others.chunks(OBJECTS_A_STREAM).map(ObjectStream::of).collect::<Option<_>>()?;
    let left = taken_apart.iter().flatten().filter(|parts| parts.is_left_to_compress()).map(|parts| parts.data);
    let left: Vec<&[u8]> = left.chain(groups.iter().map(|group| group.data.as_slice())).collect();
    let has_pictures = taken_apart.iter().flatten().any(|parts| stand_in::stands_for(parts.data).is_some());
    // one for all: a second one would hold a quarter of a megabyte that nothing has touched yet
    let longest = left.iter().map(|stream| stream.len()).max().unwrap_or(0);
    let mut zlib = if has_pictures { Zlib::for_pictures() } else { Zlib::new(longest) };
    let mut compressed = zlib.all(&left)?.into_iter();
    pictures.work(&mut zlib);
    let mut places = vec![Place::Free; table.size];
    let mut out = Vec::with_capacity(pdf.len());
    out.extend_from_slice(pdf.get(..*table.offsets.first()?)?);
    for (stream, parts) in streams.iter().zip(&taken_apart) {
        *places.get_mut(stream.number)? = Place::At(out.len());
        let Some(parts) = parts else {
            as_it_is(&mut out, stream);
            continue;
        };
        if parts.is_left_to_compress() {
            write_stream(&mut out, stream.number, &parts.entries(), &compressed.next()?)?;
        } else if let Some(id) = stand_in::stands_for(parts.data) {
            let ready = pictures.done(id, &mut zlib)?;
            if stand_in::of(id, ready.head())? != parts.data {
                return None;
            }
            picture(&mut out, &mut places, stream.number, parts, ready)?;
        } else {
            as_it_is(&mut out, stream);
        }
    }
    for (group, objects) in groups.iter().zip(others.chunks(OBJECTS_A_STREAM)) {
        let number = places.len();
        for (index, object) in objects.iter().enumerate() {
            *places.get_mut(object.number)? = Place::In(number, index);
        }
        places.push(Place::At(out.len()));
        write_stream(&mut out, number, group.entries.as_bytes(), &compressed.next()?)?;
    }
    let start = out.len();
    places.push(Place::At(start));
    cross_references(&mut out, &places, table.trailer, &mut zlib)?;
    write!(out, "startxref\n{start}\n%%EOF").ok()?;
    Some(out)
}

/// The table that ends the file (7.5.4, 7.5.5).
struct Table<'a> {
    /// Of the objects, from the first in the file to the last; then that of the table.
    offsets: Vec<usize>,
    size: usize,
    /// Entries of the trailer without its size.
    trailer: &'a [u8],
}

impl<'a> Table<'a> {
    fn read(pdf: &'a [u8]) -> Option<Self> {
        // older ones know no object streams
        if !pdf.starts_with(b"%PDF-1.7") && !pdf.starts_with(b"%PDF-2") {
            return None;
        }
        let end = pdf.windows(9).rposition(|window| window == b"startxref")?;
        let start = number(pdf.get(end..)?.strip_prefix(b"startxref\n")?)?;
        let table = pdf.get(start..end)?.strip_prefix(b"xref\n0 ")?;
        let size = number(table)?;
        let entries = table.get(table.iter().position(|byte| *byte == b'\n')? + 1..)?;
        let (entries, trailer) = entries.split_at_checked(size.checked_mul(20)?)?;
        let mut offsets: Vec<usize> =
            entries.chunks_exact(20).filter(|entry| entry.get(17) == Some(&b'n')).filter_map(number).collect();
        offsets.sort_unstable();
        offsets.push(start);
        let trailer = trailer.strip_prefix(b"trailer\n<<")?.trim_ascii_end().strip_suffix(b">>")?;
        let rest = trailer.strip_prefix(format!("/Size {size}").as_bytes())?;
        Some(Self { offsets, size, trailer: rest })
    }

    fn objects<'p>(&self, pdf: &'p [u8]) -> Option<Vec<Object<'p>>> {
        let object = |(from, to): (&usize, &usize)| {
            let whole = pdf.get(*from..*to)?.trim_ascii_end();
            let number = number(whole)?;
            let content = whole.strip_prefix(format!("{number} 0 obj").as_bytes())?.strip_suffix(b"endobj")?;
            Some(Object { number, whole, content: content.trim_ascii() })
        };
        self.offsets.iter().zip(self.offsets.get(1..)?).map(object).collect()
    }
}

/// The number that bytes begin with.
fn number(bytes: &[u8]) -> Option<usize> {
    let digits = bytes.iter().take_while(|byte| byte.is_ascii_digit()).count();
    std::str::from_utf8(bytes.get(..digits)?).ok()?.parse().ok()
}

/// A stream, taken apart.
struct Parts<'a> {
    /// Entries of its dictionary before the length.
    before: &'a [u8],
    /// And after it.
    after: &'a [u8],
    data: &'a [u8],
}

impl<'a> Parts<'a> {
    fn of(stream: &Object<'a>) -> Option<Self> {
        const LENGTH: &[u8] = b"/Length ";
        const BEGIN: &[u8] = b">>\nstream\n";
        let begin = position(stream.content, BEGIN)?;
        let dictionary = stream.content.get(..begin)?.strip_prefix(b"<<")?;
        let (before, length) = dictionary.split_at_checked(position(dictionary, LENGTH)?)?;
        let length = length.get(LENGTH.len()..)?;
        let digits = length.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let data = stream.content.get(begin + BEGIN.len()..)?.get(..number(length)?)?;
        Some(Self { before, after: length.get(digits..)?, data })
    }

    /// It is not compressed yet, and need not stay legible, as metadata must (ISO 19005-2, 6.6.2.1).
    fn is_left_to_compress(&self) -> bool {
        let has = |name| [self.before, self.after].iter().any(|entries| position(entries, name).is_some());
        !has(b"/Filter") && !has(b"/Metadata")
    }

    /// Of its dictionary, without the length.
    fn entries(&self) -> Vec<u8> {
        [self.before, self.after].concat()
    }
}

fn position(bytes: &[u8], wanted: &[u8]) -> Option<usize> {
    bytes.windows(wanted.len()).position(|window| window == wanted)
}

/// A stream of objects (7.5.7), not yet compressed.
struct ObjectStream {
    entries: String,
    data: Vec<u8>,
}

impl ObjectStream {
    fn of(objects: &[Object<'_>]) -> Option<Self> {
        let (mut data, mut contents) = (Vec::new(), Vec::new());
        for object in objects {
            write!(data, "{} {} ", object.number, contents.len()).ok()?;
            contents.extend_from_slice(object.content);
            contents.push(b'\n');
        }
        let entries = format!("/Type/ObjStm/N {}/First {}", objects.len(), data.len());
        data.append(&mut contents);
        Some(Self { entries, data })
    }
}

fn cross_references(out: &mut Vec<u8>, places: &[Place], trailer: &[u8], zlib: &mut Zlib) -> Option<()> {
    let number = places.len() - 1;
    // an offset, or the number of an object stream
    let width = [1, 2, 3, 4, 5].into_iter().find(|width| out.len() >> (8 * width) == 0)?;
    let mut table = Vec::with_capacity(places.len() * (width + 2));
    for place in places {
        let (kind, middle, last) = match *place {
            Place::Free => (0, 0, 255),
            Place::At(offset) => (1, offset, 0),
            Place::In(stream, index) => (2, stream, index),
        };
        table.push(kind);
        table.extend_from_slice((middle as u64).to_be_bytes().get(8 - width..)?);
        table.push(u8::try_from(last).ok()?);
    }
    let mut entries = format!("/Type/XRef/Size {}/W[1 {width} 1]", places.len()).into_bytes();
    entries.extend_from_slice(trailer);
    write_stream(out, number, &entries, &zlib.one(&table)?)
}

/// Writes a picture for its stand-in.
fn picture(
    out: &mut Vec<u8>,
    places: &mut Vec<Place>,
    number: usize,
    stand_in: &Parts<'_>,
    picture: &Ready,
) -> Option<()> {
    let entries = stand_in.entries();
    let entries = std::str::from_utf8(&entries).ok()?;
    match picture {
        Ready::Png(png) => png.write(out, number, entries),
        Ready::Pixels(pixels) => {
            let opacity = pixels.has_opacity().then_some(places.len());
            pixels.write(out, number, entries, opacity)?;
            let Some(opacity) = opacity else { return Some(()) };
            places.push(Place::At(out.len()));
            pixels.write_opacity(out, opacity)
        }
    }
}

fn as_it_is(out: &mut Vec<u8>, object: &Object<'_>) {
    out.extend_from_slice(object.whole);
    out.push(b'\n');
}

/// Writes a stream that is compressed.
pub(super) fn write_stream(out: &mut Vec<u8>, number: usize, entries: &[u8], data: &[u8]) -> Option<()> {
    write!(out, "{number} 0 obj\n<<").ok()?;
    out.extend_from_slice(entries);
    write!(out, "/Filter/FlateDecode/Length {}>>\nstream\n", data.len()).ok()?;
    out.extend_from_slice(data);
    out.extend_from_slice(b"\nendstream\nendobj\n");
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_as_expected_stays_as_it_is() {
        for odd in [
            &b""[..],
            b"%PDF-1.7",
            b"%PDF-1.4\nstartxref\n0\n%%EOF",
            b"%PDF-1.7\nxref\n0 9999999999999999999\nstartxref\n9\n%%EOF",
            b"%PDF-1.7\nxref\n0 2\n0000000000 65535 f \n0000000900 00000 n \ntrailer\n<</Size 2>>\nstartxref\n9\n%%EOF",
        ] {
            assert!(compact(odd, &Preparation::default()).is_none());
        }
    }
}
