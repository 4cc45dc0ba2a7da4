//! Everything about each capability that is known without running it: as rows for programs, and as a page.

mod page;
mod row;

pub(crate) use page::page;
pub(crate) use row::CatalogueRow;
