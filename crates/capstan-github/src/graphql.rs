//! The GraphQL route over HTTP.

use std::sync::Arc;
use std::time::Instant;

use capstan_core::port::{Answer, BoxFuture, Failure, Preflight, RouteAdapter};
use capstan_core::{ErrorCode, GraphqlRequest, Route, RouteRequest};
use http::Method;
use serde::Serialize;
use serde_json::{Map, Value};

use crate::client::{HttpClient, Outgoing, OutgoingBody};
use crate::{classify, redact, reply};

/// Sends GraphQL requests over HTTP.
#[derive(Debug)]
pub struct GraphqlAdapter {
    client: Arc<HttpClient>,
}

impl GraphqlAdapter {
    pub fn new(client: Arc<HttpClient>) -> Self {
        Self { client }
    }

    async fn exchange(
        &self,
        request: &GraphqlRequest,
        deadline: Instant,
    ) -> Result<Answer, Failure> {
        let body = Payload {
            query: &request.document,
            operation_name: &request.operation_name,
            variables: &request.variables,
        };
        let body = serde_json::to_vec(&body)
            .map_err(|error| classify::unsendable(ErrorCode::Validation, error.to_string()))?;
        let outgoing = Outgoing {
            may_leave: false,
            method: Method::POST,
            url: self.client.endpoint().graphql_url.clone(),
            body: Some(OutgoingBody::json(body)),
            if_none_match: None,
            accept: None,
        };
        reply::graphql(&self.client.exchange(outgoing, deadline).await?)
    }
}

impl RouteAdapter for GraphqlAdapter {
    fn route(&self) -> Route {
        Route::Graphql
    }

    fn preflight(&self) -> BoxFuture<'_, Preflight> {
        Box::pin(self.client.preflight())
    }

    fn send<'a>(
        &'a self,
        request: &'a RouteRequest,
        deadline: Instant,
    ) -> BoxFuture<'a, Result<Answer, Failure>> {
        Box::pin(async move {
            let result = match request {
                RouteRequest::Graphql(request) => self.exchange(request, deadline).await,
                other => Err(classify::unsendable(
                    ErrorCode::AdapterUnsupported,
                    format!("a {} request cannot go over GraphQL", other.route()),
                )),
            };
            redact::result(&self.client.redactor(), result)
        })
    }
}

#[derive(Serialize)]
struct Payload<'a> {
    query: &'a str,
    #[serde(rename = "operationName", skip_serializing_if = "str::is_empty")]
    operation_name: &'a str,
    variables: &'a Map<String, Value>,
}
