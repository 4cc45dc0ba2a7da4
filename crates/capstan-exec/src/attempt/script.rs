//! The part of a card for one route: lookups first, then the operation.

use serde_json::{Map, Value};

use capstan_core::card::{
    ApiKind, CallRoute, Card, CliCommand, CliRoute, FollowUp, GraphqlLookup, GraphqlRoute,
    HttpLookup, Operation, Output, RawInput, Refusal, RestCall, RestRoute, SealedInput, Settled,
};
use capstan_core::expr::{Expr, Path, Scope, Template};
use capstan_core::{CallRequest, ResultError, Route, RouteRequest};

use crate::pagination;
use crate::render::{self, Transport};

#[derive(Clone, Copy, Debug)]
pub(crate) enum RouteScript<'a> {
    Graphql(&'a GraphqlRoute, Transport),
    Rest(&'a RestRoute, Transport),
    Command(&'a CliCommand),
    /// Input and answer are passed through unchanged.
    Call(&'a CallRoute, Operation),
}

/// A read before the operation.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Lookup<'a> {
    Graphql(&'a GraphqlLookup, Transport),
    Http(&'a HttpLookup, Transport),
}

impl<'a> RouteScript<'a> {
    /// Returns the card's script for a route, if it has one.
    pub(crate) fn of(card: &'a Card, route: Route) -> Option<Self> {
        let graphql = |transport| {
            card.graphql
                .as_ref()
                .map(|route| RouteScript::Graphql(route, transport))
        };
        let rest = |transport| {
            card.rest
                .as_ref()
                .map(|route| RouteScript::Rest(route, transport))
        };
        match route {
            Route::Graphql => graphql(Transport::Http),
            Route::Rest => rest(Transport::Http),
            Route::Cli => match card.cli.as_ref()? {
                CliRoute::Api(ApiKind::Graphql) => graphql(Transport::Gh),
                CliRoute::Api(ApiKind::Rest) => rest(Transport::Gh),
                CliRoute::Command(command) => Some(RouteScript::Command(command)),
            },
            Route::Mcp | Route::Code | Route::Skill | Route::Local => {
                let call = card.call.as_ref().filter(|call| call.route == route)?;
                Some(RouteScript::Call(call, card.operation))
            }
        }
    }

    pub(crate) fn lookups(self) -> Vec<(&'a str, Lookup<'a>)> {
        match self {
            RouteScript::Graphql(route, transport) => route
                .resolve
                .iter()
                .map(|(name, lookup)| (name.as_str(), Lookup::Graphql(lookup, transport)))
                .collect(),
            RouteScript::Rest(route, transport) => route
                .resolve
                .iter()
                .map(|(name, lookup)| (name.as_str(), Lookup::Http(lookup, transport)))
                .collect(),
            RouteScript::Command(_) | RouteScript::Call(..) => Vec::new(),
        }
    }

    pub(crate) fn unchanged(self) -> Option<&'a Settled> {
        match self {
            RouteScript::Graphql(route, _) => route.unchanged.as_ref(),
            RouteScript::Rest(route, _) => route.unchanged.as_ref(),
            RouteScript::Command(_) | RouteScript::Call(..) => None,
        }
    }

    /// Returns the rules by which lookups forbid the operation.
    pub(crate) fn refusal(self) -> Option<&'a Refusal> {
        match self {
            RouteScript::Graphql(route, _) => route.refuse.as_ref(),
            RouteScript::Rest(route, _) => route.refuse.as_ref(),
            RouteScript::Command(_) | RouteScript::Call(..) => None,
        }
    }

    /// Returns how a read shows that the operation was applied although its answer was lost.
    pub(crate) fn verify(self) -> Option<&'a Settled> {
        match self {
            RouteScript::Graphql(route, _) => route.verify.as_ref(),
            RouteScript::Rest(route, _) => route.verify.as_ref(),
            RouteScript::Command(_) | RouteScript::Call(..) => None,
        }
    }

    /// Returns the secrets that are sealed before the operation is sent.
    pub(crate) fn sealed(self) -> impl Iterator<Item = (&'a str, &'a SealedInput)> {
        let sealed = match self {
            RouteScript::Rest(route, _) => Some(&route.seal),
            RouteScript::Graphql(..) | RouteScript::Command(_) | RouteScript::Call(..) => None,
        };
        let all = sealed.into_iter().flatten();
        all.map(|(name, sealed)| (name.as_str(), sealed))
    }

    /// Returns the mapping from answer to output; `None` if the answer is the output.
    pub(crate) fn output(self) -> Option<&'a Output> {
        match self {
            RouteScript::Graphql(route, _) => Some(&route.output),
            RouteScript::Rest(route, _) => Some(&route.output),
            RouteScript::Command(command) => Some(&command.output),
            RouteScript::Call(..) => None,
        }
    }

    /// Renders the request of the operation.
    pub(crate) fn request(
        self,
        input: &Value,
        variables: &Map<String, Value>,
    ) -> Result<RouteRequest, ResultError> {
        let scope = Scope::new(input, variables);
        match self {
            RouteScript::Graphql(route, transport) => Ok(render::graphql(
                &route.document,
                &route.variables,
                &scope,
                transport,
            )),
            RouteScript::Rest(route, transport) => {
                let next = pagination::linked_parameters(variables);
                render::rest(&route.call, &scope, &next, transport)
            }
            RouteScript::Command(command) => render::command(command, &scope, input, variables),
            RouteScript::Call(call, operation) => Ok(call_request(call, operation, input)),
        }
    }

    /// Returns the expressions in the operation's request.
    pub(crate) fn expressions(self) -> Vec<&'a Expr> {
        match self {
            RouteScript::Graphql(route, _) => route.variables.values().collect(),
            RouteScript::Rest(route, _) => {
                let keys = route.seal.values().map(|sealed| &sealed.key);
                call_expressions(&route.call)
                    .into_iter()
                    .chain(keys)
                    .collect()
            }
            RouteScript::Command(_) | RouteScript::Call(..) => Vec::new(),
        }
    }
}

impl<'a> Lookup<'a> {
    pub(crate) fn request(
        self,
        input: &Value,
        variables: &Map<String, Value>,
    ) -> Result<RouteRequest, ResultError> {
        let scope = Scope::new(input, variables);
        match self {
            Lookup::Graphql(lookup, transport) => Ok(render::graphql(
                &lookup.document,
                &lookup.variables,
                &scope,
                transport,
            )),
            Lookup::Http(lookup, transport) => render::rest(&lookup.call, &scope, &[], transport),
        }
    }

    pub(crate) fn root(self) -> Option<&'a Path> {
        match self {
            Lookup::Graphql(lookup, _) => Some(&lookup.root),
            Lookup::Http(lookup, _) => lookup.root.as_ref(),
        }
    }

    pub(crate) fn each(self) -> Option<&'a Expr> {
        match self {
            Lookup::Graphql(lookup, _) => lookup.each.as_ref(),
            Lookup::Http(lookup, _) => lookup.each.as_ref(),
        }
    }

    pub(crate) fn require(self) -> Option<&'a Expr> {
        match self {
            Lookup::Graphql(..) => None,
            Lookup::Http(lookup, _) => lookup.require.as_ref(),
        }
    }

    /// Returns the expression that selects a part of the root.
    pub(crate) fn pick(self) -> Option<&'a Expr> {
        match self {
            Lookup::Graphql(lookup, _) => lookup.pick.as_ref(),
            Lookup::Http(lookup, _) => lookup.pick.as_ref(),
        }
    }

    /// Returns the condition under which GitHub is still computing the root.
    pub(crate) fn again(self) -> Option<&'a Expr> {
        match self {
            Lookup::Graphql(lookup, _) => lookup.again.as_ref(),
            Lookup::Http(..) => None,
        }
    }

    /// Returns the call that helps if the lookup finds nothing.
    pub(crate) fn mend(self) -> Option<&'a FollowUp> {
        match self {
            Lookup::Graphql(lookup, _) => lookup.mend.as_ref(),
            Lookup::Http(lookup, _) => lookup.mend.as_ref(),
        }
    }

    /// Whether the operation can run without it.
    pub(crate) fn is_optional(self) -> bool {
        matches!(self, Lookup::Graphql(lookup, _) if lookup.optional)
    }

    pub(crate) fn missing(self) -> Option<&'a Template> {
        match self {
            Lookup::Graphql(lookup, _) => lookup.missing.as_ref(),
            Lookup::Http(lookup, _) => lookup.missing.as_ref(),
        }
    }

    /// Returns the expressions in its request.
    pub(crate) fn expressions(self) -> Vec<&'a Expr> {
        let mut expressions: Vec<_> = match self {
            Lookup::Graphql(lookup, _) => lookup.variables.values().collect(),
            Lookup::Http(lookup, _) => call_expressions(&lookup.call),
        };
        expressions.extend(self.each());
        expressions.extend(self.pick());
        expressions
    }

    pub(crate) fn cacheable(self) -> bool {
        matches!(self, Lookup::Graphql(lookup, _) if lookup.cache)
    }
}

fn call_request(call: &CallRoute, operation: Operation, input: &Value) -> RouteRequest {
    let request = CallRequest {
        target: call.target.clone(),
        input: input.as_object().cloned().unwrap_or_default(),
        operation,
    };
    match call.route {
        Route::Mcp => RouteRequest::Mcp(request),
        Route::Code => RouteRequest::Code(request),
        Route::Skill => RouteRequest::Skill(request),
        _ => RouteRequest::Local(request),
    }
}

fn call_expressions(call: &RestCall) -> Vec<&Expr> {
    let query = call.query.values().flatten();
    let query = query.flat_map(Template::expressions);
    let body = call.body.iter().flat_map(|body| body.expressions());
    let raw = call.raw.iter().flat_map(RawInput::expressions);
    let all = call.path.expressions().chain(query).chain(body).chain(raw);
    all.chain(call.service.expressions()).collect()
}
