//! What good runs refute of the parameters of code is kept, however many there are at once.

use capstan_core::code::{Fqdn, Relaxation, WiderParameter};
use capstan_core::port::{CodeFilter, NewCapability, Store, StoreError};
use futures_executor::block_on;
use serde_json::{Map, Value, json};

use super::*;

const MANY: usize = 32;

fn name(number: usize) -> String {
    format!("p{number}")
}

fn without(number: usize) -> Relaxation {
    Relaxation {
        absent: vec![name(number)],
        wider: vec![WiderParameter {
            name: name(number),
            json_type: Some("string".to_owned()),
        }],
    }
}

async fn parameters(store: &dyn Store) -> Value {
    let all = store.list(&ann(), &CodeFilter::default()).await.unwrap();
    all[0].pattern.parameters.clone()
}

pub(crate) async fn that_runs_refute_at_once_are_all_relaxed(backend: &Backend) {
    let stores = [backend.open(), backend.open()];
    let properties = (0..MANY).map(|number| (name(number), json!({"type": "number"})));
    let required: Vec<_> = (0..MANY).map(name).collect();
    let code = NewCapability {
        parameters: json!({"type": "object", "required": required,
            "properties": properties.collect::<Map<_, _>>()}),
        ..new("a")
    };
    let fqdn = stores[0].register(code).await.unwrap().record.fqdn;
    std::thread::scope(|threads| {
        for (nth, store) in stores.iter().enumerate() {
            let fqdn = &fqdn;
            threads.spawn(move || {
                for number in (nth..MANY).step_by(2) {
                    block_on(store.relax_parameters(fqdn, without(number))).unwrap();
                }
            });
        }
    });
    let properties = (0..MANY).map(|number| (name(number), json!({"type": ["number", "string"]})));
    let expected = json!({"type": "object", "properties": properties.collect::<Map<_, _>>()});
    assert_eq!(parameters(&*stores[1]).await, expected);
    drop(stores);
    assert_eq!(parameters(&*backend.open()).await, expected);
}

pub(crate) async fn of_what_is_not_there_are_not_relaxed(backend: &Backend) {
    let store = backend.open();
    let nobody = Fqdn::parse("local.default.issue.exec_aaaaaaaa.aaaa").unwrap();
    let refused = store.relax_parameters(&nobody, without(0)).await;
    assert!(
        matches!(refused, Err(StoreError::NotFound(_))),
        "{refused:?}"
    );
}
