//! Keeps the secret of a service, so that it is found once for all callers.

use std::sync::Arc;
use std::time::{Duration, Instant};

use capstan_core::port::{Clock, Failure};
use capstan_core::{Redactor, Secret};
use tokio::sync::Mutex;

use super::{client_credentials, command};
use crate::settings::{CredentialPlace, CredentialSource};

/// A secret that was found, and for how long it may be used.
pub(super) struct Fetched {
    pub(super) secret: Secret,
    /// `None` if nobody knows.
    pub(super) lasts: Option<Duration>,
}

/// A secret for one request.
#[derive(Clone, Debug)]
pub(crate) struct Issued {
    pub(crate) secret: Secret,
    usable_until: Option<Instant>,
}

pub(crate) struct CredentialStore {
    source: CredentialSource,
    place: CredentialPlace,
    clock: Arc<dyn Clock>,
    /// Learns every secret as soon as it is found.
    redactor: Redactor,
    /// Locked while a secret is looked for, so that only one caller does that.
    kept: Mutex<Option<Issued>>,
}

impl CredentialStore {
    pub(crate) fn new(
        source: CredentialSource,
        place: CredentialPlace,
        clock: Arc<dyn Clock>,
        redactor: Redactor,
    ) -> Self {
        Self {
            source,
            place,
            clock,
            redactor,
            kept: Mutex::default(),
        }
    }

    /// Returns whether the source may have another secret when one was refused.
    pub(crate) fn is_renewable(&self) -> bool {
        matches!(
            self.source,
            CredentialSource::Command(_) | CredentialSource::ClientCredentials(_)
        )
    }

    /// Returns the secret; `None` if requests are anonymous.
    pub(crate) async fn secret(&self, deadline: Instant) -> Result<Option<Issued>, Failure> {
        let mut kept = self.kept.lock().await;
        let is_usable = |issued: &&Issued| {
            let until = issued.usable_until;
            until.is_none_or(|until| self.clock.now() < until)
        };
        if let Some(issued) = kept.as_ref().filter(is_usable) {
            return Ok(Some(issued.clone()));
        }
        let fetched = match &self.source {
            CredentialSource::None => return Ok(None),
            CredentialSource::Variable(variable) => Fetched {
                secret: variable.required()?.clone(),
                lasts: None,
            },
            CredentialSource::Command(program) => Fetched {
                secret: command::run(program, deadline).await?,
                lasts: None,
            },
            CredentialSource::ClientCredentials(grant) => {
                client_credentials::fetch(grant, deadline).await?
            }
        };
        for form in self.place.forms_of(&fetched.secret) {
            self.redactor.learn(&form);
        }
        let now = self.clock.now();
        let issued = Issued {
            secret: fetched.secret,
            usable_until: fetched.lasts.and_then(|lasts| now.checked_add(lasts)),
        };
        *kept = Some(issued.clone());
        Ok(Some(issued))
    }

    /// Forgets a secret that was refused, unless it was replaced meanwhile. Returns the next one, or `None` if there is
    /// no other.
    pub(crate) async fn renewed(
        &self,
        refused: &Issued,
        deadline: Instant,
    ) -> Result<Option<Issued>, Failure> {
        let mut kept = self.kept.lock().await;
        if kept.as_ref().is_some_and(|it| it.secret == refused.secret) {
            *kept = None;
        }
        drop(kept);
        let next = self.secret(deadline).await?;
        Ok(next.filter(|next| next.secret != refused.secret))
    }
}
