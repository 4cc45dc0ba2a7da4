//! Finds the root cause of an error.

use std::error::Error;

/// Returns the message of the deepest cause of an error, which says the most and names no address:
/// `connection refused` rather than `error sending request for url (…)`.
pub fn root_cause(error: &dyn Error) -> String {
    let mut deepest = error;
    while let Some(cause) = deepest.source() {
        deepest = cause;
    }
    deepest.to_string()
}

#[cfg(test)]
mod tests {
    use std::io;

    use super::*;

    #[test]
    fn the_deepest_cause_is_named() {
        let inner = io::Error::other("inner");
        assert_eq!(root_cause(&inner), "inner");
        let outer = std::sync::Arc::new(io::Error::other(Wrapped(inner)));
        assert_eq!(root_cause(&outer), "inner");
    }

    #[derive(Debug)]
    struct Wrapped(io::Error);

    impl std::fmt::Display for Wrapped {
        fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            f.write_str("outer")
        }
    }

    impl Error for Wrapped {
        fn source(&self) -> Option<&(dyn Error + 'static)> {
            Some(&self.0)
        }
    }
}
