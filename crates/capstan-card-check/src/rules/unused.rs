//! Reports fields that are requested from GitHub but never read.

use capstan_core::Severity;

use crate::finding::{Finding, PATH, UNUSED, VARIABLE};
use crate::infer::Checker;
use crate::ty::Ty;

/// Checks the requested types. Each comes with its pointer in the card.
pub(crate) fn check(checker: &mut Checker, asked: &[(String, Ty)]) {
    // A path that does not exist leaves the intended field unread. One report is enough.
    let broken = |finding: &Finding| matches!(finding.code, PATH | VARIABLE);
    if checker.findings.iter().any(broken) {
        return;
    }
    for (pointer, ty) in asked {
        let unread = checker.places.unread(ty);
        let findings: Vec<_> = unread
            .into_iter()
            .map(|path| {
                let message = format!("`{path}` is requested, but nothing reads it");
                Finding::new(UNUSED, pointer, message)
                    .with_help("remove it from the request")
                    .with_severity(Severity::Warning)
            })
            .collect();
        findings
            .into_iter()
            .for_each(|finding| checker.report(finding));
    }
}
