//! A place with a configured service.

use std::path::PathBuf;

use crate::cli::harness::{Place, Ran};

/// The token of the services. A leak of it is easy to find.
pub(super) const TOKEN: &str = "svc_0123456789abcdefSECRET";

/// Returns the file of the user's own configuration.
pub(super) fn configuration(place: &Place) -> PathBuf {
    place.path().join("home/.config/capstan/config.toml")
}

/// Writes the user's own configuration.
pub(super) fn configure(place: &Place, text: &str) {
    let file = configuration(place);
    std::fs::create_dir_all(file.parent().unwrap()).unwrap();
    std::fs::write(file, text).unwrap();
}

/// Checks that a run ended with this code and never said the token.
#[track_caller]
pub(super) fn ended(ran: &Ran, code: i32) {
    assert_eq!(ran.code, code, "{ran:?}");
    let said = format!("{}{}", ran.stdout, ran.stderr);
    assert!(!said.contains(TOKEN), "the token is shown: {said}");
}
