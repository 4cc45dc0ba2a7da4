//! How relations are stored in the file.

use std::path::Path;

use capstan_core::code::{EdgeKind, EdgeSource, Evidence, Node, Observation};
use capstan_core::port::{Relations as _, Store as _};
use capstan_store::SqliteStore;
use futures_executor::block_on;
use rusqlite::Connection;
use tempfile::TempDir;

use crate::contract::{ann, card, code, learn, new, seen, state};

/// Creates a file with code that is related to other code and to a card.
fn filled() -> (TempDir, SqliteStore, [Node; 3]) {
    let folder = tempfile::tempdir().unwrap();
    let store = SqliteStore::new(folder.path().join("capstan.db"));
    let [a, b] = ["a", "b"].map(|beginning| {
        let made = block_on(store.register(new(beginning))).unwrap();
        code(&made.record.fqdn)
    });
    let view = card("issue.view");
    let kind = EdgeKind::Contains;
    let everything = vec![
        seen(&a, &b, kind, 1),
        seen(&b, &a, kind, 1),
        seen(&a, &view, kind, 1),
        seen(&view, &b, kind, 1),
        seen(&view, &card("pr.list"), kind, 1),
    ];
    block_on(learn(&store, &ann(), 1, everything));
    (folder, store, [a, b, view])
}

fn open(folder: &Path) -> Connection {
    let connection = Connection::open(folder.join("capstan.db")).unwrap();
    connection
        .pragma_update(None, "foreign_keys", true)
        .unwrap();
    connection
}

fn pairs(connection: &Connection, sql: &str) -> Vec<(String, String)> {
    let mut statement = connection.prepare(sql).unwrap();
    let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)));
    rows.unwrap().map(Result::unwrap).collect()
}

const TABLES: [&str; 3] = [
    "capability_dependency",
    "tool_dependency",
    "edge_observation",
];

fn counts(connection: &Connection) -> [i64; 3] {
    TABLES.map(|table| {
        let sql = format!("SELECT count(*) FROM {table}");
        connection.query_row(&sql, [], |row| row.get(0)).unwrap()
    })
}

/// Relations between code are in one table, with foreign keys; all others are in the other.
#[test]
fn each_relation_is_in_its_table() {
    let (folder, store, [a, b, view]) = filled();
    drop(store);
    let connection = open(folder.path());
    let found = pairs(
        &connection,
        "SELECT from_capability_id, to_capability_id FROM capability_dependency ORDER BY 1, 2",
    );
    let [a, b, view] = [&a, &b, &view].map(|it| it.to_string());
    assert_eq!(found, [(a.clone(), b.clone()), (b.clone(), a.clone())]);
    let found = pairs(
        &connection,
        "SELECT from_tool_id, to_tool_id FROM tool_dependency ORDER BY 1, 2",
    );
    let list = "pr.list".to_owned();
    assert_eq!(found, [(view.clone(), b), (view.clone(), list), (a, view)]);

    let keys = pairs(
        &connection,
        "SELECT \"from\", \"table\" || '.' || \"to\" || ' ' || on_delete \
         FROM pragma_foreign_key_list('capability_dependency') ORDER BY 1",
    );
    let pattern = "workflow_pattern.pattern_id CASCADE".to_owned();
    assert_eq!(
        keys,
        [
            ("from_capability_id".to_owned(), pattern.clone()),
            ("to_capability_id".to_owned(), pattern),
        ]
    );
}

/// The database computes it, so no code can compute it wrongly.
#[test]
fn confidence_is_that_of_kind_and_source() {
    let (folder, store, [a, b, view]) = filled();
    let expected = |kind: EdgeKind, source: EdgeSource| {
        // In hundredths, as people read it.
        let by_source = match source {
            EdgeSource::Observed | EdgeSource::Manual => ["1", "0.8", "0.6", "0.5"],
            EdgeSource::Inferred => ["0.7", "0.56", "0.42", "0.35"],
            EdgeSource::Template => ["0.5", "0.4", "0.3", "0.25"],
        };
        let kinds = [
            EdgeKind::Dependency,
            EdgeKind::Contains,
            EdgeKind::Alternative,
            EdgeKind::Sequence,
        ];
        let place = kinds.iter().position(|it| *it == kind).unwrap();
        by_source[place].parse::<f64>().unwrap()
    };
    let connection = open(folder.path());
    for (from, to) in [(&a, &b), (&a, &view)] {
        for kind in EdgeKind::ALL {
            for source in EdgeSource::ALL {
                block_on(store.remove_edge(&ann(), from, to)).unwrap();
                let edge = block_on(state(&store, &ann(), (from, to), kind, source)).edge;
                let sql = "SELECT confidence_score FROM relation WHERE from_id = ?1 AND to_id = ?2";
                let ends = [from.as_str(), to.as_str()];
                let kept: f64 = connection.query_row(sql, ends, |row| row.get(0)).unwrap();
                assert_eq!(kept, expected(kind, source), "{kind:?} {source:?}");
                assert_eq!(kept, edge.confidence());
            }
        }
    }
}

/// This holds whoever deletes it.
#[test]
fn nothing_outlives_its_code_or_its_trace() {
    let (folder, store, [a, b, _]) = filled();
    let alike = Observation {
        evidence: Evidence::AlikeIntents(0.95),
        ..seen(&b, &a, EdgeKind::Alternative, 1)
    };
    let fqdn = b.code().unwrap();
    block_on(store.relate(&ann(), fqdn, vec![alike], 5)).unwrap();
    drop(store);
    let connection = open(folder.path());
    assert_eq!(counts(&connection), [2, 3, 6]);
    connection.execute("DELETE FROM traces", []).unwrap();
    assert_eq!(counts(&connection), [2, 3, 1]);
    let sql = "DELETE FROM workflow_pattern WHERE pattern_id = ?1";
    connection.execute(sql, [a.as_str()]).unwrap();
    assert_eq!(counts(&connection), [0, 2, 0]);
    connection.execute(sql, [b.as_str()]).unwrap();
    assert_eq!(counts(&connection), [0, 1, 0]);
}

/// Otherwise a query for one relation would read all of them.
#[test]
fn nothing_that_is_asked_for_often_is_read_through() {
    let (folder, store, _) = filled();
    drop(store);
    let connection = open(folder.path());
    for sql in [
        "SELECT * FROM relation WHERE from_id = ?1 ORDER BY to_id",
        "SELECT * FROM relation WHERE to_id = ?1 ORDER BY from_id",
        "SELECT * FROM relation WHERE from_id = ?1 AND to_id = ?2",
        "SELECT count(*) FROM relation WHERE from_id = ?1 OR to_id = ?1",
        "SELECT to_id FROM relation WHERE from_id = ?1 AND +edge_type = 'contains' ORDER BY to_id",
        "SELECT from_id FROM relation WHERE to_id = ?1 AND +edge_type = 'contains' \
         ORDER BY from_id",
        "SELECT subject, object FROM change WHERE number > ?1 AND what = ?2 ORDER BY number",
        "DELETE FROM change WHERE what = 'edge' AND subject = ?1 AND object = ?2",
        "SELECT * FROM edge_observation WHERE from_id = ?1 AND to_id = ?2",
        "SELECT id FROM traces WHERE org = ?1 AND project = ?2 AND owner = ?3 AND learned = 0 \
         ORDER BY id",
        "SELECT id FROM capability_records WHERE org = ?1 AND project = ?2 AND owner = ?3 \
         AND related = 0 ORDER BY created_at, id",
        "SELECT 1 FROM code_audience WHERE fqdn = ?1",
        // In the order of both tables.
        "SELECT from_id, to_id FROM relation ORDER BY from_id, to_id",
    ] {
        let mut statement = connection
            .prepare(&format!("EXPLAIN QUERY PLAN {sql}"))
            .unwrap();
        let plan: Vec<String> = statement
            .raw_query()
            .mapped(|row| row.get(3))
            .map(Result::unwrap)
            .collect();
        let whole = sql.ends_with("ORDER BY from_id, to_id");
        // The view is read as far as its tables contribute.
        let scans = |step: &String| step.starts_with("SCAN") && step != "SCAN relation";
        let reads_all = plan.iter().any(scans) && !whole;
        let sorts = plan.iter().any(|step| step.contains("TEMP B-TREE"));
        // Changes are found by number, not by kind; relations by their ends.
        let of_few = ["(what=?)", "(edge_type=?)"];
        let by_sort = plan
            .iter()
            .any(|step| of_few.iter().any(|it| step.ends_with(it)));
        assert!(!reads_all && !sorts && !by_sort, "{sql}: {plan:?}");
    }
}
