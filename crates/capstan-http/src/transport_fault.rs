//! Finds the kind of a transport error in its chain of causes.

use std::error::Error;
use std::io::ErrorKind;

use crate::TlsError;

/// Why a request got no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TransportFault {
    Refused,
    Dns,
    Tls,
    /// Connecting failed for another reason, or took too long.
    Connect,
    Reset,
    /// The server closed the connection without an answer.
    Closed,
    Timeout,
    /// The answer is not HTTP.
    Garbled,
    Other,
}

impl TransportFault {
    /// Returns a message for people.
    pub fn describe(self, host: &str) -> String {
        match self {
            TransportFault::Refused => format!("`{host}` refused the connection"),
            TransportFault::Dns => format!("the name `{host}` cannot be resolved"),
            TransportFault::Tls => format!("no trusted TLS connection to `{host}`"),
            TransportFault::Connect => format!("cannot connect to `{host}`"),
            TransportFault::Reset => format!("`{host}` reset the connection"),
            TransportFault::Closed => {
                format!("`{host}` closed the connection without an answer")
            }
            TransportFault::Timeout => format!("no answer from `{host}` in time"),
            TransportFault::Garbled => format!("the answer of `{host}` is not HTTP"),
            TransportFault::Other => format!("the request to `{host}` failed"),
        }
    }
}

pub(crate) fn from_error(error: &reqwest::Error) -> TransportFault {
    let mut found = None;
    let mut texts = String::new();
    let mut cause: Option<&(dyn Error + 'static)> = Some(error);
    while let Some(error) = cause {
        if error.is::<TlsError>() {
            return TransportFault::Tls;
        }
        texts.push_str(&error.to_string().to_lowercase());
        texts.push('\n');
        let io = error.downcast_ref::<std::io::Error>();
        found = found.or(io.and_then(|io| from_io_kind(io.kind())));
        // `source` of an I/O error skips the error that it wraps, so we look at the wrapped error
        // first.
        cause = match io.and_then(std::io::Error::get_ref) {
            Some(wrapped) => Some(wrapped),
            None => error.source(),
        };
    }
    // hyper does not expose its error kinds, so its messages are the last resort.
    let has = |words: &str| texts.contains(words);
    match found {
        _ if has("dns error") || has("failed to lookup address") => TransportFault::Dns,
        Some(fault) => fault,
        None if error.is_timeout() && error.is_connect() => TransportFault::Connect,
        None if error.is_timeout() => TransportFault::Timeout,
        None if has("certificate") || has("tls handshake") => TransportFault::Tls,
        None if has("connection closed") || has("incomplete message") => TransportFault::Closed,
        None if has("invalid http") || has("parse error") || has("parsed http") => {
            TransportFault::Garbled
        }
        None if error.is_connect() => TransportFault::Connect,
        None => TransportFault::Other,
    }
}

fn from_io_kind(kind: ErrorKind) -> Option<TransportFault> {
    match kind {
        ErrorKind::ConnectionRefused => Some(TransportFault::Refused),
        ErrorKind::ConnectionReset | ErrorKind::ConnectionAborted | ErrorKind::BrokenPipe => {
            Some(TransportFault::Reset)
        }
        ErrorKind::UnexpectedEof => Some(TransportFault::Closed),
        ErrorKind::HostUnreachable | ErrorKind::NetworkUnreachable => Some(TransportFault::Connect),
        ErrorKind::TimedOut => Some(TransportFault::Timeout),
        _ => None,
    }
}
