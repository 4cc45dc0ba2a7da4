//! Fetches a token by OAuth's client credentials grant.

use std::time::{Duration, Instant};

use capstan_core::port::Failure;
use capstan_core::{ErrorCode, ResultError, Secret};
use capstan_http::{ClientOptions, read_body, send};
use http::header::{ACCEPT, CONTENT_TYPE, HeaderMap, HeaderValue};
use serde::Deserialize;
use url::form_urlencoded::{Serializer, byte_serialize};

use super::store::Fetched;
use crate::classify;
use crate::settings::{ClientCredentials, CredentialPlace, Variable};

/// A token is replaced this long before it expires, so that no request carries one that expires on its way.
const MARGIN: Duration = Duration::from_secs(30);

#[derive(Deserialize)]
struct TokenAnswer {
    access_token: String,
    /// In seconds.
    #[serde(default)]
    expires_in: Option<f64>,
}

#[derive(Deserialize)]
struct ErrorAnswer {
    error: String,
    #[serde(default)]
    error_description: Option<String>,
}

/// Sends one request for a token. It goes to the configured address only: no redirect is followed.
pub(super) async fn fetch(
    grant: &ClientCredentials,
    deadline: Instant,
) -> Result<Fetched, Failure> {
    let id = grant.id.required()?;
    let secret = grant.secret.required()?;
    let mut headers = HeaderMap::new();
    headers.insert(ACCEPT, HeaderValue::from_static("application/json"));
    headers.insert(
        CONTENT_TYPE,
        HeaderValue::from_static("application/x-www-form-urlencoded"),
    );
    let mut url = grant.token_url.clone();
    if !grant.in_body {
        CredentialPlace::Basic.add(&basic(id, secret), &mut url, &mut headers)?;
    }
    let host = url.host_str().unwrap_or_default().to_owned();
    let options = ClientOptions {
        gzip: false,
        ..ClientOptions::for_url(&url)
    };
    let client = options
        .build()
        .map_err(|error| classify::no_client(&error.to_string()))?;
    let request = client.post(url).headers(headers);
    let answer = send(request, Some(form(grant, id, secret).into()), deadline).await;
    let response = answer.map_err(|it| {
        // Fetching a token changes nothing, so it may be repeated.
        let failure = classify::transport(it.fault, false, &host);
        failure.map_error(about_token)
    })?;
    let status = response.status();
    let headers = response.headers().clone();
    let body = read_body(response, &headers, deadline).await;
    let body = body.map_err(|error| refused(ErrorCode::Network, &error.to_string()))?;
    if !status.is_success() {
        let code = match status.as_u16() {
            429 => ErrorCode::RateLimit,
            500.. => ErrorCode::Server,
            _ => ErrorCode::Auth,
        };
        let said = serde_json::from_slice::<ErrorAnswer>(&body).ok();
        let said = said.map(|said| match said.error_description {
            Some(description) => format!("{}: {description}", said.error),
            None => said.error,
        });
        let said = said.unwrap_or_else(|| format!("{host} answered HTTP {}", status.as_u16()));
        return Err(refused(code, &said));
    }
    let answer: TokenAnswer = serde_json::from_slice(&body)
        .map_err(|_| refused(ErrorCode::Server, "the answer has no `access_token`"))?;
    Ok(Fetched {
        secret: Secret::new(answer.access_token),
        lasts: answer.expires_in.and_then(lifetime),
    })
}

fn form(grant: &ClientCredentials, id: &Secret, secret: &Secret) -> String {
    let mut form = Serializer::new(String::new());
    form.append_pair("grant_type", "client_credentials");
    if let Some(scope) = &grant.scope {
        form.append_pair("scope", scope);
    }
    if grant.in_body {
        form.append_pair("client_id", id.expose());
        form.append_pair("client_secret", secret.expose());
    }
    form.finish()
}

impl Variable {
    /// Returns the value, or a failure that says which variable is missing.
    pub(super) fn required(&self) -> Result<&Secret, Failure> {
        self.value
            .as_ref()
            .ok_or_else(|| Failure::not_sent(ResultError::new(ErrorCode::Auth, self.missing())))
    }

    pub(crate) fn missing(&self) -> String {
        format!(
            "the environment variable {} is not set: set it, or change `auth` of the service in your configuration",
            self.name
        )
    }
}

/// Returns id and secret as the user name and password of `Basic` (RFC 6749, section 2.3.1).
fn basic(id: &Secret, secret: &Secret) -> Secret {
    let encoded = |part: &Secret| byte_serialize(part.expose().as_bytes()).collect::<String>();
    Secret::new(format!("{}:{}", encoded(id), encoded(secret)))
}

/// Returns how long a token is used.
fn lifetime(expires_in: f64) -> Option<Duration> {
    let whole = Duration::try_from_secs_f64(expires_in).ok()?;
    Some(whole.saturating_sub(MARGIN.min(whole / 4)))
}

fn refused(code: ErrorCode, why: &str) -> Failure {
    let error = ResultError::new(code, why);
    Failure::not_sent(about_token(error))
}

fn about_token(mut error: ResultError) -> ResultError {
    error.message = format!(
        "no token could be fetched (`auth.token_url`): {}",
        error.message
    );
    error
}
