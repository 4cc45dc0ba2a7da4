//! Represents remembered code as a card.

use capstan_core::card::{CallRoute, Card, Operation};
use capstan_core::code::{Capability, Scope, without_guessed_types};
use capstan_core::{CapabilityId, Route};

/// Returns the card of remembered code. It counts as a write, because the calls in the code need not be visible in
/// its text. Guessed types of parameters are left out, so that they refuse no input. Seen from another scope, the
/// card has the full name, because the short name may mean something else there.
pub(crate) fn code_card(capability: &Capability, seen_from: &Scope) -> Card {
    let (record, pattern) = (&capability.record, &capability.pattern);
    let id = if record.scope == *seen_from {
        record.name.as_str()
    } else {
        record.fqdn.as_str()
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
