//! Counts as SQL stores them: signed, so the upper half of `u64` does not fit.

/// The largest count that can be stored. Larger counts saturate here.
pub(crate) const MAX_COUNT: u64 = i64::MAX.cast_unsigned();

pub(crate) fn to_sql_integer(count: u64) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

pub(crate) fn from_sql_integer(number: i64) -> u64 {
    u64::try_from(number).unwrap_or(0)
}
