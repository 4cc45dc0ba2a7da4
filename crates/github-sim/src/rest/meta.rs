//! `GET /` and `GET /meta`: information about the API.

use serde_json::json;

use super::present::API;
use super::request::RestRequest;
use super::result::{RestResult, ok};

pub(super) fn root(request: &RestRequest<'_>) -> RestResult {
    let base = &request.base;
    ok(&json!({
        "current_user_url": format!("{base}/user"),
        "issues_url": format!("{base}/issues"),
        "issue_search_url": format!("{base}/search/issues?q={{query}}{{&page,per_page,sort,order}}"),
        "organization_url": format!("{base}/orgs/{{org}}"),
        "rate_limit_url": format!("{base}/rate_limit"),
        "repository_url": format!("{base}/repos/{{owner}}/{{repo}}"),
        "repository_search_url": format!("{base}/search/repositories?q={{query}}{{&page,per_page,sort,order}}"),
        "user_url": format!("{base}/users/{{user}}"),
    }))
}

pub(super) fn meta() -> RestResult {
    ok(&json!({
        "verifiable_password_authentication": false,
        "hooks": ["192.30.252.0/22"],
        "api": ["192.30.252.0/22"],
        "git": ["192.30.252.0/22"],
        "domains": { "website": ["*.github.com"], "actions_inbound": { "full_domains": [API.trim_start_matches("https://")] } },
    }))
}
