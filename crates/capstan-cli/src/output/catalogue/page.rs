//! The catalogue as one HTML file that needs nothing else. It is also well-formed XML.

use std::collections::BTreeSet;

use capstan_catalog::outline::Audience;
use capstan_core::card::Operation;

use super::CatalogueRow;
use crate::output::sanitize;

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// Returns the page. Whatever the rows say is escaped.
pub(crate) fn page(rows: &[CatalogueRow]) -> String {
    let domains: BTreeSet<&str> = rows
        .iter()
        .filter_map(|row| row.domain.as_deref())
        .collect();
    let kinds: BTreeSet<&str> = rows.iter().map(|row| row.kind).collect();
    let body: String = rows.iter().map(table_row).collect();
    format!(
        r#"<!DOCTYPE html>
<html lang="en" xmlns="http://www.w3.org/1999/xhtml">
<head>
<meta charset="utf-8"/>
<meta name="viewport" content="width=device-width, initial-scale=1"/>
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"/>
<title>Capstan: all capabilities</title>
<style>{STYLE}</style>
</head>
<body>
<header>
<h1>Capstan: all capabilities</h1>
<p>Written by <code>capstan {version}</code>. <code>capstan explain ID</code> shows inputs and outputs.</p>
<form id="filter" role="search" hidden="hidden">
<label>Words <input type="search" id="words" autocomplete="off"/></label>
<label>Domain {domains}</label>
<label>Kind {kinds}</label>
<label>Effect {effects}</label>
<label>Origin {origins}</label>
<output id="count" for="words domain kind effect origin" aria-live="polite">{count} capabilities</output>
</form>
</header>
<main>
<table>
<caption class="aside">Capabilities by id</caption>
<thead><tr><th scope="col">Capability</th><th scope="col">Kind</th><th scope="col">Effect</th><th scope="col">Routes</th><th scope="col">For</th></tr></thead>
<tbody id="capabilities">
{body}</tbody>
</table>
</main>
<script>{SCRIPT}</script>
</body>
</html>
"#,
        version = env!("CARGO_PKG_VERSION"),
        domains = choice("domain", domains),
        kinds = choice("kind", kinds),
        effects = choice("effect", [READS, WRITES]),
        origins = choice("origin", [WRITTEN, GENERATED]),
        count = rows.len(),
    )
}

const READS: &str = "reads";
const WRITES: &str = "writes";
const WRITTEN: &str = "written";
const GENERATED: &str = "generated";

fn choice<'a>(id: &str, values: impl IntoIterator<Item = &'a str>) -> String {
    let options = values.into_iter().map(|value| {
        let value = escaped(value);
        format!(r#"<option value="{value}">{value}</option>"#)
    });
    format!(
        r#"<select id="{id}"><option value="">all</option>{}</select>"#,
        options.collect::<String>()
    )
}

fn table_row(row: &CatalogueRow) -> String {
    let effect = match row.operation {
        Operation::Read => READS,
        Operation::Write => WRITES,
    };
    let origin = if row.generated { GENERATED } else { WRITTEN };
    let routes: Vec<_> = row.routes.iter().map(|route| route.as_str()).collect();
    let mut notes = Vec::new();
    if row.form != row.id {
        notes.push(format!("<code>{}</code>", escaped(&row.form)));
    }
    if !row.sources.is_empty() {
        notes.push(format!("GitHub: {}", escaped(&row.sources.join(", "))));
    }
    if row.generated {
        notes.push(GENERATED.to_owned());
    }
    if row.deprecated {
        notes.push(match &row.sunset {
            Some(date) => format!("<strong>deprecated, removed on {}</strong>", escaped(date)),
            None => "<strong>deprecated</strong>".to_owned(),
        });
    }
    let notes: String = notes
        .iter()
        .map(|note| format!("<span>{note}</span>"))
        .collect();
    format!(
        "<tr data-domain=\"{domain}\" data-kind=\"{kind}\" data-effect=\"{effect}\" data-origin=\"{origin}\">\
         <th scope=\"row\"><code>{id}</code><p>{description}</p><p class=\"notes\">{notes}</p></th>\
         <td>{kind}</td><td>{effect}</td><td>{routes}</td><td>{audience}</td></tr>\n",
        domain = escaped(row.domain.as_deref().unwrap_or_default()),
        kind = escaped(row.kind),
        id = escaped(&row.id),
        description = escaped(&row.description),
        routes = routes.join(", "),
        audience = audience(row.audience),
    )
}

/// Returns who can use a capability.
fn audience(audience: Option<Audience>) -> &'static str {
    match audience {
        None => "everybody",
        Some(Audience::Organization) => "organizations",
        Some(Audience::Enterprise) => "enterprises",
        Some(Audience::App) => "GitHub Apps",
        Some(Audience::Installation) => "installations of GitHub Apps",
        Some(Audience::OauthApp) => "OAuth apps",
    }
}

/// Escapes a text for HTML and XML, in elements and in attributes.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in sanitize(text).chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            // XML does not allow them, and no font has them.
            '\u{fffe}' | '\u{ffff}' => escaped.push(char::REPLACEMENT_CHARACTER),
            c => escaped.push(c),
        }
    }
    escaped
}
