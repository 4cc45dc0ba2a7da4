//! Services beside GitHub: their descriptions are imported, and their cards are run against servers that are made from
//! the same descriptions. The servers share no type with Capstan.

mod example;
mod folders;
mod graphql_server;
mod http;
mod import;
mod packed_folders;
mod rest_server;
mod shopify;
mod stripe;
mod support;
