//! Shows a list: a header that describes the rows, and one row per line.

use capstan_core::card::List;
use serde_json::{Map, Value};

use crate::clean::single_line;
use crate::context::ViewContext;
use crate::counts::{self, TOTAL};
use crate::object::BODY;
use crate::page::TextPage;
use crate::parts::ResultParts;
use crate::table::{ColumnSelection, Table, similar_rows};
use crate::title;
use crate::value;

/// How many columns are shown of a list whose rows another step processes: enough to identify them.
const COLUMNS_FOR_EACH: usize = 2;

/// The rows in some data, and the fields beside them.
pub(crate) struct ListView<'a> {
    field: &'a str,
    items: &'a [Value],
    /// The card's description of the list.
    list: Option<&'a List>,
    beside: Vec<(&'a str, &'a Value)>,
}

/// Returns the list that the card names, or the only list if all other fields are scalars.
pub(crate) fn find<'a>(
    data: &'a Map<String, Value>,
    context: &ViewContext<'a>,
) -> Option<ListView<'a>> {
    let named = context.card.and_then(|card| card.list.as_ref());
    let named = named.filter(|list| data.get(&list.field).is_some_and(Value::is_array));
    let field = match named {
        Some(list) => list.field.as_str(),
        // Selected fields form an object.
        None if context.fields.is_some() => return None,
        None => only_list(data)?,
    };
    let beside = data.iter().filter(|(name, _)| *name != field);
    Some(ListView {
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
    // Comments are a part of what they are about.
    let are_comments = || data.len() > 1 && items.iter().any(|item| item.get(BODY).is_some());
    let are_rows = if items.is_empty() {
        data.len() == 1
    } else {
        similar_rows(items).is_some() && !has_long_texts() && !are_comments()
    };
    (is_only && are_rows).then_some(field)
}

impl ListView<'_> {
    pub(crate) fn view(&self, parts: &ResultParts<'_>, context: &ViewContext<'_>) -> TextPage {
        let title = title::render(self.list, self.field, context.input);
        let mut page = TextPage::default();
        let (beside, texts) = self.beside();
        page.texts = texts;
        let beside = if beside.is_empty() {
            String::new()
        } else {
            format!("{}; ", beside.join(", "))
        };
        if self.items.is_empty() {
            let nothing = match parts.note {
                Some(note) => single_line(note),
                None => format!("no {title}"),
            };
            page.lines.push(format!("{beside}{nothing}"));
            return page;
        }
        let table = self.table(context, &title);
        let total = parts.pagination.and_then(|pages| pages.total);
        let mut header = if self.shows_count(total) {
            format!("{beside}{title}")
        } else {
            let counted = title::counted(self.items.len(), total, &title);
            format!("{beside}{counted}")
        };
        header.push_str(&table.common_values());
        // A single row has no order, but a page with one row has.
        let is_alone = self.items.len() == 1 && !self.is_part(total);
        if let Some(order) = self.order(context)
            && !is_alone
        {
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

    fn order(&self, context: &ViewContext<'_>) -> Option<String> {
        if let Some(sort) = context.sort {
            return Some(format!("by {}", single_line(&sort.to_string())));
        }
        let order = self.list?.order.as_deref()?;
        Some(single_line(order))
    }

    fn table(&self, context: &ViewContext<'_>, title: &str) -> Table {
        let rows: Option<Vec<_>> = self.items.iter().map(Value::as_object).collect();
        let Some(rows) = rows else {
            return Table {
                rows: self.items.iter().map(value::inline).collect(),
                ..Table::default()
            };
        };
        // Columns can only be selected in lists that the card describes.
        let defaults = self.list.map_or(&[][..], |list| list.columns.as_slice());
        let selection = ColumnSelection {
            always: self.list.map_or(&[], |list| list.always.as_slice()),
            requested: if self.list.is_some() {
                context.fields
            } else {
                None
            },
            defaults: if context.feeds_each {
                &defaults[..defaults.len().min(COLUMNS_FOR_EACH)]
            } else {
                defaults
            },
            truncates: context.truncates(),
        };
        let mut table = Table::from_rows(&rows, selection);
        table
            .common_values
            .retain(|(name, value)| !title::contains_input(self.list, title, name, value));
        table
    }

    /// Returns the texts before the title, and the long texts for the end.
    fn beside(&self) -> (Vec<String>, Vec<(String, String)>) {
        let counts: Vec<_> = self
            .beside
            .iter()
            .filter_map(|(name, value)| Some((*name, value.as_u64()?)))
            .collect();
        // If the counts add up, omitted counts are known to be zero; and an empty list has no parts.
        let no_zeros = counts::adds_up(&counts)
            || (self.items.is_empty() && counts.iter().all(|(_, count)| *count == 0));
        let (mut short, mut long) = (Vec::new(), Vec::new());
        for (name, value) in &self.beside {
            let is_needless = value::is_empty(value) || (no_zeros && value.as_u64() == Some(0));
            match value.as_str().filter(|text| value::is_long(text)) {
                _ if is_needless => {}
                Some(text) => long.push((single_line(name), crate::clean::clean(text))),
                None => short.push(format!("{} {}", single_line(name), value::inline(value))),
            }
        }
        (short, long)
    }

    /// Returns whether a total beside the list equals the number of rows.
    fn shows_count(&self, total: Option<u64>) -> bool {
        let rows = u64::try_from(self.items.len()).ok();
        let mut beside = self.beside.iter();
        let says = |(name, value): &(&str, &Value)| *name == TOTAL && value.as_u64() == rows;
        !self.is_part(total) && beside.any(says)
    }

    /// Returns whether there are more rows than these.
    fn is_part(&self, total: Option<u64>) -> bool {
        let rows = u64::try_from(self.items.len());
        total.is_some_and(|total| rows.is_ok_and(|rows| total > rows))
    }
}
