//! Every file says what it is for.

use super::sources::{read, sources};

#[test]
fn every_file_opens_with_what_it_is_for() {
    let mut mute = sources();
    mute.retain(|source| !read(source).starts_with("//!"));
    assert!(
        mute.is_empty(),
        "files without a `//!` first line: {mute:#?}"
    );
}
