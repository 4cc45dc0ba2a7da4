//! Finds the GitHub repository of a folder from its git remotes.

use std::path::Path;
use std::process::Stdio;

use capstan_github::GithubHost;

/// Returns owner and name of the repository of a folder. Only remotes on `host` count; `upstream` is preferred, then
/// `github`, then `origin`, then the first of the others.
pub(crate) fn repository_of_folder(folder: &Path, host: &GithubHost) -> Option<(String, String)> {
    #[expect(
        clippy::disallowed_methods,
        reason = "this module is the one that runs git"
    )]
    let output = std::process::Command::new("git")
        .arg("-C")
        .arg(folder)
        .args(["remote", "-v"])
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .output()
        .ok()
        .filter(|output| output.status.success())?;
    choose_remote(&String::from_utf8_lossy(&output.stdout), host)
}

/// Chooses a remote from the output of `git remote -v`.
fn choose_remote(remotes: &str, host: &GithubHost) -> Option<(String, String)> {
    let rank = |name: &str| match name {
        "upstream" => 0,
        "github" => 1,
        "origin" => 2,
        _ => 3,
    };
    remotes
        .lines()
        .filter_map(|line| {
            let mut words = line.split_whitespace();
            let (name, address) = (words.next()?, words.next()?);
            Some((rank(name), repository_of(address, host)?))
        })
        .min_by_key(|(rank, _)| *rank)
        .map(|(_, repository)| repository)
}

/// Parses `https://host/owner/repo.git`, `ssh://git@host:22/owner/repo` and `git@host:owner/repo`.
fn repository_of(address: &str, host: &GithubHost) -> Option<(String, String)> {
    let (authority, path) = match address.split_once("://") {
        Some((_, rest)) => rest.split_once('/')?,
        None => address.split_once(':')?,
    };
    let name = authority.rsplit('@').next()?.split(':').next()?;
    let found = GithubHost::parse(name).ok()?;
    if found.name() != host.name() && found.name() != format!("ssh.{}", host.name()) {
        return None;
    }
    let (owner, repo) = path.trim_matches('/').split_once('/')?;
    let repo = repo.strip_suffix(".git").unwrap_or(repo);
    (!owner.is_empty() && !repo.is_empty() && !repo.contains('/'))
        .then(|| (owner.to_owned(), repo.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn remotes_of_every_form_are_read() {
        let expected = Some(("acme".to_owned(), "rocket".to_owned()));
        for address in [
            "https://github.com/acme/rocket.git",
            "https://user:pw@github.com/acme/rocket",
            "git@github.com:acme/rocket.git",
            "ssh://git@github.com:22/acme/rocket.git",
            "ssh://git@ssh.github.com:443/acme/rocket.git",
            "git://github.com/acme/rocket/",
        ] {
            assert_eq!(
                repository_of(address, &GithubHost::github_com()),
                expected,
                "{address}"
            );
        }
        for address in [
            "https://example.org/acme/rocket",
            "/srv/rocket.git",
            "git@github.com:rocket",
            "https://github.com/a/b/c",
        ] {
            assert_eq!(
                repository_of(address, &GithubHost::github_com()),
                None,
                "{address}"
            );
        }
    }

    #[test]
    fn upstream_wins_over_origin() {
        let remotes = "origin\tgit@github.com:me/rocket.git (fetch)\nupstream\thttps://github.com/acme/rocket (fetch)\n";
        assert_eq!(
            choose_remote(remotes, &GithubHost::github_com()).unwrap().0,
            "acme"
        );
    }
}
