//! Puts a secret into a request, and knows every form in which it appears there.

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use capstan_core::{ErrorCode, ResultError, Secret};
use http::header::{AUTHORIZATION, HeaderMap, HeaderValue};
use url::Url;
use url::form_urlencoded::byte_serialize;

use crate::settings::CredentialPlace;

impl CredentialPlace {
    /// Returns the forms in which a secret may appear in texts: all must be masked.
    pub(crate) fn forms_of(&self, secret: &Secret) -> Vec<Secret> {
        let mut forms = vec![secret.clone()];
        match self {
            Self::Basic => {
                forms.push(Secret::new(encoded(secret)));
                let password = secret
                    .expose()
                    .split_once(':')
                    .map(|(_, password)| password);
                forms.extend(password.map(Secret::new));
            }
            Self::Query(_) => {
                let in_query: String = byte_serialize(secret.expose().as_bytes()).collect();
                forms.push(Secret::new(in_query));
            }
            Self::Header { .. } => {}
        }
        forms
    }

    /// Adds a secret to a request.
    pub(crate) fn add(
        &self,
        secret: &Secret,
        url: &mut Url,
        headers: &mut HeaderMap,
    ) -> Result<(), ResultError> {
        let (name, value) = match self {
            Self::Query(name) => {
                url.query_pairs_mut().append_pair(name, secret.expose());
                return Ok(());
            }
            Self::Basic => (AUTHORIZATION, format!("Basic {}", encoded(secret))),
            Self::Header { name, scheme } => {
                let value = match scheme {
                    Some(scheme) => format!("{scheme} {}", secret.expose()),
                    None => secret.expose().to_owned(),
                };
                (name.clone(), value)
            }
        };
        let mut value = HeaderValue::try_from(value).map_err(|_| {
            let message = "the secret has characters that no header can have: was it stored with a line break?";
            ResultError::new(ErrorCode::Auth, message)
        })?;
        value.set_sensitive(true);
        headers.insert(name, value);
        Ok(())
    }
}

fn encoded(secret: &Secret) -> String {
    BASE64_STANDARD.encode(secret.expose())
}
