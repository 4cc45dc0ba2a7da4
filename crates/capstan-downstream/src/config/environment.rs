//! The variables that the caller passes in, and the few of them that every program may have.

use std::collections::BTreeMap;
use std::fmt;

/// Variables by name. The caller reads them from the environment. `Debug` does not print their
/// values.
#[derive(Clone, Default)]
pub struct Environment(BTreeMap<String, String>);

/// What a program needs to be found and to run. None of these grants access to anything.
const ESSENTIAL: [&str; 23] = [
    "PATH",
    "HOME",
    "USER",
    "LOGNAME",
    "SHELL",
    "TERM",
    "LANG",
    "LC_ALL",
    "LC_CTYPE",
    "TZ",
    "TMPDIR",
    "SystemRoot",
    "SYSTEMROOT",
    "SystemDrive",
    "SYSTEMDRIVE",
    "TEMP",
    "TMP",
    "USERPROFILE",
    "APPDATA",
    "LOCALAPPDATA",
    "PATHEXT",
    "ComSpec",
    "PROCESSOR_ARCHITECTURE",
];

impl Environment {
    pub fn new(variables: impl IntoIterator<Item = (String, String)>) -> Self {
        Self(variables.into_iter().collect())
    }

    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str)
    }

    /// Returns the variables that every server gets.
    pub(crate) fn essential(&self) -> impl Iterator<Item = (&str, &str)> {
        ESSENTIAL
            .iter()
            .filter_map(|name| Some((*name, self.get(name)?)))
    }
}

impl fmt::Debug for Environment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.0.keys()).finish()
    }
}
