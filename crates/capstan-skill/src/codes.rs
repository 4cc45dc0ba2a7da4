//! The codes of all diagnostics about skills.

pub(crate) const CYCLE: &str = "E003";
pub(crate) const NOT_FOUND: &str = "E004";
pub(crate) const ATOM_COMPOSES: &str = "E010";
pub(crate) const COMPOSES_NOTHING: &str = "E013";
pub(crate) const COMPOSITE_LEVEL: &str = "E014";
pub(crate) const WORKFLOW_LEVEL: &str = "E015";
pub(crate) const DIAMOND: &str = "E016";
pub(crate) const VERSIONS: &str = "E017";
pub(crate) const DEPRECATED: &str = "E018";
pub(crate) const MISSING: &str = "E020";
pub(crate) const TYPE: &str = "E021";
pub(crate) const MAPPING: &str = "E022";
pub(crate) const OUTPUT: &str = "E023";
pub(crate) const AMBIGUOUS: &str = "E024";
pub(crate) const UNBOUND: &str = "E025";
pub(crate) const UNUSED: &str = "E026";
pub(crate) const UNREACHABLE: &str = "E027";
pub(crate) const BOUNDS: &str = "E028";
pub(crate) const EFFECTS: &str = "E030";
pub(crate) const OPERATION: &str = "E031";
pub(crate) const UNREADABLE: &str = "E040";
pub(crate) const MALFORMED: &str = "E041";
pub(crate) const INCONSISTENT: &str = "E042";
pub(crate) const DUPLICATE: &str = "E044";
pub(crate) const SCHEMA: &str = "E046";
pub(crate) const EXPRESSION: &str = "E047";
pub(crate) const UNKNOWN_STEP: &str = "E048";

/// The codes with their meanings. Codes about files are shared with cards.
pub const CODES: [(&str, &str); 23] = [
    (CYCLE, "skills compose each other in a cycle"),
    (NOT_FOUND, "a composed skill does not exist"),
    (ATOM_COMPOSES, "an L1 skill composes other skills"),
    (COMPOSES_NOTHING, "an L2 or L3 skill composes nothing"),
    (
        COMPOSITE_LEVEL,
        "an L2 skill composes something that is not L1",
    ),
    (WORKFLOW_LEVEL, "an L3 skill composes another L3 skill"),
    (
        DIAMOND,
        "a skill is composed in several places, and runs once for each",
    ),
    (VERSIONS, "no version of a skill satisfies all requirements"),
    (DEPRECATED, "a deprecated version of a skill is used"),
    (MISSING, "a step needs an input that nothing provides"),
    (TYPE, "an input of a step has the wrong type"),
    (MAPPING, "a mapping names a field that does not exist"),
    (OUTPUT, "no step provides a promised output, or not always"),
    (
        AMBIGUOUS,
        "several steps provide the same input, in no fixed order",
    ),
    (
        UNBOUND,
        "a value with the right name but the wrong type is not passed on",
    ),
    (UNUSED, "the output of a step is not used"),
    (UNREACHABLE, "a composed step is never run"),
    (
        BOUNDS,
        "an input of a step may be out of bounds, which is checked when it runs",
    ),
    (EFFECTS, "a skill declares fewer effects than it has"),
    (
        OPERATION,
        "a skill declares a weaker operation than it performs",
    ),
    (SCHEMA, "a schema is not a JSON Schema"),
    (EXPRESSION, "an expression is malformed, or makes no sense"),
    (
        UNKNOWN_STEP,
        "`execution` or an expression names a step that is not composed",
    ),
];
