//! Where the token comes from. Asking `gh` costs a process, so it is asked when a token is first
//! needed, and only once an answer is there is it kept: a later login is noticed.

use std::sync::Arc;

use capstan_core::{Redactor, Secret};
use tokio::sync::OnceCell;

use crate::gh::{GhConfig, gh_token};

/// A token, or the way to one. Clones share what was found.
#[derive(Clone, Debug)]
pub struct TokenSource(Arc<Source>);

#[derive(Debug)]
struct Source {
    gh: Option<GhConfig>,
    found: OnceCell<Secret>,
    /// Is told of the token once it is found.
    redactor: Redactor,
}

impl TokenSource {
    pub fn given(token: Secret) -> Self {
        Self(Arc::new(Source {
            gh: None,
            redactor: Redactor::new([token.clone()]),
            found: OnceCell::new_with(Some(token)),
        }))
    }

    /// The login that `gh` keeps. Clones of the redactor mask it from then on.
    pub fn gh(config: GhConfig, redactor: Redactor) -> Self {
        Self(Arc::new(Source {
            gh: Some(config),
            found: OnceCell::new(),
            redactor,
        }))
    }

    pub fn none() -> Self {
        Self(Arc::new(Source {
            gh: None,
            found: OnceCell::new(),
            redactor: Redactor::default(),
        }))
    }

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
