//! A list: a header that says what the rows are, and one row a line.

use capstan_core::card::List;
use serde_json::{Map, Value};

use crate::clean::flat;
use crate::counts::{self, TOTAL};
use crate::object::BODY;
use crate::page::Page;
use crate::table::{Table, Wanted, alike};
use crate::told::Told;
use crate::value;
use crate::viewed::Viewed;
use crate::words;

/// How many columns are shown of a list whose rows another step works on: what they are called.
const COLUMNS_FOR_EACH: usize = 2;

/// The rows in some data, and what stands beside them.
pub(crate) struct Listed<'a> {
    field: &'a str,
    items: &'a [Value],
    /// What the card says about it.
    list: Option<&'a List>,
    beside: Vec<(&'a str, &'a Value)>,
}

/// The list that the card names, or the only one that there is beside scalars.
pub(crate) fn find<'a>(data: &'a Map<String, Value>, viewed: &Viewed<'a>) -> Option<Listed<'a>> {
    let named = viewed.card.and_then(|card| card.list.as_ref());
    let named = named.filter(|list| data.get(&list.field).is_some_and(Value::is_array));
    let field = match named {
        Some(list) => list.field.as_str(),
        // What was chosen of an object is one.
        None if viewed.fields.is_some() => return None,
        None => only_list(data)?,
    };
    let beside = data.iter().filter(|(name, _)| *name != field);
    Some(Listed {
        field,
        items: data.get(field)?.as_array()?,
        list: named,
        beside: beside.map(|(name, value)| (name.as_str(), value)).collect(),
    })
}

fn only_list(data: &Map<String, Value>) -> Option<&str> {
    let mut lists = data.iter().filter(|(_, value)| !value::is_scalar(value));
    let (field, value) = lists.next()?;
    let items = value.as_array()?;
    let is_only = lists.next().is_none();
    let has_long_texts = || {
        let mut texts = data.values().filter_map(Value::as_str);
        texts.any(value::is_long)
    };
    // What people said about a thing is a part of it.
    let are_remarks = || data.len() > 1 && items.iter().any(|item| item.get(BODY).is_some());
    let are_rows = if items.is_empty() {
        data.len() == 1
    } else {
        alike(items).is_some() && !has_long_texts() && !are_remarks()
    };
    (is_only && are_rows).then_some(field)
}

impl Listed<'_> {
    pub(crate) fn view(&self, told: &Told<'_>, viewed: &Viewed<'_>) -> Page {
        let title = words::title(self.list, self.field, viewed.input);
        let mut page = Page::default();
        let (beside, texts) = self.beside();
        page.texts = texts;
        let beside = if beside.is_empty() {
            String::new()
        } else {
            format!("{}; ", beside.join(", "))
        };
        if self.items.is_empty() {
            let nothing = match told.note {
                Some(note) => flat(note),
                None => format!("no {title}"),
            };
            page.lines.push(format!("{beside}{nothing}"));
            return page;
        }
        let table = self.table(viewed, &title);
        let total = told.pagination.and_then(|pages| pages.total);
        let mut header = if self.tells_count(total) {
            format!("{beside}{title}")
        } else {
            let counted = words::counted(self.items.len(), total, &title);
            format!("{beside}{counted}")
        };
        header.push_str(&table.stated());
        // One row alone has no order, but one page has.
        let is_alone = self.items.len() == 1 && !self.is_part(total);
        if let Some(order) = self.order(viewed).filter(|_| !is_alone) {
            header.push_str(&format!(", {order}"));
        }
        if let Some(only) = table.only_column() {
            page.lines.push(format!("{header}: {only}"));
            return page;
        }
        if !table.columns.is_empty() {
            header.push_str(&format!(": {}", table.columns()));
        }
        page.lines.push(header);
        page.lines.extend(table.rows);
        if !table.cut.is_empty() {
            let cut = table.cut.join(",");
            page.lines.push(match table.columns.first() {
                Some(first) if !table.cut.contains(first) => {
                    format!("cut: --fields {first},{cut} gives all")
                }
                _ => format!("cut: --fields {cut} gives all"),
            });
        }
        page
    }

    fn order(&self, viewed: &Viewed<'_>) -> Option<String> {
        if let Some(sort) = viewed.sort {
            return Some(format!("by {}", flat(&sort.to_string())));
        }
        let order = self.list?.order.as_deref()?;
        Some(flat(order))
    }

    fn table(&self, viewed: &Viewed<'_>, title: &str) -> Table {
        let rows: Option<Vec<_>> = self.items.iter().map(Value::as_object).collect();
        let Some(rows) = rows else {
            return Table {
                rows: self.items.iter().map(value::inline).collect(),
                ..Table::default()
            };
        };
        // Of other lists the caller chooses no columns.
        let usual = self.list.map_or(&[][..], |list| list.columns.as_slice());
        let wanted = Wanted {
            always: self.list.map_or(&[], |list| list.always.as_slice()),
            asked: viewed.fields.filter(|_| self.list.is_some()),
            usual: if viewed.feeds_each {
                &usual[..usual.len().min(COLUMNS_FOR_EACH)]
            } else {
                usual
            },
            cuts: viewed.cuts(),
        };
        let mut table = Table::of(&rows, wanted);
        table
            .stated
            .retain(|(name, value)| !words::tells(self.list, title, name, value));
        table
    }

    /// What is said before the title, and long texts for the end.
    fn beside(&self) -> (Vec<String>, Vec<(String, String)>) {
        let counts: Vec<_> = self
            .beside
            .iter()
            .filter_map(|(name, value)| Some((*name, value.as_u64()?)))
            .collect();
        // A count that is not named is then known to be zero; and of nothing there is no part.
        let no_zeros = counts::adds_up(&counts)
            || (self.items.is_empty() && counts.iter().all(|(_, count)| *count == 0));
        let (mut short, mut long) = (Vec::new(), Vec::new());
        for (name, value) in &self.beside {
            let is_needless = value::is_empty(value) || (no_zeros && value.as_u64() == Some(0));
            match value.as_str().filter(|text| value::is_long(text)) {
                _ if is_needless => {}
                Some(text) => long.push((flat(name), crate::clean::clean(text))),
                None => short.push(format!("{} {}", flat(name), value::inline(value))),
            }
        }
        (short, long)
    }

    /// Whether a total beside the list says how many rows there are.
    fn tells_count(&self, total: Option<u64>) -> bool {
        let rows = u64::try_from(self.items.len()).ok();
        let mut beside = self.beside.iter();
        let says = |(name, value): &(&str, &Value)| *name == TOTAL && value.as_u64() == rows;
        !self.is_part(total) && beside.any(says)
    }

    /// Whether there are more rows than these.
    fn is_part(&self, total: Option<u64>) -> bool {
        let rows = u64::try_from(self.items.len());
        total.is_some_and(|total| rows.is_ok_and(|rows| total > rows))
    }
}
