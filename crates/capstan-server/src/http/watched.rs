//! The router as one connection has it: while it makes an answer, nobody else gets the connection's
//! place.

use std::pin::Pin;
use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::extract::Request;
use axum::response::Response;
use hyper::body::Incoming;
use hyper::service::Service;
use hyper_util::service::TowerToHyperService;

use super::crowd::Guest;

#[derive(Clone, Debug)]
pub(super) struct Watched {
    router: TowerToHyperService<Router>,
    guest: Arc<Guest>,
}

impl Watched {
    pub(super) fn new(router: Router, guest: Arc<Guest>) -> Self {
        Self {
            router: TowerToHyperService::new(router),
            guest,
        }
    }
}

impl Service<hyper::Request<Incoming>> for Watched {
    type Response = Response;
    type Error = std::convert::Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<Response, Self::Error>> + Send>>;

    fn call(&self, request: hyper::Request<Incoming>) -> Self::Future {
        let guest = Arc::clone(&self.guest);
        guest.set_working();
        let mut request: Request = request.map(Body::new);
        request.extensions_mut().insert(Arc::clone(&guest));
        let answer = self.router.call(request);
        Box::pin(async move {
            let answer = answer.await;
            guest.set_waiting();
            answer
        })
    }
}
