//! Where the token comes from. Asking `gh` costs a process, so it is asked only when a token is
//! first needed. Only a found token is kept, so a later login is noticed.

use std::sync::Arc;

use capstan_core::{Redactor, Secret};
use tokio::sync::OnceCell;

use crate::gh::{GhConfig, gh_token};

/// A token, or the way to get one. Clones share the token that was found.
#[derive(Clone, Debug)]
pub struct TokenSource(Arc<SharedSource>);

#[derive(Debug)]
struct SharedSource {
    gh: Option<GhConfig>,
    found: OnceCell<Secret>,
    /// Learns the token as soon as it is found.
    redactor: Redactor,
}

impl TokenSource {
    pub fn from_token(token: Secret) -> Self {
        Self(Arc::new(SharedSource {
            gh: None,
            redactor: Redactor::new([token.clone()]),
            found: OnceCell::new_with(Some(token)),
        }))
    }

    /// Uses the login that `gh` keeps. Clones of the redactor mask its token as soon as it is
    /// found.
    pub fn from_gh(config: GhConfig, redactor: Redactor) -> Self {
        Self(Arc::new(SharedSource {
            gh: Some(config),
            found: OnceCell::new(),
            redactor,
        }))
    }

    pub fn none() -> Self {
        Self(Arc::new(SharedSource {
            gh: None,
            found: OnceCell::new(),
            redactor: Redactor::default(),
        }))
    }

    /// Returns the token, and asks `gh` for it if necessary; `None` if there is no token.
    pub(crate) async fn token(&self) -> Option<&Secret> {
        let ask = || async {
            match &self.0.gh {
                Some(config) => {
                    let token = gh_token(config).await.ok_or(())?;
                    self.0.redactor.learn(&token);
                    Ok(token)
                }
                None => Err(()),
            }
        };
        self.0.found.get_or_try_init(ask).await.ok()
    }

    pub(crate) fn redactor(&self) -> Redactor {
        self.0.redactor.clone()
    }
}
