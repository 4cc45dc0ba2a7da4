//! Relations, learning, search and suggestion through the whole product, over MCP and on the command
//! line.

mod declared;
mod endpoint;
mod learning;
mod negation;
mod relations;
mod replay;
mod search;
mod suggestion;
mod support;
mod terminal;
mod unread;
