//! Folders of cards: read once, packed, and unpacked from a cache as long as no file changes.

mod cache;
mod contents;
mod fingerprint;
mod open;
mod owner;
mod read_file;
#[cfg(test)]
mod tests;

pub use contents::CardFolder;
pub use open::{OpenedFolder, open_folder};
pub use owner::FolderOwner;
pub use read_file::outline_problems;
