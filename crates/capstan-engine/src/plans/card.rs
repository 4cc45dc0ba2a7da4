//! Represents a skill as a card.

use serde_json::{Value, json};

use capstan_core::card::{CallRoute, Card, Operation};
use capstan_core::{CapabilityId, Route};
use capstan_skill::{OperationClass, Plan};

/// Returns the card of a skill.
pub(crate) fn skill_card(plan: &Plan) -> Card {
    let call = CallRoute {
        route: Route::Skill,
        target: plan.id.to_string(),
    };
    let operation = match plan.contract.operation {
        OperationClass::Write => Operation::Write,
        OperationClass::Transform | OperationClass::Read => Operation::Read,
    };
    let schema = |schema: &Option<std::sync::Arc<Value>>| match schema {
        Some(schema) => (**schema).clone(),
        None => json!({}),
    };
    Card {
        description: plan.description.clone(),
        input_schema: schema(&plan.contract.input),
        output_schema: schema(&plan.contract.output),
        effects: plan.contract.effects.clone(),
        ..Card::of_call(CapabilityId::given(plan.id.as_str()), call, operation)
    }
}
