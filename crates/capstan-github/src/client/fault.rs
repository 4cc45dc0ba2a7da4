//! What went wrong on the way, read from the chain of causes of a transport error.

use std::error::Error;
use std::io::ErrorKind;

use capstan_http::TlsError;

use crate::classify::Fault;

pub(super) fn of(error: &reqwest::Error) -> Fault {
    let mut found = None;
    let mut texts = String::new();
    let mut cause: Option<&(dyn Error + 'static)> = Some(error);
    while let Some(error) = cause {
        if error.is::<TlsError>() {
            return Fault::Tls;
        }
        texts.push_str(&error.to_string().to_lowercase());
        texts.push('\n');
        let io = error.downcast_ref::<std::io::Error>();
        found = found.or(io.and_then(|io| of_kind(io.kind())));
        // What an I/O error wraps is not its source: that is the wrapped error's own.
        cause = match io.and_then(std::io::Error::get_ref) {
            Some(wrapped) => Some(wrapped),
            None => error.source(),
        };
    }
    // hyper keeps its kinds to itself; its words are the last resort.
    let has = |words: &str| texts.contains(words);
    match found {
        _ if has("dns error") || has("failed to lookup address") => Fault::Dns,
        Some(fault) => fault,
        None if error.is_timeout() && error.is_connect() => Fault::Connect,
        None if error.is_timeout() => Fault::Timeout,
        None if has("certificate") || has("tls handshake") => Fault::Tls,
        None if has("connection closed") || has("incomplete message") => Fault::Closed,
        None if has("invalid http") || has("parse error") || has("parsed http") => Fault::Garbled,
        None if error.is_connect() => Fault::Connect,
        None => Fault::Other,
    }
}

fn of_kind(kind: ErrorKind) -> Option<Fault> {
    match kind {
        ErrorKind::ConnectionRefused => Some(Fault::Refused),
        ErrorKind::ConnectionReset | ErrorKind::ConnectionAborted | ErrorKind::BrokenPipe => {
            Some(Fault::Reset)
        }
        ErrorKind::UnexpectedEof => Some(Fault::Closed),
        ErrorKind::HostUnreachable | ErrorKind::NetworkUnreachable => Some(Fault::Connect),
        ErrorKind::TimedOut => Some(Fault::Timeout),
        _ => None,
    }
}
