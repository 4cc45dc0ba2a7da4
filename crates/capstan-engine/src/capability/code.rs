//! Remembered code as a card.

use capstan_core::card::{CallRoute, Card, Operation};
use capstan_core::code::{Capability, Scope, without_guessed_types};
use capstan_core::{CapabilityId, Route};

/// It counts as a write: what it calls need not stand in it by name. Of its parameters, what is only
/// guessed refuses nothing. In another scope than its own its
/// short name may mean something else, so there it has its full one.
pub(crate) fn code_card(capability: &Capability, seen_from: &Scope) -> Card {
    let (record, pattern) = (&capability.record, &capability.pattern);
    let id = match record.scope == *seen_from {
        true => record.name.as_str(),
        false => record.fqdn.as_str(),
    };
    let call = CallRoute {
        route: Route::Code,
        target: record.fqdn.to_string(),
    };
    Card {
        description: pattern.intent.clone(),
        input_schema: without_guessed_types(&pattern.parameters),
        ..Card::of_call(CapabilityId::given(id), call, Operation::Write)
    }
}
