//! Older files are migrated; foreign and newer ones are left alone.

use std::path::Path;

use capstan_core::code::{EdgeKind, EdgeSource};
use capstan_core::port::{Relations as _, Store as _, StoreError};
use capstan_store::SqliteStore;
use futures_executor::block_on;
use rusqlite::Connection;

use crate::contract::{ann, bob, code, edge, hash, listed, name, new, trace, used};

const FIRST: &str = include_str!("../../../migrations/0001_capabilities.sql");
const BEFORE_THE_GRAPH: [&str; 5] = [
    FIRST,
    include_str!("../../../migrations/0002_relations.sql"),
    include_str!("../../../migrations/0003_traces.sql"),
    include_str!("../../../migrations/0004_known_tools.sql"),
    include_str!("../../../migrations/0005_runs.sql"),
];
const NEWEST: i64 = 9;

fn number(file: &Path, pragma: &str) -> i64 {
    let connection = Connection::open(file).unwrap();
    let value = connection.pragma_query_value(None, pragma, |row| row.get(0));
    value.unwrap()
}

#[test]
fn an_older_file_keeps_what_it_has() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("capstan.db");
    let fresh = folder.path().join("fresh.db");
    block_on(SqliteStore::new(fresh.clone()).register(new("b"))).unwrap();

    let old = Connection::open(&file).unwrap();
    old.execute_batch(FIRST).unwrap();
    let application = number(&fresh, "application_id");
    old.pragma_update(None, "application_id", application)
        .unwrap();
    old.pragma_update(None, "user_version", 1).unwrap();
    let code_hash = hash("a");
    old.execute_batch(&format!(
        "BEGIN;
         INSERT INTO workflow_pattern VALUES ('local.default.code.exec_a0000000.a000', '{code_hash}',
           'return 1', 'one', '{{}}', 5);
         INSERT INTO capability_names (org, project, name, fqdn)
           VALUES ('local', 'default', 'mine', 'local.default.code.exec_a0000000.a000');
         INSERT INTO capability_records VALUES ('local.default.code.exec_a0000000.a000', 'local', 'default', 'code',
           'exec_a0000000', 'a000', 'mine', 'private', 'ann', 7, 6, 1.5, 5, 5, 5);
         COMMIT;"
    ))
    .unwrap();
    drop(old);

    // Even a read migrates the file.
    let store = SqliteStore::new(file.clone());
    let seen = block_on(listed(&store, &ann(), Default::default()));
    assert_eq!(seen, ["mine"]);
    assert_eq!(number(&file, "user_version"), NEWEST);
    let found = block_on(store.register(new("a"))).unwrap();
    assert_eq!(found.record.statistics.usage_count, 8);

    let schema = |file: &Path| -> Vec<String> {
        let connection = Connection::open(file).unwrap();
        let sql =
            "SELECT type || ' ' || name || ' ' || coalesce(sql, '') FROM sqlite_schema ORDER BY 1";
        let mut statement = connection.prepare(sql).unwrap();
        let rows = statement.query_map([], |row| row.get(0)).unwrap();
        rows.map(Result::unwrap).collect()
    };
    assert_eq!(schema(&file), schema(&fresh));
}

/// Relations from before the graph existed have the right confidence. A caller that starts with a
/// copy, or learns from executions, starts with everything.
#[test]
fn older_relations_become_the_graph() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("capstan.db");
    let store = SqliteStore::new(file.clone());
    let [a, b] = ["a", "b"].map(|beginning| {
        let made = block_on(store.register(new(beginning))).unwrap();
        code(&made.record.fqdn)
    });
    drop(store);
    let old = Connection::open(&file).unwrap();
    let patterns: Vec<String> = ["workflow_pattern", "capability_names", "capability_records"]
        .into_iter()
        .map(|table| rows_of(&old, table))
        .collect();
    let application = number(&file, "application_id");
    drop(old);
    std::fs::remove_file(&file).unwrap();

    let old = Connection::open(&file).unwrap();
    for migration in BEFORE_THE_GRAPH {
        old.execute_batch(migration).unwrap();
    }
    old.pragma_update(None, "application_id", application)
        .unwrap();
    old.pragma_update(None, "user_version", 5).unwrap();
    old.execute_batch(&format!(
        "BEGIN;
         {}
         INSERT INTO capability_dependency VALUES ('{a}', '{b}', 3, 0.123, 'contains', 'observed', 5, 6);
         INSERT INTO tool_dependency VALUES ('issue.view', 'pr.list', 1, 0.9, 'sequence', 'inferred', 7, 8);
         INSERT INTO traces VALUES ('t1', 'local', 'default', 'ann', 'single', NULL, NULL, 9, 1, 1,
           NULL, NULL, 0, NULL, 0);
         COMMIT;",
        patterns.join("\n")
    ))
    .unwrap();
    drop(old);

    let store = SqliteStore::new(file);
    let changed = block_on(store.changed_edges(&ann(), 0)).unwrap();
    let found: Vec<_> = changed
        .there
        .iter()
        .map(|it| {
            (
                it.from.to_string(),
                it.observed,
                it.created_at,
                it.last_observed,
            )
        })
        .collect();
    assert_eq!(
        found,
        [("issue.view".to_owned(), 1, 7, 8), (a.to_string(), 3, 5, 6)]
    );
    let surest = block_on(store.all_edges(&ann(), Some(0.7))).unwrap();
    assert_eq!(surest.len(), 1);
    assert_eq!(
        (surest[0].from.clone(), surest[0].confidence()),
        (a.clone(), 0.8)
    );
    assert_eq!(block_on(store.unlearned(&ann(), 9)).unwrap().len(), 1);
    assert_eq!(block_on(store.unrelated(&ann(), 9)).unwrap().len(), 2);
    let code = block_on(store.changed_code(&ann(), 0)).unwrap();
    assert_eq!(code.there.len(), 2);
    // From here on changes are listed, also those of older rows, and only to viewers who may see
    // them.
    block_on(store.add_trace(&ann(), trace(1, &[]))).unwrap();
    block_on(store.record_use(b.code().unwrap(), used(true, 1.0, 1))).unwrap();
    let now = block_on(store.changed_code(&ann(), 0)).unwrap().now;
    assert!(now > 0);
    block_on(store.delete(a.code().unwrap())).unwrap();
    let hers = block_on(store.changed_edges(&ann(), now)).unwrap();
    assert_eq!(hers.gone, [(a.to_string(), b.to_string())]);
    let hers = block_on(store.changed_code(&ann(), now)).unwrap();
    assert_eq!(hers.gone, [a.code().unwrap().clone()]);
    let his = block_on(store.changed_edges(&bob(), now)).unwrap();
    assert_eq!((his.there, his.gone), (vec![], vec![]));
}

/// Returns all rows of a table as statements that insert them again in the first form of the table.
fn rows_of(connection: &Connection, table: &str) -> String {
    let columns = match table {
        "workflow_pattern" => {
            "quote(pattern_id), quote(code_hash), quote(code_snippet), quote(intent), \
             quote(parameters_schema), created_at"
        }
        "capability_names" => "id, quote(org), quote(project), quote(name), quote(fqdn)",
        _ => {
            "quote(id), quote(org), quote(project), quote(namespace), quote(action), quote(hash), \
             quote(display_name), quote(visibility), quote(owner), usage_count, success_count, \
             mean_latency_ms, last_used_at, created_at, updated_at"
        }
    };
    let sql = format!("SELECT '(' || concat_ws(',', {columns}) || ')' FROM {table}");
    let mut statement = connection.prepare(&sql).unwrap();
    let rows = statement.query_map([], |row| row.get::<_, String>(0));
    let rows: Vec<_> = rows.unwrap().map(Result::unwrap).collect();
    format!("INSERT INTO {table} VALUES {};", rows.join(","))
}

#[test]
fn a_file_from_the_future_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("capstan.db");
    block_on(SqliteStore::new(file.clone()).register(new("a"))).unwrap();
    let connection = Connection::open(&file).unwrap();
    connection
        .pragma_update(None, "user_version", NEWEST + 1)
        .unwrap();
    drop(connection);

    let before = std::fs::read(&file).unwrap();
    let store = SqliteStore::new(file.clone());
    let expected = StoreError::Broken(format!(
        "`{}` was written by a newer version (its format is {}, this version knows {NEWEST}); update capstan, or name another file",
        file.display(),
        NEWEST + 1,
    ));
    assert_eq!(block_on(store.register(new("b"))), Err(expected.clone()));
    assert_eq!(block_on(store.trace(&ann(), "x")), Err(expected));
    drop(store);
    assert_eq!(std::fs::read(&file).unwrap(), before);
}

#[test]
fn a_database_of_something_else_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    for (name, sql) in [
        (
            "tables",
            "CREATE TABLE theirs (x); INSERT INTO theirs VALUES (1)",
        ),
        ("version", "PRAGMA user_version = 3"),
        (
            "application",
            "PRAGMA application_id = 7; CREATE TABLE theirs (x)",
        ),
    ] {
        let file = folder.path().join(name);
        Connection::open(&file).unwrap().execute_batch(sql).unwrap();
        let before = std::fs::read(&file).unwrap();
        let store = SqliteStore::new(file.clone());
        let error = block_on(store.register(new("a"))).unwrap_err();
        assert!(
            error
                .to_string()
                .contains("is a database of another program"),
            "{error}"
        );
        drop(store);
        assert_eq!(std::fs::read(&file).unwrap(), before, "{name}");
    }
}

#[test]
fn an_empty_file_becomes_a_database() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("capstan.db");
    std::fs::write(&file, "").unwrap();
    let store = SqliteStore::new(file.clone());
    assert!(block_on(listed(&store, &ann(), Default::default())).is_empty());
    block_on(store.register(new("a"))).unwrap();
    assert_eq!(number(&file, "user_version"), NEWEST);
}

/// The second process finds the migration done.
#[test]
fn many_who_start_at_once_agree() {
    for _ in 0..5 {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("capstan.db");
        std::thread::scope(|threads| {
            for digit in 0..8 {
                let file = file.clone();
                threads.spawn(move || {
                    let store = SqliteStore::new(file);
                    block_on(store.register(new(&digit.to_string()))).unwrap();
                });
            }
        });
        let store = SqliteStore::new(file);
        assert_eq!(
            block_on(listed(&store, &ann(), Default::default())).len(),
            8
        );
    }
}

/// The tables enforce what the code promises, whoever writes into them.
#[test]
fn the_tables_refuse_nonsense() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("capstan.db");
    let store = SqliteStore::new(file.clone());
    for beginning in ["a", "b"] {
        block_on(store.register(new(beginning))).unwrap();
    }
    drop(store);
    let connection = Connection::open(&file).unwrap();
    connection
        .pragma_update(None, "foreign_keys", true)
        .unwrap();
    let edge = |from: &str, to: &str, kind: &str, source: &str| {
        format!(
            "INSERT INTO capability_dependency VALUES ('{from}', '{to}', 1, '{kind}', '{source}', NULL, 1, 1)"
        )
    };
    let (a, b) = (
        "local.default.issue.exec_a0000000.a000",
        "local.default.issue.exec_b0000000.b000",
    );
    for nonsense in [
        edge(a, a, "sequence", "manual"),
        edge(a, "exec_x", "sequence", "manual"),
        edge(a, b, "likes", "manual"),
        edge(a, b, "sequence", "rumour"),
        "INSERT INTO tool_dependency VALUES ('x', 'x', 1, 'sequence', 'manual', NULL, 1, 1)"
            .to_owned(),
        "INSERT INTO tool_dependency VALUES ('x', 'y', 0, 'sequence', 'manual', NULL, 1, 1)"
            .to_owned(),
        "INSERT INTO tool_dependency VALUES ('x', 'y', 1, 'likes', 'manual', NULL, 1, 1)"
            .to_owned(),
        "INSERT INTO tool_dependency VALUES ('x', 'y', 1, 'sequence', 'rumour', NULL, 1, 1)"
            .to_owned(),
        "INSERT INTO tool_dependency VALUES ('x', 'y', 1, 'sequence', 'manual', 'likes', 1, 1)"
            .to_owned(),
        "UPDATE capability_records SET visibility = 'secret'".to_owned(),
        "UPDATE capability_records SET success_count = usage_count + 1".to_owned(),
        "UPDATE capability_records SET display_name = 'nobody-has-it'".to_owned(),
        format!("UPDATE capability_records SET id = 'x' WHERE id = '{a}'"),
        format!("UPDATE workflow_pattern SET pattern_id = 'x' WHERE pattern_id = '{a}'"),
        "UPDATE capability_records SET action = 'same'".to_owned(),
        "UPDATE capability_records SET hash = 'same'".to_owned(),
        "UPDATE capability_names SET name = 'same'".to_owned(),
        format!("DELETE FROM capability_names WHERE fqdn = '{a}'"),
        "DELETE FROM capability_names".to_owned(),
        "INSERT INTO workflow_pattern VALUES ('x', 'short', '', '', '{}', 1)".to_owned(),
    ] {
        let done = connection.execute_batch(&nonsense);
        assert!(done.is_err(), "{nonsense}");
    }
    for sense in [
        edge(a, b, "contains", "template"),
        edge(b, a, "contains", "observed"),
    ] {
        connection.execute_batch(&sense).unwrap();
    }
    // Kind and source alone determine the confidence.
    for nonsense in [
        "UPDATE capability_dependency SET confidence_score = 1",
        "INSERT INTO tool_dependency (from_tool_id, to_tool_id, confidence_score, created_at, \
         last_observed) VALUES ('x', 'y', 1, 1, 1)",
    ] {
        let done = connection.execute_batch(nonsense);
        assert!(done.is_err(), "{nonsense}");
    }
}

/// Everything else of a capability depends on its pattern.
#[test]
fn nothing_outlives_its_pattern() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("capstan.db");
    let store = SqliteStore::new(file.clone());
    let [a, b] = ["a", "b"].map(|beginning| {
        let made = block_on(store.register(new(beginning))).unwrap();
        made.record.fqdn
    });
    let between = edge(&code(&a), &code(&b), EdgeKind::Sequence, EdgeSource::Manual);
    block_on(store.add_edge(&ann(), between)).unwrap();
    block_on(store.add_alias(&a, &name("alias"), 1)).unwrap();
    drop(store);

    let connection = Connection::open(&file).unwrap();
    connection
        .pragma_update(None, "foreign_keys", true)
        .unwrap();
    let count = |table: &str| -> i64 {
        let sql = format!("SELECT count(*) FROM {table}");
        connection.query_row(&sql, [], |row| row.get(0)).unwrap()
    };
    let tables = [
        "capability_dependency",
        "capability_events",
        "capability_names",
        "capability_records",
        "pattern_call",
    ];
    assert_eq!(tables.map(count), [1, 3, 3, 2, 2]);
    let sql = "DELETE FROM workflow_pattern WHERE pattern_id = ?1";
    connection.execute(sql, [a.as_str()]).unwrap();
    assert_eq!(tables.map(count), [0, 1, 1, 1, 1]);
}

/// Otherwise every deletion, and some insertions, would read a whole table.
#[test]
fn every_foreign_key_has_an_index() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("capstan.db");
    block_on(SqliteStore::new(file.clone()).register(new("a"))).unwrap();
    let connection = Connection::open(&file).unwrap();
    let lists = |sql: &str| -> Vec<(String, String)> {
        let mut statement = connection.prepare(sql).unwrap();
        let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)));
        rows.unwrap().map(Result::unwrap).collect()
    };
    let keys = lists(
        "SELECT t.name, group_concat(k.\"from\", ',' ORDER BY k.seq) \
         FROM pragma_table_list t, pragma_foreign_key_list(t.name) k GROUP BY t.name, k.id",
    );
    let indexes = lists(
        "SELECT t.name, group_concat(c.name, ',' ORDER BY c.seqno) || ',' \
         FROM pragma_table_list t, pragma_index_list(t.name) i, pragma_index_info(i.name) c \
         GROUP BY t.name, i.name",
    );
    assert_eq!(keys.len(), 12, "{keys:?}");
    for (table, columns) in keys {
        let beginning = format!("{columns},");
        let mut of_table = indexes.iter().filter(|(of, _)| *of == table);
        let covered = of_table.any(|(_, index)| index.starts_with(&beginning));
        assert!(covered, "{table}({columns}) of {indexes:?}");
    }
}
