//! Exact comparison of numbers, also between `u64` and floats.

use std::cmp::Ordering;

use serde_json::{Number, Value};

/// A JSON number.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Exact {
    Whole(i128),
    /// Not whole, or too large for `Whole`.
    Float(f64),
}

/// Whole floats below this limit fit into an `i128`.
const WHOLE_LIMIT: f64 = 1e37;

impl Exact {
    pub(crate) fn from_number(number: &Number) -> Option<Self> {
        if let Some(whole) = number.as_i64() {
            return Some(Self::Whole(whole.into()));
        }
        if let Some(whole) = number.as_u64() {
            return Some(Self::Whole(whole.into()));
        }
        let float = number.as_f64().filter(|float| float.is_finite())?;
        Some(Self::from_float(float))
    }

    pub(crate) fn from_value(value: &Value) -> Option<Self> {
        match value {
            Value::Number(number) => Self::from_number(number),
            _ => None,
        }
    }

    pub(crate) fn compare(self, other: Self) -> Ordering {
        match (self, other) {
            (Self::Whole(one), Self::Whole(two)) => one.cmp(&two),
            (Self::Float(one), Self::Float(two)) => one.total_cmp(&two),
            (Self::Whole(one), Self::Float(two)) => whole_to_float(one, two),
            (Self::Float(one), Self::Whole(two)) => whole_to_float(two, one).reverse(),
        }
    }

    /// Returns the smallest whole number that is not below this one.
    pub(crate) fn ceil(self) -> Self {
        match self {
            Self::Float(float) => Self::from_float(float.ceil()),
            whole @ Self::Whole(_) => whole,
        }
    }

    /// Returns the largest whole number that is not above this one.
    pub(crate) fn floor(self) -> Self {
        match self {
            Self::Float(float) => Self::from_float(float.floor()),
            whole @ Self::Whole(_) => whole,
        }
    }

    /// Returns the next whole number up (`1`) or down (`-1`); the same number if it is a float.
    pub(crate) fn step(self, by: i128) -> Self {
        match self {
            Self::Whole(whole) => Self::Whole(whole.saturating_add(by)),
            float @ Self::Float(_) => float,
        }
    }

    fn from_float(float: f64) -> Self {
        if float.fract() == 0.0 && float.abs() < WHOLE_LIMIT {
            #[expect(
                clippy::cast_possible_truncation,
                reason = "whole and within the limits of an i128"
            )]
            let whole = float as i128;
            Self::Whole(whole)
        } else {
            Self::Float(float)
        }
    }
}

/// Returns the value of a keyword that counts something, such as `minLength`.
pub(crate) fn count(value: &Value) -> Option<u64> {
    match Exact::from_value(value)? {
        Exact::Whole(whole) => u64::try_from(whole).ok(),
        Exact::Float(_) => None,
    }
}

fn whole_to_float(whole: i128, float: f64) -> Ordering {
    if float.abs() >= WHOLE_LIMIT {
        return if float > 0.0 {
            Ordering::Less
        } else {
            Ordering::Greater
        };
    }
    // Such a small float that is not whole lies strictly between its floor and the next whole number.
    #[expect(
        clippy::cast_possible_truncation,
        reason = "within the limits of an i128"
    )]
    let floor = float.floor() as i128;
    if whole <= floor {
        Ordering::Less
    } else {
        Ordering::Greater
    }
}
