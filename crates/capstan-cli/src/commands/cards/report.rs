//! What an import did, for people and for programs.

use std::path::Path;

use capstan_generator::{Drift, ServiceImport};
use serde_json::{Value, json};

use crate::output::{BOLD, DIM, GOOD, Printer};

/// How many ids of a kind of change, and how many operations that are left out, people see.
const MAX_SHOWN: usize = 20;

/// The result of an import.
pub(super) struct ImportReport<'a> {
    pub(super) import: &'a ServiceImport,
    pub(super) source: &'a str,
    pub(super) folder: &'a Path,
    /// What changes since the last import; `None` if there was none.
    pub(super) drift: Option<Drift>,
    pub(super) is_dry_run: bool,
    /// The lines for the configuration, if the service is not there.
    pub(super) configuration: Option<String>,
    pub(super) configuration_file: &'a Path,
    pub(super) home: Option<&'a Path>,
}

impl ImportReport<'_> {
    pub(super) fn json(&self) -> Value {
        let left_out = self.import.left_out.iter();
        let left_out: Vec<Value> = left_out
            .map(|(operation, reason)| json!({"operation": operation, "reason": reason}))
            .collect();
        let drift = self.drift.as_ref().map(|drift| {
            json!({"added": drift.added, "removed": drift.removed, "changed": drift.changed})
        });
        json!({
            "ok": true,
            "service": self.import.service.as_str(),
            "title": self.import.title,
            "source": self.source,
            "operations": self.import.outlines.len(),
            "domains": self.import.domains(),
            "left_out": left_out,
            "filtered": self.import.unwanted,
            "drift": drift,
            "folder": self.folder,
            "dry_run": self.is_dry_run,
            "configured": self.configuration.is_none(),
            "configuration": self.configuration,
            "configuration_file": self.configuration_file,
        })
    }

    pub(super) fn print(&self, printer: &Printer) {
        let import = self.import;
        let verb = if self.is_dry_run {
            "would import"
        } else {
            "imported"
        };
        let domains = import.domains();
        let title = import
            .title
            .as_deref()
            .map_or(String::new(), |title| format!(" ({title})"));
        printer.line(format!(
            "{GOOD}{verb}{GOOD:#} {BOLD}{}{BOLD:#}{title}: {} operations in {} domains, to {}",
            import.service,
            import.outlines.len(),
            domains.len(),
            self.shown(self.folder)
        ));
        let mut largest: Vec<_> = domains.iter().collect();
        largest.sort_by_key(|(name, count)| (std::cmp::Reverse(**count), **name));
        let shown = largest.iter().take(MAX_SHOWN);
        let shown: Vec<_> = shown
            .map(|(name, count)| format!("{name} {count}"))
            .collect();
        let rest = largest.len().saturating_sub(MAX_SHOWN);
        let rest = if rest > 0 {
            format!(", and {rest} more")
        } else {
            String::new()
        };
        printer.line(format!("  {DIM}{}{rest}{DIM:#}", shown.join(", ")));
        if import.unwanted > 0 {
            printer.line(format!(
                "  {} operations are not among those you chose",
                import.unwanted
            ));
        }
        self.print_left_out(printer);
        self.print_drift(printer);
        self.print_configuration(printer);
    }

    /// Returns a path as people write it: below their own folder, with `~`.
    fn shown(&self, path: &Path) -> String {
        let below = self.home.and_then(|home| path.strip_prefix(home).ok());
        match below {
            Some(below) => format!("~/{}", below.display()),
            None => path.display().to_string(),
        }
    }

    fn print_left_out(&self, printer: &Printer) {
        let left_out = &self.import.left_out;
        if left_out.is_empty() {
            return;
        }
        printer.line(format!("left out ({}):", left_out.len()));
        for (operation, reason) in left_out.iter().take(MAX_SHOWN) {
            printer.line(format!("  {operation}: {reason}"));
        }
        if left_out.len() > MAX_SHOWN {
            let rest = left_out.len() - MAX_SHOWN;
            printer.line(format!("  and {rest} more; --json lists all"));
        }
    }

    fn print_drift(&self, printer: &Printer) {
        let Some(drift) = &self.drift else {
            return;
        };
        let kinds = [
            ("added", &drift.added),
            ("removed", &drift.removed),
            ("changed", &drift.changed),
        ];
        if kinds.iter().all(|(_, ids)| ids.is_empty()) {
            printer.line("nothing has changed since the last import");
            return;
        }
        printer.line("since the last import:");
        for (what, ids) in kinds.into_iter().filter(|(_, ids)| !ids.is_empty()) {
            let shown: Vec<_> = ids.iter().take(MAX_SHOWN).map(String::as_str).collect();
            let more = if ids.len() > MAX_SHOWN { ", …" } else { "" };
            printer.line(format!(
                "  {what} ({}): {}{more}",
                ids.len(),
                shown.join(", ")
            ));
        }
    }

    fn print_configuration(&self, printer: &Printer) {
        let service = &self.import.service;
        let Some(lines) = &self.configuration else {
            printer.line(format!("to see the cards: capstan list {service}"));
            return;
        };
        printer.line(format!(
            "the service is not in your configuration yet; add this to {}:\n\n{}",
            self.shown(self.configuration_file),
            lines.trim_end()
        ));
        printer.line(format!("\nthen, to see the cards: capstan list {service}"));
        if self.import.suggestion.is_incomplete() {
            printer.line("the description does not say where the API is: fill in the address");
        }
    }
}
