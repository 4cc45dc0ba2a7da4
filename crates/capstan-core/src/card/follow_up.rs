//! Calls that follow another.

use crate::CapabilityId;
use crate::expr::{Expr, ValueTemplate};

/// A call made from the input (`$input`) and the data (bare paths) of another.
#[derive(Clone, Debug, PartialEq)]
pub struct FollowUp {
    pub capability: CapabilityId,
    pub input: ValueTemplate,
    /// Offered only when this holds.
    pub when: Option<Expr>,
}
