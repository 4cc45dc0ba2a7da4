//! Calls that follow another.

use crate::CapabilityId;
use crate::expr::{Expr, ValueTemplate};

/// A call that is built from the input (`$input`) and the data (bare paths) of another.
#[derive(Clone, Debug, PartialEq)]
pub struct FollowUp {
    pub capability: CapabilityId,
    pub input: ValueTemplate,
    /// A condition; the call is offered only if it is true.
    pub when: Option<Expr>,
}
