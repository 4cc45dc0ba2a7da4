//! Counts as SQL has them: signed, so that the largest are beyond it.

/// More is not counted.
pub(crate) const MOST: u64 = i64::MAX.cast_unsigned();

pub(crate) fn number(count: u64) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

pub(crate) fn count(number: i64) -> u64 {
    u64::try_from(number).unwrap_or(0)
}
