//! What the storage host serves: logs, archives, artifacts and uploaded files, under signed addresses.
//!
//! It is another origin than the API, as GitHub's storage is. Its addresses need no token, and must not get one.

mod address;
mod archive;
mod content;
mod logs;

pub(crate) use address::{AddressError, sign, verify};
pub(crate) use content::find;
