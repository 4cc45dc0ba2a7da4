//! Wires the services beside GitHub. Nothing is read, run or connected before the first call of a service.

use std::sync::Arc;

use capstan_core::Redactor;
use capstan_core::port::{Clock, RouteAdapter};
use capstan_service::{ServiceClient, ServiceGraphql, ServiceRest, ServiceSettings};

/// Returns the routes to all services.
pub(super) fn adapters(
    services: &[ServiceSettings],
    clock: &Arc<dyn Clock>,
    redactor: &Redactor,
) -> Vec<Arc<dyn RouteAdapter>> {
    let mut adapters: Vec<Arc<dyn RouteAdapter>> = Vec::new();
    for settings in services {
        let client = ServiceClient::new(settings.clone(), Arc::clone(clock), redactor.clone());
        let client = Arc::new(client);
        if settings.graphql_url.is_some() {
            adapters.push(Arc::new(ServiceGraphql::new(Arc::clone(&client))));
        }
        if settings.base_url.is_some() {
            adapters.push(Arc::new(ServiceRest::new(client)));
        }
    }
    adapters
}
