//! Rules for inputs that take a name where GitHub wants an id.

use capstan_catalog::outline::NamedId;
use serde::Deserialize;

/// How the id of one kind of objects is found from a name, and which inputs have such ids.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct NameRule {
    pub(crate) because: String,
    /// The names of the inputs.
    pub(crate) inputs: Vec<String>,
    /// The beginning of the paths of the operations, if the rule is not for all.
    pub(crate) below: Option<String>,
    pub(crate) find: NamedId,
}
