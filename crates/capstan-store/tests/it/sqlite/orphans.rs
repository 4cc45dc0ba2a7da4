//! No sequence of changes leaves orphaned rows in the tables.

use capstan_core::code::EdgeKind;
use capstan_store::SqliteStore;
use futures_executor::block_on;
use proptest::prelude::*;
use rusqlite::Connection;

use crate::contract::laws::{changes, check};

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    #[test]
    fn nothing_is_left_over(changes in changes()) {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("capstan.db");
        let store = SqliteStore::new(file.clone());
        block_on(check(&store, &changes));
        drop(store);

        let connection = Connection::open(&file).unwrap();
        let count = |sql: &str| connection.query_row(sql, [], |row| row.get::<_, i64>(0)).unwrap();
        let integrity: String =
            connection.query_row("PRAGMA integrity_check", [], |row| row.get(0)).unwrap();
        prop_assert_eq!(integrity, "ok");
        for nothing in [
            "SELECT count(*) FROM pragma_foreign_key_check",
            "SELECT count(*) FROM workflow_pattern WHERE pattern_id NOT IN \
             (SELECT id FROM capability_records)",
            "SELECT count(*) FROM capability_records r JOIN workflow_pattern w \
             ON w.pattern_id = r.id WHERE r.id <> format('%s.%s.%s.%s.%s', \
             r.org, r.project, r.namespace, r.action, r.hash)",
            // The evidence for relations is deleted with them.
            "SELECT count(*) FROM edge_observation WHERE (from_id, to_id) NOT IN \
             (SELECT from_id, to_id FROM relation)",
            // Each relation is in one of the tables; relations between code are in that of code.
            "SELECT count(*) FROM tool_dependency WHERE \
             from_tool_id IN (SELECT id FROM capability_records) \
             AND to_tool_id IN (SELECT id FROM capability_records)",
            "SELECT count(*) FROM tool_dependency WHERE \
             from_tool_id GLOB '*.*.*.exec_*' AND from_tool_id NOT IN \
             (SELECT id FROM capability_records)",
            "SELECT count(*) FROM tool_dependency WHERE \
             to_tool_id GLOB '*.*.*.exec_*' AND to_tool_id NOT IN \
             (SELECT id FROM capability_records)",
            // Every row has an entry in the list of changes, and so has its audience.
            "SELECT count(*) FROM relation WHERE (from_id, to_id) NOT IN \
             (SELECT subject, object FROM change WHERE what = 'edge')",
            "SELECT count(*) FROM capability_records WHERE id NOT IN \
             (SELECT subject FROM change WHERE what = 'code')",
            "SELECT count(*) FROM capability_records WHERE (id, owner, visibility) NOT IN \
             (SELECT fqdn, owner, visibility FROM code_audience)",
            "SELECT count(*) FROM trace_calls WHERE trace_id NOT IN (SELECT id FROM traces)",
            "SELECT count(*) FROM capability_records WHERE id NOT IN \
             (SELECT fqdn FROM capability_names WHERE name = display_name)",
            "SELECT count(*) FROM capability_names n JOIN capability_records r ON r.id = n.fqdn \
             WHERE (n.org, n.project) <> (r.org, r.project)",
            "SELECT count(*) FROM capability_records WHERE id NOT IN \
             (SELECT fqdn FROM capability_events WHERE kind IN ('created', 'imported'))",
        ] {
            prop_assert_eq!(count(nothing), 0, "{}", nothing);
        }

        let sql = "SELECT edge_type, edge_source, confidence_score FROM relation";
        let mut statement = connection.prepare(sql).unwrap();
        let rows = statement
            .query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))
            .unwrap();
        for row in rows {
            let (kind, source, confidence): (String, String, f64) = row.unwrap();
            let of = |kind: EdgeKind| {
                capstan_core::code::EdgeSource::ALL
                    .into_iter()
                    .find(|it| it.as_str() == source)
                    .map(|source| kind.confidence(source))
            };
            let kind = EdgeKind::ALL.into_iter().find(|it| it.as_str() == kind);
            prop_assert_eq!(kind.and_then(of), Some(confidence));
        }
    }
}
