//! Collects everything that code can call.

use std::sync::Arc;

use futures_util::future::join_all;

use capstan_core::ResultError;
use capstan_core::card::Card;
use capstan_core::code::Capability;
use capstan_core::port::CodeFilter;

use super::{Declarations, signature};
use crate::capability::{code_card, tool_card};
use crate::plans::skill_card;
use crate::resolver::Resolver;

/// Returns declarations of everything that can be called now, and warnings about what was left out.
pub(crate) async fn declare_everything(resolver: &Resolver) -> (Declarations, Vec<String>) {
    let mut all = Declarations::default();
    let mut warnings = Vec::new();
    for listed in resolver.shared.catalog.iter() {
        match resolver.shared.catalog.get(listed.id) {
            Ok(card) => all.add(&card),
            Err(error) => warnings.push(format!("left out: {error}")),
        }
    }
    let own = (resolver.shared.own_cards.all)()
        .iter()
        .filter(|card| !resolver.shared.catalog.contains(card.id.as_str()));
    own.for_each(|card| all.add(card));
    declare_tools(resolver, &mut all, &mut warnings).await;
    declare_skills(resolver, &mut all, &mut warnings).await;
    if let Some(store) = resolver.shared.store() {
        match store
            .list(resolver.shared.viewer(), &CodeFilter::default())
            .await
        {
            Ok(known) => known
                .iter()
                .for_each(|code| all.add(&declared_code(resolver, code))),
            Err(error) => warnings.push(format!("left out, remembered code: {error}")),
        }
    }
    (all, warnings)
}

/// Returns the TypeScript signature of a capability of any kind.
pub(crate) async fn signature_of(
    resolver: &Resolver,
    capability: &str,
) -> Result<String, ResultError> {
    let deadline = resolver.shared.clock.now() + resolver.shared.settings.run_timeout;
    let found = resolver.find(capability, deadline).await?;
    let card = match found.implementation.code() {
        Some(code) => Arc::new(declared_code(resolver, code)),
        None => found.card,
    };
    Ok(signature(&card))
}

/// Returns code as a card with its inferred parameter types, which are more useful to a reader than none.
fn declared_code(resolver: &Resolver, code: &Capability) -> Card {
    Card {
        input_schema: code.pattern.parameters.clone(),
        ..code_card(code, &resolver.shared.viewer().scope)
    }
}

async fn declare_tools(resolver: &Resolver, all: &mut Declarations, warnings: &mut Vec<String>) {
    let deadline = resolver.shared.clock.now() + resolver.shared.settings.run_timeout;
    let listed = resolver
        .shared
        .servers()
        .into_iter()
        .map(|server| async move {
            let tools = resolver.shared.tools_of(&server, deadline).await;
            (server, tools)
        });
    for (server, tools) in join_all(listed).await {
        match tools {
            Ok(tools) => tools
                .iter()
                .for_each(|tool| all.add(&tool_card(&server, tool))),
            Err(error) => {
                warnings.push(format!(
                    "left out, the tools of `{server}`: {}",
                    error.message
                ));
            }
        }
    }
}

async fn declare_skills(resolver: &Resolver, all: &mut Declarations, warnings: &mut Vec<String>) {
    let Some(library) = resolver.directory.library() else {
        return;
    };
    for id in library.ids() {
        match resolver.plans.plan(id).await {
            Some(Ok(plan)) => all.add(&skill_card(&plan)),
            Some(Err(error)) => {
                warnings.push(format!("left out, the skill `{id}`: {}", error.message));
            }
            None => {}
        }
    }
}
