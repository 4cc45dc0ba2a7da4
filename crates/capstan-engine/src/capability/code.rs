//! Remembered code as a card.

use capstan_core::card::{CallRoute, Card, Operation};
use capstan_core::code::Capability;
use capstan_core::{CapabilityId, Route};

/// It counts as a write: what it calls need not stand in it by name.
pub(crate) fn code_card(capability: &Capability) -> Card {
    let (record, pattern) = (&capability.record, &capability.pattern);
    let call = CallRoute {
        route: Route::Code,
        target: record.fqdn.to_string(),
    };
    Card {
        description: pattern.intent.clone(),
        input_schema: pattern.parameters.clone(),
        ..Card::of_call(
            CapabilityId::given(record.name.as_str()),
            call,
            Operation::Write,
        )
    }
}
