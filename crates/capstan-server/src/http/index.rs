//! `/`: lists the resources.

use super::error::ApiError;
use super::query::Query;
use super::response::ApiResponse;

const TEXT: &str = "\
Capstan: capabilities and how they are related.

GET    /api/capabilities                              ?domain= &kind= &limit= &offset=
GET    /api/capabilities/{id}/dependencies            ?direction= &edge_type= &edge_source= &min_confidence= &limit= &offset=
POST   /api/capabilities/{id}/dependencies            {\"to_capability_id\", \"edge_type\", \"edge_source\"}
GET    /api/capabilities/{from}/dependencies/{to}
PATCH  /api/capabilities/{from}/dependencies/{to}     {\"increment_by\"}
DELETE /api/capabilities/{from}/dependencies/{to}
GET    /api/graph/hypergraph                          ?type= &source= &min_confidence= &prefix= &limit= &cursor=
GET    /api/graph/snapshot                            ?type= &source= &min_confidence= &prefix= &limit= &cursor=
GET    /api/graph/path                                ?from= &to=
GET    /api/graph/neighbors                           ?capability= &direction= &depth= &type= &limit=
GET    /api/search                                    ?q= &kind= &domain= &limit= &deps=
GET    /health
";

pub(super) async fn show(query: Query) -> Result<ApiResponse, ApiError> {
    query.finish()?;
    Ok(ApiResponse::text(TEXT))
}
