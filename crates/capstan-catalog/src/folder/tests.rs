//! Folders: the cache gives what the files give, any change is seen, and no bytes cause a panic.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, SystemTime};

use capstan_core::ServiceName;

use super::{CardFolder, FolderOwner, OpenedFolder, open_folder};

static COUNT: AtomicUsize = AtomicUsize::new(0);

struct TestFolder(PathBuf);

impl TestFolder {
    fn new() -> Self {
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("capstan-folder-{}-{count}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        fs::create_dir_all(&folder).unwrap();
        Self(folder)
    }

    fn write(&self, name: &str, text: &str) -> PathBuf {
        let file = self.0.join(name);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(&file, text).unwrap();
        file
    }

    fn open(&self, cached: Option<&[u8]>, now: SystemTime) -> OpenedFolder {
        open_folder(&self.0, &FolderOwner::User, cached, "test", now)
    }

    /// Opens the folder as it is opened long after its files were written, and returns the cache.
    fn settled_cache(&self) -> Vec<u8> {
        let opened = self.open(None, later());
        opened.cache.unwrap()
    }
}

impl Drop for TestFolder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "files have the time of the system"
)]
fn now() -> SystemTime {
    SystemTime::now()
}

/// Returns a time at which files that are written now are old.
fn later() -> SystemTime {
    now() + Duration::from_secs(3600)
}

fn card(id: &str) -> String {
    format!(
        "capability_id: {id}\nversion: 1.0.0\ndescription: Show a thing.\noperation: READ\nno_graphql: a test\n\
         input_schema: {{ type: object, properties: {{ name: {{ type: string }} }} }}\n\
         output_schema: {{ type: object, properties: {{ title: {{ type: string }} }} }}\n\
         rest: {{ method: GET, path: '/things/{{name}}', output: {{ fields: {{ title: title }} }} }}\n"
    )
}

fn outline(id: &str, service: Option<&str>) -> String {
    let service = service.map_or(String::new(), |name| format!("  service: {name}\n"));
    format!(
        "{id}:\n  description: Show a thing.\n{service}  call: GET /things/{{id}}\n  source: s\n  \
         input: {{ id: integer }}\n  output: {{ name: string }}\n"
    )
}

fn ids(folder: &CardFolder) -> Vec<String> {
    let all = folder.cards.iter().chain(folder.outlines.iter());
    all.map(|card| {
        assert_eq!(card.unpack().unwrap().id.as_str(), card.id);
        card.id.to_owned()
    })
    .collect()
}

fn messages(folder: &CardFolder) -> Vec<String> {
    folder.diagnostics.iter().map(ToString::to_string).collect()
}

#[test]
fn the_cache_gives_what_the_files_give() {
    let folder = TestFolder::new();
    folder.write("a.yaml", &card("thing.a"));
    folder.write("sub/b.yml", &card("thing.b"));
    folder.write("c.yaml", &card("thing.a"));
    folder.write("bad.yaml", "capability_id: thing.c\nnonsense: 1\n");
    folder.write("generated.yaml", &outline("thing.outlined", None));
    let bad = outline("bad.one", None).replace("integer", "nothing|integer");
    folder.write(
        "half.yaml",
        &format!("{}\n{bad}", outline("good.one", None)),
    );
    let first = folder.open(None, later());
    let cache = first.cache.unwrap();
    let second = folder.open(Some(&cache), later());
    assert!(second.cache.is_none(), "nothing has to be kept again");
    assert_eq!(ids(&first.folder), ids(&second.folder));
    let expected = ["thing.a", "thing.b", "good.one", "thing.outlined"];
    assert_eq!(ids(&first.folder), expected);
    let (first, second) = (messages(&first.folder), messages(&second.folder));
    assert_eq!(first, second);
    for (wrong, code) in [
        ("bad.yaml", "E041"),
        ("c.yaml", "E044"),
        ("half.yaml", "E042"),
    ] {
        let is_about = |text: &&String| text.contains(wrong) && text.contains(code);
        assert_eq!(
            first.iter().filter(is_about).count(),
            1,
            "{wrong}: {first:#?}"
        );
    }
    assert_eq!(first.len(), 3, "{first:#?}");
}

/// Returns whether the cache is used after a change.
#[track_caller]
fn is_used_after(change: impl FnOnce(&Path)) -> bool {
    let folder = TestFolder::new();
    folder.write("a.yaml", &card("thing.a"));
    let with_document = card("thing.b").replace(
        "no_graphql: a test\n",
        "graphql: { document: b.graphql, variables: {}, output: { fields: { title: viewer.login } } }\n",
    );
    folder.write("b.yaml", &with_document);
    folder.write("b.graphql", "query B { viewer { login } }");
    let opened = folder.open(None, later());
    assert!(
        messages(&opened.folder).is_empty(),
        "{:?}",
        messages(&opened.folder)
    );
    let cache = opened.cache.unwrap();
    change(&folder.0);
    let opened = folder.open(Some(&cache), later());
    opened.cache.is_none()
}

/// Changes something in a folder.
type Change = fn(&Path);

#[test]
fn every_change_is_seen() {
    assert!(is_used_after(|_| ()));
    let cases: [(&str, Change); 7] = [
        ("new", |it| {
            fs::write(it.join("z.yaml"), card("thing.z")).unwrap();
        }),
        ("removed", |it| fs::remove_file(it.join("a.yaml")).unwrap()),
        ("renamed", |it| {
            fs::rename(it.join("a.yaml"), it.join("c.yaml")).unwrap();
        }),
        ("longer", |it| {
            fs::write(it.join("a.yaml"), card("thing.longer")).unwrap();
        }),
        ("document", |it| {
            fs::write(it.join("b.graphql"), "query C { viewer { login } }").unwrap();
        }),
        ("no document", |it| {
            fs::remove_file(it.join("b.graphql")).unwrap();
        }),
        ("in a folder", |it| {
            fs::create_dir(it.join("deep")).unwrap();
            fs::write(it.join("deep/a.yml"), card("thing.deep")).unwrap();
        }),
    ];
    for (name, change) in cases {
        assert!(!is_used_after(change), "{name}");
    }
    assert!(is_used_after(
        |it| fs::write(it.join("notes.txt"), "hello").unwrap()
    ));
}

#[test]
fn the_same_size_and_time_are_not_enough() {
    let folder = TestFolder::new();
    let file = folder.write("a.yaml", &card("thing.a"));
    let modified = fs::metadata(&file).unwrap().modified().unwrap();
    // Packed right after it was written: another text may get the same time.
    let cache = folder.open(None, now()).cache.unwrap();
    fs::write(&file, card("thing.b")).unwrap();
    let opened = fs::File::options().write(true).open(&file).unwrap();
    opened.set_modified(modified).unwrap();
    let opened = folder.open(Some(&cache), now());
    assert_eq!(ids(&opened.folder), ["thing.b"]);
}

#[test]
fn contents_are_compared_only_while_times_are_recent() {
    let folder = TestFolder::new();
    folder.write("a.yaml", &card("thing.a"));
    let early = folder.open(None, now()).cache.unwrap();
    assert!(
        folder.open(Some(&early), now()).cache.is_none(),
        "contents are the same"
    );
    // Later, the times are enough, and the cache says so.
    let renewed = folder.open(Some(&early), later()).cache.unwrap();
    assert_ne!(early, renewed);
    assert!(folder.open(Some(&renewed), later()).cache.is_none());
}

#[test]
fn another_program_or_owner_reads_the_files_again() {
    let folder = TestFolder::new();
    folder.write("a.yaml", &card("thing.a"));
    let cache = folder.settled_cache();
    let is_used = |owner: &FolderOwner, program: &str| {
        let opened = open_folder(&folder.0, owner, Some(&cache), program, later());
        opened.cache.is_none()
    };
    assert!(is_used(&FolderOwner::User, "test"));
    assert!(!is_used(&FolderOwner::User, "next"));
    assert!(!is_used(&FolderOwner::CurrentFolder, "test"));
    let other = TestFolder::new();
    other.write("a.yaml", &card("thing.a"));
    assert!(other.open(Some(&cache), later()).cache.is_some());
}

/// Every byte is changed, and every length is tried.
#[test]
fn damage_is_found_and_never_a_panic() {
    let folder = TestFolder::new();
    folder.write("a.yaml", &card("thing.a"));
    let good = folder.settled_cache();
    assert!(folder.open(Some(&good), later()).cache.is_none());
    for at in 0..good.len() {
        let mut bytes = good.clone();
        bytes[at] ^= 0x55;
        let opened = folder.open(Some(&bytes), later());
        assert!(opened.cache.is_some(), "byte {at} is not checked");
        assert_eq!(opened.folder.cards.len(), 1);
    }
    for length in 0..good.len() {
        let opened = folder.open(Some(&good[..length]), later());
        assert!(opened.cache.is_some(), "{length} bytes");
    }
    let mut longer = good;
    longer.push(0);
    assert!(folder.open(Some(&longer), later()).cache.is_some());
}

#[test]
fn cards_of_a_found_folder_call_no_service() {
    let folder = TestFolder::new();
    let with_service = card("shop.things.view").replace("no_graphql: a test", "service: shop");
    folder.write("card.yaml", &with_service);
    folder.write("outlines.yaml", &outline("shop.orders.view", Some("shop")));
    folder.write("own.yaml", &card("thing.a"));
    let open = |owner: &FolderOwner| open_folder(&folder.0, owner, None, "test", later()).folder;
    let opened = open(&FolderOwner::User);
    assert_eq!(
        ids(&opened),
        ["shop.things.view", "thing.a", "shop.orders.view"]
    );
    let opened = open(&FolderOwner::CurrentFolder);
    assert_eq!(ids(&opened), ["thing.a"]);
    let messages = messages(&opened);
    assert_eq!(messages.len(), 2, "{messages:#?}");
    assert!(
        messages
            .iter()
            .all(|it| it.contains("may not use your secrets"))
    );
}

#[test]
fn the_folder_of_a_service_has_cards_of_that_service_only() {
    let folder = TestFolder::new();
    folder.write("good.yaml", &outline("shop.orders.view", Some("shop")));
    folder.write("github.yaml", &outline("shop.github.view", None));
    folder.write("other.yaml", &outline("shop.other.view", Some("bank")));
    folder.write("outside.yaml", &outline("issue.view", Some("shop")));
    let owner = FolderOwner::Service(ServiceName::parse("shop").unwrap());
    let opened = open_folder(&folder.0, &owner, None, "test", later()).folder;
    assert_eq!(ids(&opened), ["shop.orders.view"]);
    assert_eq!(opened.diagnostics.len(), 3, "{:#?}", messages(&opened));
}
