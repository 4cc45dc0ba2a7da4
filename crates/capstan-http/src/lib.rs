//! HTTP clients: certificates, proxies and time limits; one request sent once, and its complete answer.
//!
//! This crate must not know what is sent, to whom, or what an answer means.

mod address;
mod base_url;
mod cause;
mod fetch;
mod gzip;
mod head;
mod link;
mod options;
mod read;
mod redirect;
mod send;
mod tracked_body;
mod transport_fault;

pub use address::is_loopback;
pub use base_url::{BaseUrlError, PathError, address_below, parse_base_url};
pub use cause::root_cause;
pub use fetch::{FetchError, fetch};
pub use gzip::ACCEPTED_ENCODING;
pub use head::{Head, retry_after, seconds};
pub use link::{next_page_query, query_of};
pub use options::ClientOptions;
pub use read::{BodyError, read_body};
pub use redirect::{Redirect, RedirectRefusal, is_redirect};
/// Why a connection could not be encrypted; found among the causes of a [`reqwest::Error`].
pub use rustls::Error as TlsError;
pub use send::{Unanswered, send};
pub use transport_fault::TransportFault;
