//! Days as people write them.

use time::Date;
use time::macros::format_description;

/// `2027-01-31`
pub(crate) fn parse(text: &str) -> Option<Date> {
    Date::parse(text, format_description!("[year]-[month]-[day]")).ok()
}
