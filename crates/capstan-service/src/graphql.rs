//! The GraphQL route to a service.

use std::sync::Arc;
use std::time::Instant;

use capstan_core::port::{Answer, BoxFuture, Failure, Preflight, RouteAdapter};
use capstan_core::{ErrorCode, GraphqlRequest, Route, RouteRequest, ServiceName};
use http::{HeaderMap, Method};
use serde::Serialize;
use serde_json::{Map, Value};

use crate::client::{Outgoing, ServiceClient};
use crate::{classify, reply};

/// Sends GraphQL requests to a service.
#[derive(Debug)]
pub struct ServiceGraphql {
    client: Arc<ServiceClient>,
}

/// The body of a GraphQL request.
#[derive(Serialize)]
struct Payload<'a> {
    query: &'a str,
    #[serde(rename = "operationName", skip_serializing_if = "str::is_empty")]
    operation_name: &'a str,
    variables: &'a Map<String, Value>,
}

impl ServiceGraphql {
    pub fn new(client: Arc<ServiceClient>) -> Self {
        Self { client }
    }

    async fn exchange(
        &self,
        request: &GraphqlRequest,
        deadline: Instant,
    ) -> Result<Answer, Failure> {
        let settings = self.client.settings();
        let Some(url) = &settings.graphql_url else {
            let message = format!("the service `{}` has no `graphql_url`", settings.name);
            return Err(classify::unsendable(ErrorCode::AdapterUnsupported, message));
        };
        let body = serde_json::to_vec(&Payload {
            query: &request.document,
            operation_name: &request.operation_name,
            variables: &request.variables,
        });
        let body =
            body.map_err(|error| classify::unsendable(ErrorCode::Validation, error.to_string()))?;
        let outgoing = Outgoing {
            method: Method::POST,
            url: url.clone(),
            body: Some(body.into()),
            content_type: None,
            headers: HeaderMap::new(),
            accept: None,
        };
        let read = |reply: &reply::Reply| reply::graphql(settings, reply);
        let operation = request.operation;
        self.client.call(&outgoing, operation, deadline, read).await
    }
}

impl RouteAdapter for ServiceGraphql {
    fn route(&self) -> Route {
        Route::Graphql
    }

    fn service(&self) -> Option<&ServiceName> {
        Some(self.client.name())
    }

    fn preflight(&self) -> BoxFuture<'_, Preflight> {
        Box::pin(async { self.client.preflight() })
    }

    fn send<'a>(
        &'a self,
        request: &'a RouteRequest,
        deadline: Instant,
    ) -> BoxFuture<'a, Result<Answer, Failure>> {
        Box::pin(async move {
            match request {
                RouteRequest::Graphql(request) => self.exchange(request, deadline).await,
                other => Err(classify::unsendable(
                    ErrorCode::AdapterUnsupported,
                    format!("a {} request cannot go over GraphQL", other.route()),
                )),
            }
        })
    }
}
