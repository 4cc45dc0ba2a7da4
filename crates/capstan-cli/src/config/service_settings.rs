//! Checks what the configuration says about a service.

use std::fmt::Display;

use capstan_core::expr::Expr;
use capstan_core::{Secret, ServiceName};
use capstan_http::parse_base_url;
use capstan_service::{
    ClientCredentials, CredentialPlace, CredentialSource, ErrorShape, Paging, ServiceSettings,
    Variable,
};
use http::header::{
    AUTHORIZATION, CONTENT_LENGTH, CONTENT_TYPE, COOKIE, HOST, PROXY_AUTHORIZATION,
};
use http::{HeaderMap, HeaderName, HeaderValue};
use url::Url;

use super::services::{AuthConfig, ClientAuth, PagingConfig, PagingStyle, ServiceConfig};
use crate::environment::TOKEN_VARIABLES;

/// What is wrong, and where below `services.NAME`.
pub(super) struct Problem {
    pub(super) key: String,
    pub(super) why: String,
}

impl Problem {
    fn new(key: &str, why: impl Display) -> Self {
        Self {
            key: format!(".{key}"),
            why: why.to_string(),
        }
    }
}

/// Headers that Capstan sets itself, or that have secrets.
const OWN_HEADERS: [HeaderName; 6] = [
    AUTHORIZATION,
    PROXY_AUTHORIZATION,
    COOKIE,
    HOST,
    CONTENT_LENGTH,
    CONTENT_TYPE,
];

pub(super) fn build(
    name: ServiceName,
    config: &ServiceConfig,
    variable: &dyn Fn(&str) -> Option<String>,
) -> Result<ServiceSettings, Problem> {
    let base_url = url("base_url", config.base_url.as_deref())?;
    let graphql_url = url("graphql_url", config.graphql_url.as_deref())?;
    match (&base_url, &graphql_url) {
        (None, None) => {
            let why = "is missing: give the address of the REST API, or `graphql_url`";
            return Err(Problem::new("base_url", why));
        }
        (Some(base), Some(graphql)) if base.origin() != graphql.origin() => {
            let why = format!(
                "is on another host than `base_url`, and the secret goes to one host only: expected an address at {}, \
                 or a service of its own",
                base.origin().ascii_serialization()
            );
            return Err(Problem::new("graphql_url", why));
        }
        _ => {}
    }
    let place = place(&config.auth)?;
    let headers = headers(config, &place)?;
    let credential = credential(&config.auth, &place, variable)?;
    let expr = |key: &str, text: &Option<String>| optional_expr(&format!("errors.{key}"), text);
    Ok(ServiceSettings {
        name,
        base_url,
        graphql_url,
        headers,
        credential,
        place,
        paging: paging(&config.paging)?,
        errors: ErrorShape {
            message: expr("message", &config.errors.message)?,
            code: expr("code", &config.errors.code)?,
            when: expr("when", &config.errors.when)?,
        },
    })
}

fn url(key: &str, text: Option<&str>) -> Result<Option<Url>, Problem> {
    let parsed = text.map(|text| parse_base_url(text.trim())).transpose();
    parsed.map_err(|error| Problem::new(key, error))
}

fn headers(config: &ServiceConfig, place: &CredentialPlace) -> Result<HeaderMap, Problem> {
    let mut headers = HeaderMap::new();
    for (name, value) in &config.headers {
        let key = format!("headers.{name}");
        let parsed = HeaderName::from_bytes(name.as_bytes())
            .map_err(|_| Problem::new(&key, "is not the name of a header"))?;
        let is_secret = matches!(place, CredentialPlace::Header { name, .. } if *name == parsed);
        if OWN_HEADERS.contains(&parsed) || is_secret {
            let why = "is set by Capstan: put secrets into `auth`, where they are kept out of all outputs";
            return Err(Problem::new(&key, why));
        }
        let value = HeaderValue::from_str(value)
            .map_err(|_| Problem::new(&key, "has characters that no header can have"))?;
        headers.insert(parsed, value);
    }
    Ok(headers)
}

/// Returns where requests carry the secret.
fn place(auth: &AuthConfig) -> Result<CredentialPlace, Problem> {
    if let Some(query) = &auth.query {
        if auth.header.is_some() || auth.scheme.is_some() {
            let why =
                "excludes `header` and `scheme`: the secret is either in the query or in a header";
            return Err(Problem::new("auth.query", why));
        }
        return Ok(CredentialPlace::Query(query.clone()));
    }
    let name = match &auth.header {
        Some(header) => HeaderName::from_bytes(header.as_bytes())
            .map_err(|_| Problem::new("auth.header", "is not the name of a header"))?,
        None => AUTHORIZATION,
    };
    let is_usual = name == AUTHORIZATION;
    let scheme = match auth.scheme.as_deref().map(str::trim) {
        None => is_usual.then(|| "Bearer".to_owned()),
        Some("") => None,
        Some(scheme) if scheme.eq_ignore_ascii_case("basic") && is_usual => {
            return Ok(CredentialPlace::Basic);
        }
        Some(scheme) if scheme.bytes().all(|byte| byte.is_ascii_graphic()) => {
            Some(scheme.to_owned())
        }
        Some(_) => {
            let why = "is not a scheme such as `Bearer` or `Basic`";
            return Err(Problem::new("auth.scheme", why));
        }
    };
    Ok(CredentialPlace::Header { name, scheme })
}

/// Returns where the secret comes from.
fn credential(
    auth: &AuthConfig,
    place: &CredentialPlace,
    variable: &dyn Fn(&str) -> Option<String>,
) -> Result<CredentialSource, Problem> {
    let named = |key: &str, name: &str| {
        let key = format!("auth.{key}");
        let is_name = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
        if name.is_empty() || !name.bytes().all(is_name) {
            let why =
                "is not the name of an environment variable: secrets themselves do not belong here";
            return Err(Problem::new(&key, why));
        }
        if TOKEN_VARIABLES.contains(&name) {
            let why = format!("names {name}, whose token is for GitHub only: use another variable");
            return Err(Problem::new(&key, why));
        }
        Ok(Variable {
            name: name.to_owned(),
            value: variable(name).map(Secret::new),
        })
    };
    let of_grant = [
        ("client_id_env", auth.client_id_env.is_some()),
        ("client_secret_env", auth.client_secret_env.is_some()),
        ("scope", auth.scope.is_some()),
        ("client_auth", auth.client_auth.is_some()),
    ];
    let lonely = of_grant.into_iter().find(|(_, is_given)| *is_given);
    match (&auth.env, &auth.command, &auth.token_url) {
        (None, None, None) => match lonely {
            Some((key, _)) => {
                let why = "needs `token_url`, which is missing";
                Err(Problem::new(&format!("auth.{key}"), why))
            }
            None if *auth != AuthConfig::default() => {
                let why = "has no secret: add `env`, `command` or `token_url`";
                Err(Problem::new("auth", why))
            }
            None => Ok(CredentialSource::None),
        },
        (Some(env), None, None) if lonely.is_none() => {
            Ok(CredentialSource::Variable(named("env", env)?))
        }
        (None, Some(command), None) if lonely.is_none() => match command.first() {
            Some(program) if !program.is_empty() => Ok(CredentialSource::Command(command.clone())),
            _ => Err(Problem::new(
                "auth.command",
                "is empty: expected a program and its arguments",
            )),
        },
        (None, None, Some(token_url)) => {
            if matches!(place, CredentialPlace::Basic) {
                let why = "is `Basic`, but `token_url` gives a token and no password";
                return Err(Problem::new("auth.scheme", why));
            }
            let required = |key: &str, name: &Option<String>| match name {
                Some(name) => named(key, name),
                None => Err(Problem::new(
                    &format!("auth.{key}"),
                    "is missing: `token_url` needs it",
                )),
            };
            let token_url = parse_base_url(token_url.trim())
                .map_err(|error| Problem::new("auth.token_url", error))?;
            Ok(CredentialSource::ClientCredentials(ClientCredentials {
                token_url,
                id: required("client_id_env", &auth.client_id_env)?,
                secret: required("client_secret_env", &auth.client_secret_env)?,
                scope: auth.scope.clone(),
                in_body: auth.client_auth == Some(ClientAuth::Body),
            }))
        }
        _ => {
            let why =
                "has several sources of the secret: choose one of `env`, `command` and `token_url`";
            Err(Problem::new("auth", why))
        }
    }
}

fn paging(config: &PagingConfig) -> Result<Paging, Problem> {
    let expr = |key: &str, text: &Option<String>| optional_expr(&format!("paging.{key}"), text);
    let rows = expr("rows", &config.rows)?;
    let more = expr("more", &config.more)?;
    let field = expr("field", &config.field)?;
    let last_row = expr("last_row", &config.last_row)?;
    let unused = |keys: &[(&str, bool)]| {
        let found = keys.iter().find(|(_, is_given)| *is_given);
        found.map(|(key, _)| {
            let why = "is not used by this `style`: remove it, or change `style`";
            Problem::new(&format!("paging.{key}"), why)
        })
    };
    let problem = match config.style {
        PagingStyle::Links => unused(&[
            ("parameter", config.parameter.is_some()),
            ("size", config.size.is_some()),
            ("field", field.is_some()),
            ("last_row", last_row.is_some()),
            ("rows", rows.is_some()),
            ("more", more.is_some()),
        ]),
        PagingStyle::Page => {
            unused(&[("field", field.is_some()), ("last_row", last_row.is_some())])
        }
        PagingStyle::Cursor => None,
    };
    if let Some(problem) = problem {
        return Err(problem);
    }
    let parameter = config.parameter.clone();
    let size = config.size.clone();
    Ok(match (config.style, field, last_row) {
        (PagingStyle::Links, ..) => Paging::Links,
        (PagingStyle::Page, ..) => Paging::Page {
            number: parameter.unwrap_or_else(|| "page".to_owned()),
            size,
            rows,
            more,
        },
        (PagingStyle::Cursor, Some(field), None) => Paging::Field {
            parameter,
            field,
            more,
        },
        (PagingStyle::Cursor, None, Some(field)) => {
            let missing = || {
                let why = "is missing: name the parameter that takes the value of `last_row`";
                Problem::new("paging.parameter", why)
            };
            Paging::LastRow {
                parameter: parameter.ok_or_else(missing)?,
                field,
                size,
                rows,
                more,
            }
        }
        (PagingStyle::Cursor, ..) => {
            let why =
                "is `cursor`: say where the cursor is, in `field` (of the answer) or in `last_row`";
            return Err(Problem::new("paging.style", why));
        }
    })
}

fn optional_expr(key: &str, text: &Option<String>) -> Result<Option<Expr>, Problem> {
    let parsed = text.as_deref().map(Expr::parse).transpose();
    parsed.map_err(|error| Problem::new(key, error.message))
}
