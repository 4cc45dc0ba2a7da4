//! The simulator that `--demo` starts inside this process.

use std::ffi::OsString;
use std::net::{Ipv4Addr, SocketAddr};

use anyhow::Context as _;
use capstan_core::Secret;
use capstan_github::{Endpoint, GithubHost};
use github_sim::{Server, Sim};

/// A running simulator. It stops when this value is dropped.
pub(crate) struct DemoServer {
    pub endpoint: Endpoint,
    pub token: Secret,
    /// Environment variables that make the real `gh` talk to the simulator.
    pub gh_env: Vec<(String, OsString)>,
    _servers: Vec<Server>,
    _folder: tempfile::TempDir,
}

impl DemoServer {
    pub(crate) async fn start() -> anyhow::Result<Self> {
        let sim = Sim::demo();
        let loopback = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
        let http = sim
            .serve_tcp(loopback)
            .await
            .context("cannot open a port for the simulator")?;
        let folder = tempfile::tempdir().context("cannot create a temporary folder")?;
        let socket = folder.path().join("github.sock");
        let unix = sim
            .serve_unix(&socket)
            .await
            .context("cannot open a socket for the simulator")?;
        std::fs::write(
            folder.path().join("config.yml"),
            format!("http_unix_socket: {}\n", socket.display()),
        )
        .context("cannot write the configuration of gh for the simulator")?;
        let url = http.url();
        Ok(Self {
            endpoint: Endpoint::from_urls(
                &url,
                &format!("{url}/graphql"),
                &GithubHost::github_com(),
            )?,
            token: Secret::new("demo-token-for-the-simulator"),
            gh_env: vec![
                ("GH_CONFIG_DIR".to_owned(), folder.path().into()),
                // gh caches the features of a server, which differ between servers.
                (
                    "XDG_CACHE_HOME".to_owned(),
                    folder.path().join("cache").into(),
                ),
            ],
            _servers: vec![http, unix],
            _folder: folder,
        })
    }
}
