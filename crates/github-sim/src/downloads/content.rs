//! Finds the bytes behind a path of the storage host.

use super::archive::{ArchiveEntry, tar_gz, zip};
use super::logs;
use crate::world::{RepoId, Repository, World};

/// A file that is downloaded.
#[derive(Debug)]
pub(crate) struct Download {
    pub(crate) media_type: String,
    pub(crate) file_name: String,
    pub(crate) bytes: Vec<u8>,
}

impl Download {
    fn new(media_type: &str, file_name: impl Into<String>, bytes: Vec<u8>) -> Self {
        Self {
            media_type: media_type.to_owned(),
            file_name: file_name.into(),
            bytes,
        }
    }
}

/// Returns the file at a path of the storage host, or `None` if there is none.
pub(crate) fn find(world: &World, path: &[String]) -> Option<Download> {
    let path: Vec<&str> = path.iter().map(String::as_str).collect();
    let settings = world.memory.downloads;
    let zipped = |name: String, entries: &[ArchiveEntry]| {
        let bytes = zip(entries, settings.bomb_megabytes)?;
        Some(Download::new("application/zip", name, bytes))
    };
    match path.as_slice() {
        ["jobs", owner, name, id] => {
            let id: u64 = id.parse().ok()?;
            let (_, repo) = repository(world, owner, name)?;
            let job = repo.runs.iter().find_map(|run| run.job(id))?;
            let bytes = logs::job_log(&job, settings.log_megabytes);
            Some(Download::new("text/plain; charset=utf-8", "log.txt", bytes))
        }
        ["runs", owner, name, id, _attempt] => {
            let id: u64 = id.parse().ok()?;
            let (_, repo) = repository(world, owner, name)?;
            let run = repo.runs.iter().find(|run| run.id == id)?;
            zipped(
                format!("logs_{id}.zip"),
                &logs::run_logs(run, settings.log_megabytes),
            )
        }
        ["archives", owner, name, format, reference] => {
            let (_, repo) = repository(world, owner, name)?;
            let folder = format!("{owner}-{name}-{}", reference.replace('/', "-"));
            let files = repo.files.iter();
            let entries: Vec<ArchiveEntry> = files
                .map(|(path, text)| (format!("{folder}/{path}"), text.clone().into_bytes()))
                .collect();
            if *format == "zipball" {
                return zipped(format!("{folder}.zip"), &entries);
            }
            let bytes = tar_gz(&entries)?;
            Some(Download::new(
                "application/x-gzip",
                format!("{folder}.tar.gz"),
                bytes,
            ))
        }
        ["assets", owner, name, id] => {
            let (repo, _) = repository(world, owner, name)?;
            let id = id.parse().ok()?;
            let Some(asset) = world.memory.asset(repo, id) else {
                let bytes = b"a released file\n".to_vec();
                return Some(Download::new(
                    "application/octet-stream",
                    "example.bin",
                    bytes,
                ));
            };
            Some(Download::new(
                &asset.content_type,
                &asset.name,
                asset.bytes.clone(),
            ))
        }
        ["sbom", id] => {
            let text = serde_json::json!({ "sbom": { "spdxVersion": "SPDX-2.3", "name": id } });
            let bytes = text.to_string().into_bytes();
            Some(Download::new("application/json", "sbom.json", bytes))
        }
        ["files", name] => {
            let entry = (
                "results.txt".to_owned(),
                format!("made for {name}\n").into_bytes(),
            );
            zipped(format!("{name}.zip"), &[entry])
        }
        _ => None,
    }
}

fn repository<'w>(world: &'w World, owner: &str, name: &str) -> Option<(RepoId, &'w Repository)> {
    let id = world.find_repo(owner, name)?;
    Some((id, world.repo(id)?))
}
