//! Chooses the routes to try, in order, with the reasons against the others. Pure: the same card, input and environment
//! always give the same plan.

use serde_json::{Map, Value, json};

use capstan_core::card::{ApiKind, Card, CliRoute, When};
use capstan_core::expr::Scope;
use capstan_core::port::Preflight;
use capstan_core::{Options, Route, RouteReason, ServiceName};

use crate::pagination::{Cursor, Page};

/// What is known before anything is sent.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Environment {
    pub host: String,
    /// Routes that the configuration allows.
    pub allowed: Vec<Route>,
    pub preflight: Vec<CheckedRoute>,
}

/// A route that was asked whether it is ready.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct CheckedRoute {
    /// `None` for GitHub.
    pub service: Option<ServiceName>,
    pub route: Route,
    pub preflight: Preflight,
}

impl Environment {
    fn preflight(&self, card: &Card, route: Route) -> Option<&Preflight> {
        let mut known = self.preflight.iter();
        let known = known.find(|known| known.route == route && known.service == card.service);
        known.map(|known| &known.preflight)
    }

    fn needs_login(&self, card: &Card, route: Route) -> bool {
        matches!(self.preflight(card, route), Some(Preflight::NotReady(_)))
    }
}

/// A route of the card, and the reason if it is not tried.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Candidate {
    pub route: Route,
    pub skipped: Option<(RouteReason, String)>,
    /// It is skipped because nobody is logged in.
    pub needs_login: bool,
}

/// Returns the card's routes in the order in which they are tried.
pub(crate) fn plan(
    card: &Card,
    input: &Value,
    options: &Options,
    env: &Environment,
) -> Vec<Candidate> {
    card.route_order()
        .into_iter()
        .chain(options.route.filter(|route| card.has_route(*route)))
        .fold(Vec::new(), |mut candidates: Vec<Candidate>, route| {
            if candidates.iter().all(|candidate| candidate.route != route) {
                let skipped = obstacle(card, route, input, options, env);
                let is_preflight =
                    |(reason, _): &(RouteReason, String)| *reason == RouteReason::PreflightFailed;
                candidates.push(Candidate {
                    route,
                    needs_login: skipped.as_ref().is_some_and(is_preflight)
                        && env.needs_login(card, route),
                    skipped,
                });
            }
            candidates
        })
}

fn obstacle(
    card: &Card,
    route: Route,
    input: &Value,
    options: &Options,
    env: &Environment,
) -> Option<(RouteReason, String)> {
    if let Some(forced) = options.route.filter(|forced| *forced != route) {
        return Some((
            RouteReason::EnvConstraint,
            format!("the caller asked for {forced}"),
        ));
    }
    if !route.is_of_cards() {
        return None;
    }
    if !env.allowed.contains(&route) {
        return Some((
            RouteReason::EnvConstraint,
            format!("{route} is switched off in the configuration"),
        ));
    }
    if let Some(limit) = limit(card, route, input) {
        return Some((RouteReason::CapabilityLimit, limit));
    }
    if let Some(unsuitable) = unsuitable(card, route, input, env) {
        return Some(unsuitable);
    }
    match env.preflight(card, route) {
        Some(Preflight::Ready) => None,
        Some(Preflight::NotReady(why) | Preflight::Unavailable(why)) => {
            Some((RouteReason::PreflightFailed, why.clone()))
        }
        None => Some((RouteReason::EnvConstraint, not_available(card, route))),
    }
}

fn not_available(card: &Card, route: Route) -> String {
    let Some(service) = &card.service else {
        return format!("{route} is not available here");
    };
    let key = match route {
        Route::Graphql => "graphql_url",
        _ => "base_url",
    };
    format!(
        "the service `{service}` is not configured for this route: set `{key}` in `[services.{service}]` of your own \
         configuration"
    )
}

/// Returns what the route cannot do for this input.
fn limit(card: &Card, route: Route, input: &Value) -> Option<String> {
    if !card.is_paged() {
        return None;
    }
    let page = Page::of(input);
    let speaks = match (route, &card.cli) {
        (Route::Cli, Some(CliRoute::Api(ApiKind::Graphql))) => Route::Graphql,
        (Route::Cli, Some(CliRoute::Api(ApiKind::Rest))) => Route::Rest,
        (route, _) => route,
    };
    match (speaks, Cursor::of(input)) {
        (Route::Graphql, Cursor::Counted(_) | Cursor::Linked(_)) => {
            return Some(
                "`after` is the cursor of a REST page; GraphQL cannot continue from it".to_owned(),
            );
        }
        (Route::Rest | Route::Cli, Cursor::Opaque) => {
            return Some(format!(
                "`after` is a GraphQL cursor; {route} cannot continue from it"
            ));
        }
        (Route::Cli, Cursor::Counted(_) | Cursor::Linked(_)) => {
            return Some("gh commands cannot skip pages".to_owned());
        }
        _ => {}
    }
    let most = match route {
        Route::Graphql => card
            .graphql
            .as_ref()
            .and_then(|graphql| graphql.max_page_size),
        Route::Cli => match &card.cli {
            Some(CliRoute::Command(command)) => command.max_items,
            _ => None,
        },
        Route::Rest | Route::Mcp | Route::Code | Route::Skill | Route::Local => None,
    };
    most.filter(|most| page.size > *most)
        .map(|most| format!("{route} gives at most {most} at a time"))
}

fn unsuitable(
    card: &Card,
    route: Route,
    input: &Value,
    env: &Environment,
) -> Option<(RouteReason, String)> {
    let rules = card
        .routing
        .suitability
        .iter()
        .filter(|rule| rule.route == route);
    let mut variables = None;
    for rule in rules {
        let variables = variables.get_or_insert_with(|| rule_variables(card, input, env));
        if !rule.predicate.holds(&Scope::new(input, variables)) {
            let reason = match rule.when {
                When::Env => RouteReason::EnvConstraint,
                When::Params | When::Always => RouteReason::CapabilityLimit,
            };
            return Some((reason, rule.reason.clone()));
        }
    }
    None
}

fn rule_variables(card: &Card, input: &Value, env: &Environment) -> Map<String, Value> {
    let ready = |route: Route| env.preflight(card, route) == Some(&Preflight::Ready);
    let mut variables = Map::new();
    variables.insert("input".to_owned(), input.clone());
    let host = card.service.is_none().then_some(&env.host);
    let env = json!({"token": ready(Route::Graphql), "gh": ready(Route::Cli), "host": host});
    variables.insert("env".to_owned(), env);
    variables
}
