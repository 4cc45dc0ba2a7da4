//! The same operation with another answer: as a diff, as a file, as it is.

use capstan_catalog::outline::Outline;

use crate::rules::Variant;

/// Returns the outline of an operation that is asked for another media type.
pub(crate) fn variant_of(outline: &Outline, variant: &Variant) -> Outline {
    let has_effect = |name: &&String| {
        let name = name.strip_suffix('?').unwrap_or(name);
        !variant.without.iter().any(|other| other == name)
    };
    let input = outline.input.iter().filter(|(name, _)| has_effect(name));
    Outline {
        input: input
            .map(|(name, kind)| (name.clone(), kind.clone()))
            .collect(),
        description: variant.description.clone(),
        accept: Some(variant.accept.clone()),
        answer: Some(variant.answer),
        rows: None,
        output: None,
        at: None,
        total: None,
        pages: None,
        next: [].into(),
        ..outline.clone()
    }
}
