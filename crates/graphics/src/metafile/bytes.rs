//! Numbers of a record, little end first; `None` past its end.

use kurbo::{Point, Rect, Vec2};

pub(super) fn bytes_at<const N: usize>(data: &[u8], at: usize) -> Option<[u8; N]> {
    data.get(at..at.checked_add(N)?)?.try_into().ok()
}

pub(super) fn u16_at(data: &[u8], at: usize) -> Option<u16> {
    bytes_at(data, at).map(u16::from_le_bytes)
}

pub(super) fn u32_at(data: &[u8], at: usize) -> Option<u32> {
    bytes_at(data, at).map(u32::from_le_bytes)
}

pub(super) fn i32_at(data: &[u8], at: usize) -> Option<i32> {
    bytes_at(data, at).map(i32::from_le_bytes)
}

pub(super) fn f32_at(data: &[u8], at: usize) -> Option<f64> {
    bytes_at(data, at).map(f32::from_le_bytes).filter(|number| number.is_finite()).map(f64::from)
}

/// A long as a coordinate.
pub(super) fn long(data: &[u8], at: usize) -> Option<f64> {
    i32_at(data, at).map(f64::from)
}

/// A short as a coordinate.
pub(super) fn short(data: &[u8], at: usize) -> Option<f64> {
    bytes_at(data, at).map(i16::from_le_bytes).map(f64::from)
}

/// A point of two longs.
pub(super) fn point(data: &[u8], at: usize) -> Option<Point> {
    Some(Point::new(long(data, at)?, long(data, at + 4)?))
}

/// A box by a corner and a size, which is below nothing where it is mirrored.
pub(super) fn sized(Point { x, y }: Point, size: Vec2) -> Rect {
    Rect::new(x, y, x + size.x, y + size.y)
}

/// So many points of two longs or two shorts each.
pub(super) fn points(data: &[u8], at: usize, count: usize, wide: bool) -> Option<Vec<Point>> {
    let size = if wide { 8 } else { 4 };
    let bytes = data.get(at..at.checked_add(count.checked_mul(size)?)?)?;
    let one = |pair: &[u8]| {
        if wide { point(pair, 0) } else { Some(Point::new(short(pair, 0)?, short(pair, 2)?)) }
    };
    bytes.chunks_exact(size).map(one).collect()
}
