//! What can be said of who composes whom, or of which step waits for which, without knowing more.
