//! Who names a folder of cards, and which services its cards may therefore call.

use capstan_core::ServiceName;

/// Who names a folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FolderOwner {
    /// The user. The cards may call any service.
    User,
    /// The user, for one service. The folder was imported: all cards belong to the service, and so do their ids.
    Service(ServiceName),
    /// Only the configuration of the current folder, which anybody may have written. The cards must not use the
    /// secrets of the user's services.
    CurrentFolder,
}

/// Why a card of a folder is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Refusal {
    pub(super) message: String,
    pub(super) help: String,
}

impl FolderOwner {
    /// Returns a text that differs for folders that are read in another way.
    pub(super) fn key(&self) -> String {
        match self {
            Self::User => "user".to_owned(),
            Self::Service(name) => format!("service {name}"),
            Self::CurrentFolder => "current folder".to_owned(),
        }
    }

    /// Returns why a card with this id and service is refused, or `None` if it is not.
    pub(super) fn refusal(&self, id: &str, service: Option<&str>) -> Option<Refusal> {
        match (self, service) {
            (Self::User, _) | (Self::CurrentFolder, None) => None,
            (Self::CurrentFolder, Some(service)) => Some(Refusal {
                message: format!(
                    "`{id}` belongs to the service `{service}`, and only the `capstan.toml` of this folder names \
                     the card, so it may not use your secrets"
                ),
                help: "read the card, then name its folder in your own configuration, or pass `--cards`".to_owned(),
            }),
            (Self::Service(own), Some(service)) if service == own.as_str() => {
                let is_below = id.strip_prefix(service).is_some_and(|rest| rest.starts_with('.'));
                (!is_below).then(|| Refusal {
                    message: format!("`{id}` is in the folder of the service `{own}`, and its id does not start with `{own}.`"),
                    help: format!("import the service again: `capstan cards import --service {own}`"),
                })
            }
            (Self::Service(own), _) => Some(Refusal {
                message: format!("`{id}` is in the folder of the service `{own}` and does not belong to that service"),
                help: format!("import the service again: `capstan cards import --service {own}`"),
            }),
        }
    }
}
