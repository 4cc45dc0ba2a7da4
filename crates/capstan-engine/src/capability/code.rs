//! Remembered code as a card.

use capstan_core::card::{CallRoute, Card, Operation};
use capstan_core::code::Capability;
use capstan_core::{CapabilityId, Route};

/// `operation` is what it does as far as its calls tell.
pub(crate) fn code_card(capability: &Capability, operation: Operation) -> Card {
    let (record, pattern) = (&capability.record, &capability.pattern);
    let call = CallRoute {
        route: Route::Code,
        target: record.fqdn.to_string(),
    };
    Card {
        description: pattern.intent.clone(),
        input_schema: pattern.parameters.clone(),
        ..Card::of_call(CapabilityId::given(record.name.as_str()), call, operation)
    }
}
