//! Sets up HTTP clients: certificates, proxies, time limits, no redirects and no repeated requests.
//!
//! This crate must not know what is sent, to whom, or what an answer means.

mod address;
mod cause;
mod options;

pub use address::is_loopback;
pub use cause::root_cause;
pub use options::ClientOptions;
/// Why a connection could not be encrypted; found among the causes of a [`reqwest::Error`].
pub use rustls::Error as TlsError;
