//! The current time for DATE and TIME fields and for the metadata of the PDF.

use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::Offset;

use crate::LayoutOptions;

/// Returns the current time in ISO 8601 format and UTC. Returns `None` if the options have no current time.
pub(super) fn now_as_iso8601(options: &LayoutOptions) -> Option<String> {
    let known = (options.now != 0).then(|| Timestamp::from_second(options.now).ok()).flatten()?;
    Some(known.strftime("%Y-%m-%dT%H:%M:%SZ").to_string())
}

/// Returns the current local time. A time outside the range of jiff (years −9999 to 9999) becomes 1970-01-01.
pub(super) fn local_now(options: &LayoutOptions) -> DateTime {
    offset(options).to_datetime(Timestamp::from_second(options.now).unwrap_or_default())
}

/// Converts a date and time from UTC to local time. A time outside the range of jiff stays in UTC.
pub(super) fn local_time(options: &LayoutOptions, utc: DateTime) -> DateTime {
    Offset::UTC.to_timestamp(utc).map_or(utc, |timestamp| offset(options).to_datetime(timestamp))
}

fn offset(options: &LayoutOptions) -> Offset {
    Offset::from_seconds(options.utc_offset_minutes.saturating_mul(60)).unwrap_or(Offset::UTC)
}
