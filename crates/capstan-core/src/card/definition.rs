//! The card itself: the contents of its file, and what follows from them.

use indexmap::IndexMap;
use semver::Version;
use serde_json::{Map, Value};

use super::{
    CliRoute, CombinedStep, FollowUp, GraphqlRoute, Kind, LineForm, List, Operation, OtherName,
    RequestKind, RestRoute, Routing,
};
use crate::{CapabilityId, ErrorCode, Route, ServiceName};

#[derive(Clone, Debug, PartialEq)]
pub struct Card {
    pub id: CapabilityId,
    pub version: Version,
    /// The service that its routes call; without one, they call GitHub.
    pub service: Option<ServiceName>,
    /// One line.
    pub description: String,
    pub input_schema: Value,
    pub output_schema: Value,
    pub operation: Operation,
    pub effects: Vec<String>,
    pub routing: Routing,
    pub graphql: Option<GraphqlRoute>,
    /// Why GitHub's GraphQL cannot do this. Every other card of GitHub has a `graphql` route.
    pub no_graphql: Option<String>,
    pub rest: Option<RestRoute>,
    pub cli: Option<CliRoute>,
    /// Set if the input is a request that the caller writes. The operation is then the most that such a request may
    /// do.
    pub request: Option<RequestKind>,
    /// The only route of a capability that is not a GitHub operation.
    pub call: Option<CallRoute>,
    /// The cards that it combines. Such a card has no routes of its own, unless it combines itself.
    pub combine: Vec<CombinedStep>,
    /// Set for cards that answer with a list.
    pub list: Option<List>,
    pub line: LineForm,
    pub names: Vec<OtherName>,
    /// Calls that are likely to follow a success.
    pub next: Vec<FollowUp>,
    /// The call that would repair a failure, by error code.
    pub mend: IndexMap<ErrorCode, FollowUp>,
    /// Phrases in which people ask for it.
    pub intents: Vec<String>,
    pub examples: Vec<Example>,
    pub deprecated: Option<Deprecation>,
}

/// The target of a call, and its route.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallRoute {
    pub route: Route,
    /// `server.tool`, a fully qualified name, or an id.
    pub target: String,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Example {
    pub title: String,
    pub input: Map<String, Value>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deprecation {
    pub since: String,
    pub sunset: Option<String>,
    pub replacement: Option<String>,
}

impl Card {
    /// Returns a card with a single route, which passes on the call and its answer unchanged.
    pub fn of_call(id: CapabilityId, call: CallRoute, operation: Operation) -> Self {
        Self {
            id,
            version: Version::new(1, 0, 0),
            service: None,
            description: String::new(),
            input_schema: Value::Object(Map::new()),
            output_schema: Value::Object(Map::new()),
            operation,
            effects: Vec::new(),
            routing: Routing::default(),
            graphql: None,
            no_graphql: None,
            rest: None,
            cli: None,
            request: None,
            call: Some(call),
            combine: Vec::new(),
            list: None,
            line: LineForm::default(),
            names: Vec::new(),
            next: Vec::new(),
            mend: IndexMap::new(),
            intents: Vec::new(),
            examples: Vec::new(),
            deprecated: None,
        }
    }

    /// Returns the fields that a caller can choose: those of a row, or of the answer if it is not a
    /// list. Empty if the answer is not described.
    pub fn fields(&self) -> Vec<&str> {
        let fields = self.field_schemas().into_iter().flatten();
        fields.map(|(name, _)| name.as_str()).collect()
    }

    /// Returns the schema of such a field.
    pub fn field_schema(&self, name: &str) -> Option<&Value> {
        self.field_schemas()?.get(name)
    }

    fn field_schemas(&self) -> Option<&Map<String, Value>> {
        let schemas = match &self.list {
            Some(list) => {
                let pointer = format!("/properties/{}/items/properties", list.field);
                self.output_schema.pointer(&pointer)
            }
            None => self.output_schema.get("properties"),
        };
        schemas.and_then(Value::as_object)
    }

    /// Returns what people call the other end of its routes.
    pub fn provider(&self) -> &str {
        self.service.as_ref().map_or("GitHub", ServiceName::as_str)
    }

    pub fn kind(&self) -> Kind {
        match self.call.as_ref().map(|call| call.route) {
            Some(Route::Mcp) => Kind::Tool,
            Some(Route::Code) => Kind::Code,
            Some(Route::Skill) => Kind::Skill,
            Some(_) => Kind::System,
            None => Kind::Card,
        }
    }

    /// Returns the calls that help when a lookup finds nothing, each with its JSON pointer in the
    /// card.
    pub fn lookup_mends(&self) -> impl Iterator<Item = (String, &FollowUp)> {
        let graphql = self.graphql.iter().flat_map(|route| &route.resolve);
        let graphql = graphql.map(|(name, lookup)| ("graphql", name, lookup.mend.as_ref()));
        let rest = self.rest.iter().flat_map(|route| &route.resolve);
        let rest = rest.map(|(name, lookup)| ("rest", name, lookup.mend.as_ref()));
        graphql.chain(rest).filter_map(|(route, name, mend)| {
            Some((format!("/{route}/resolve/{name}/mend"), mend?))
        })
    }

    pub fn has_route(&self, route: Route) -> bool {
        if let Some(request) = self.request {
            return route == request.route();
        }
        match route {
            Route::Graphql => self.graphql.is_some(),
            Route::Rest => self.rest.is_some(),
            Route::Cli => self.cli.is_some(),
            Route::Mcp | Route::Code | Route::Skill | Route::Local => {
                self.call.as_ref().is_some_and(|call| call.route == route)
            }
        }
    }

    /// Returns the routes in the order in which they are tried.
    pub fn route_order(&self) -> Vec<Route> {
        if let Some(call) = &self.call {
            return vec![call.route];
        }
        let mut order = Vec::with_capacity(Route::GITHUB.len());
        let stated = self
            .routing
            .preferred
            .into_iter()
            .chain(self.routing.fallbacks.iter().copied());
        let unstated: &[Route] = match self.routing.preferred {
            Some(_) => &[],
            None => &Route::GITHUB,
        };
        for route in stated.chain(unstated.iter().copied()) {
            if self.has_route(route) && !order.contains(&route) {
                order.push(route);
            }
        }
        order
    }

    /// Returns whether results come in pages, requested with `after` and usually with `first`.
    pub fn is_paged(&self) -> bool {
        self.list.is_some() && self.has_input("after")
    }

    /// Returns whether the caller can choose how many rows a page has. Not every service allows that.
    pub fn has_page_size(&self) -> bool {
        self.has_input("first")
    }

    fn has_input(&self, name: &str) -> bool {
        let pointer = format!("/properties/{name}");
        self.input_schema.pointer(&pointer).is_some()
    }
}
