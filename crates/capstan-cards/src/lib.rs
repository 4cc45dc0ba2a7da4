//! The GitHub cards that ship with Capstan, packed at build time: those that people wrote, from the `cards` folder, and
//! those that are generated from `catalogue/rest` and `catalogue/graphql`.
//!
//! Data only: it must not know how cards are run.

use capstan_catalog::Pack;

/// The cards that people wrote.
pub static CARDS: Pack = Pack::from_static(include_bytes!(concat!(env!("OUT_DIR"), "/cards.pack")));

/// The generated cards. None has the id or another name of one in [`CARDS`].
pub static GENERATED: Pack =
    Pack::from_static(include_bytes!(concat!(env!("OUT_DIR"), "/generated.pack")));
