//! Pictures in the values of a request: each one is encoded again before it is used or stored.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use waraq_core::saved::{NamedValues, check_pictures};
use waraq_core::value_pictures::reencode_value;
use waraq_core::{Error, Result};
use waraq_rules::Value;

use super::queue::Cost;
use super::{RenderPermit, too_slow};
use crate::wire::values::{NamedValue, named_values};

impl RenderPermit {
    /// Reads the values of a request. Their pictures are encoded again: upright, smaller and without metadata.
    ///
    /// # Errors
    /// The errors of [`named_values`], [`check_pictures`] and [`reencode_value`], and `document_too_slow` if the pictures
    /// take too long.
    pub async fn values(&self, values: Vec<NamedValue>) -> Result<NamedValues> {
        let values = named_values(values)?;
        let bytes = values.iter().map(|(_, value)| picture_bytes(value)).sum();
        if bytes == 0 {
            return Ok(values);
        }
        check_pictures(&values)?;
        let turn = self.slot.wait_for_turn(Cost::of_pictures(bytes)).await?;
        let waits = StopOnDrop::default();
        let stopped = Arc::clone(&waits.0);
        let task = tokio::task::spawn_blocking(move || {
            let encoded = reencode(values, &stopped);
            drop(turn);
            encoded
        });
        tokio::select! {
            () = tokio::time::sleep(self.timeout) => Err(too_slow()),
            encoded = task => encoded.map_err(|_| Error::internal("encoding a picture panicked"))?,
        }
    }
}

/// Stops the encoding of further pictures when it is dropped: at the end of the request, or when the request is aborted.
#[derive(Default)]
struct StopOnDrop(Arc<AtomicBool>);

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

fn picture_bytes(value: &Value) -> usize {
    match value {
        Value::Text(_) | Value::YesNo(_) => 0,
        Value::List(rows) => rows.iter().flat_map(|row| row.values()).map(picture_bytes).sum(),
        Value::Picture(picture) => picture.bytes.len(),
    }
}

fn reencode(mut values: NamedValues, stopped: &AtomicBool) -> Result<NamedValues> {
    for (name, value) in &mut values {
        reencode_in(value, name, stopped)?;
    }
    // Encoding may make a picture larger.
    check_pictures(&values)?;
    Ok(values)
}

/// Encodes the pictures of a value one by one, until `stopped` is true. `path` is the name of the field, such as
/// `items[3].photo`.
fn reencode_in(value: &mut Value, path: &str, stopped: &AtomicBool) -> Result<()> {
    if stopped.load(Ordering::Relaxed) {
        return Err(too_slow());
    }
    let Value::List(rows) = value else { return reencode_value(value, path) };
    for (at, row) in rows.iter_mut().enumerate() {
        for (column, value) in row {
            reencode_in(value, &format!("{path}[{at}].{column}"), stopped)?;
        }
    }
    Ok(())
}
