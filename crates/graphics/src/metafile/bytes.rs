//! Reads little-endian numbers of a record. The functions return `None` beyond the end of the record.

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

/// Returns the 32-bit integer at the offset `at` as a coordinate.
pub(super) fn i32_coordinate(data: &[u8], at: usize) -> Option<f64> {
    i32_at(data, at).map(f64::from)
}

/// Returns the 16-bit integer at the offset `at` as a coordinate.
pub(super) fn i16_coordinate(data: &[u8], at: usize) -> Option<f64> {
    bytes_at(data, at).map(i16::from_le_bytes).map(f64::from)
}

/// Returns the point at the offset `at`, which is stored as two 32-bit integers.
pub(super) fn point(data: &[u8], at: usize) -> Option<Point> {
    Some(Point::new(i32_coordinate(data, at)?, i32_coordinate(data, at + 4)?))
}

/// Returns a box from a corner and a size. A negative width or height mirrors the content of the box.
pub(super) fn rect_from_size(Point { x, y }: Point, size: Vec2) -> Rect {
    Rect::new(x, y, x + size.x, y + size.y)
}

/// Returns `count` points from the offset `at` on. Each of them is stored as two 32-bit integers if `wide` is true,
/// else as two 16-bit integers.
pub(super) fn points(data: &[u8], at: usize, count: usize, wide: bool) -> Option<Vec<Point>> {
    let size = if wide { 8 } else { 4 };
    let bytes = data.get(at..at.checked_add(count.checked_mul(size)?)?)?;
    let one = |pair: &[u8]| {
        if wide { point(pair, 0) } else { Some(Point::new(i16_coordinate(pair, 0)?, i16_coordinate(pair, 2)?)) }
    };
    bytes.chunks_exact(size).map(one).collect()
}
