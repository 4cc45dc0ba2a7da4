//! One result alone.

use capstan_core::ResultEnvelope;

use crate::result::tell;
use crate::told::Told;
use crate::viewed::Viewed;

/// One result alone.
pub fn one(envelope: &ResultEnvelope, viewed: &Viewed<'_>) -> String {
    tell(&Told::from(envelope), viewed)
}
