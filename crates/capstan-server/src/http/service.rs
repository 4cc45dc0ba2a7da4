//! The router as a service for one connection. It marks the connection as busy while the router works
//! on a request.

use std::pin::Pin;
use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::extract::Request;
use axum::response::Response;
use hyper::body::Incoming;
use hyper::service::Service;
use hyper_util::service::TowerToHyperService;

use super::connection_limit::Connection;

#[derive(Clone, Debug)]
pub(super) struct ConnectionService {
    router: TowerToHyperService<Router>,
    connection: Arc<Connection>,
}

impl ConnectionService {
    pub(super) fn new(router: Router, connection: Arc<Connection>) -> Self {
        Self {
            router: TowerToHyperService::new(router),
            connection,
        }
    }
}

impl Service<hyper::Request<Incoming>> for ConnectionService {
    type Response = Response;
    type Error = std::convert::Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<Response, Self::Error>> + Send>>;

    fn call(&self, incoming: hyper::Request<Incoming>) -> Self::Future {
        let connection = Arc::clone(&self.connection);
        connection.set_busy();
        let mut request: Request = incoming.map(Body::new);
        request.extensions_mut().insert(Arc::clone(&connection));
        let routed = self.router.call(request);
        Box::pin(async move {
            let response = routed.await;
            connection.set_idle();
            response
        })
    }
}
