//! A card: one GitHub operation as data, checked and ready to run. Tools, code and Capstan's own
//! actions run as cards too, with a single route and nothing to map.
//!
//! Cards are written in YAML, and the catalogue reads them. Here every expression is parsed, every
//! name is resolved, and nothing needs to be checked again.

mod definition;
mod follow_up;
mod kind;
mod output;
mod request_kind;
mod routes;
mod routing;
mod schema_reference;
mod secret_inputs;
mod service_parts;
mod wording;

pub use definition::{CallRoute, Card, Deprecation, Example};
pub use follow_up::FollowUp;
pub use kind::{Kind, Operation};
pub use output::{FieldMapping, Output, Warning};
pub use request_kind::RequestKind;
pub use routes::{
    ApiKind, CliArg, CliCommand, CliRoute, FileParts, GraphqlDocument, GraphqlLookup,
    GraphqlPagination, GraphqlRoute, HttpLookup, HttpPagination, PageStyle, RawInput, Refusal,
    RefusalRule, RestCall, RestRoute, SealedInput, Settled,
};
pub use routing::{Routing, SuitabilityRule, When};
pub use schema_reference::resolve_reference;
pub use secret_inputs::{is_secret, without_secrets};
pub use service_parts::{ListParameter, ListStyle, ServiceParts};
pub use wording::{CombinedStep, FlagMeaning, LineForm, List, OtherName};
