//! A GitHub that takes every request and never answers: whatever asks it is under way for as long as
//! the test wants.

use std::net::{Ipv4Addr, TcpListener, TcpStream};

use serde_json::{Value, json};

use super::surface::{Surface as _, World};
use crate::cli::harness::Place;
use crate::support::TOKEN;

/// Asks GitHub for something when it is told to.
pub(super) const WAITS: &str =
    "if (args.wait) await capstan.issue.view({owner: 'a', repo: 'b', issue_number: 1}); return 1";

pub(super) struct Silence {
    listener: TcpListener,
    pub(super) world: World,
}

impl Silence {
    /// With a configuration.
    pub(super) fn with(config: &str) -> Self {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let place = Place::new();
        let place = place.env("GITHUB_API_URL", url).env("GITHUB_TOKEN", TOKEN);
        let file = place.write("config.toml", config);
        Self {
            listener,
            world: World::at(place, &["--config", file.to_str().unwrap()]),
        }
    }

    /// Waits until somebody asks something. Whoever drops what this gives hangs up.
    pub(super) fn is_asked(&self) -> TcpStream {
        self.listener.accept().unwrap().0
    }

    /// Remembers code under a name; its full one.
    pub(super) fn learn(&self, name: &str, code: &str) -> String {
        let mut cli = self.world.cli();
        let ran = cli.exec(name, code, &json!({}));
        let fqdn = ran["meta"]["capability_fqdn"].as_str();
        let fqdn = fqdn.expect("it is remembered").to_owned();
        cli.run("cap.name", &json!({"capability": fqdn, "name": name}));
        fqdn
    }

    pub(super) fn statistics(&self, name: &str) -> Value {
        let shown = self
            .world
            .cli()
            .run("cap.show", &json!({"capability": name}));
        shown["data"]["statistics"].clone()
    }

    pub(super) fn newest_trace(&self) -> Value {
        let mut cli = self.world.cli();
        let newest = cli.run("trace.list", &json!({"limit": 1}));
        let id = newest["data"]["traces"][0]["id"].clone();
        cli.run("trace.show", &json!({"id": id}))["data"].clone()
    }
}
