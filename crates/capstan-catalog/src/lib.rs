//! The catalogue: reads cards, both built-in ones and those in folders, and resolves their ids.
//!
//! It must not run anything: no network, no async runtime, no routes.

mod candidate;
mod catalog;
mod compile;
mod defaults;
mod document;
pub mod files;
mod folder;
mod load;
mod locate;
mod near;
pub mod outline;
mod pack;
mod raw;
pub mod yaml;

pub use candidate::Candidate;
pub use catalog::{Catalog, Detail, Summary, UnknownCapability};
pub use folder::{CardFolder, FolderOwner, OpenedFolder, open_folder, outline_problems};
pub use load::{CODES, Loaded, TAKEN, folder_of, load_dir, load_text, read_document_of};
pub use locate::locate;
pub use pack::{Pack, PackedCard, PackedOutlines, Standing, pack, pack_outlines};
