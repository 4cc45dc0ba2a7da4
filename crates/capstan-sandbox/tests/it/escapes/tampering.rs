//! Changing what the host relies on: whoever does so hurts nobody else.

use serde_json::json;

use super::attempt::*;

#[tokio::test]
async fn tampering_hurts_only_oneself() {
    make(vec![
        attempt("prototype pollution", "Object.prototype.polluted = 1; ({}).polluted", With(json!(1))),
        attempt("pollution by JSON", "const o = JSON.parse('{\"__proto__\": {\"polluted\": 1}}'); ({}).polluted === undefined", With(json!(true))),
        attempt("pollution by a setter of all objects", "Object.defineProperty(Object.prototype, 'resolve', { set() { throw new Error('caught') } }); await capstan.echo.it({ a: 1 })", With(json!({ "a": 1 }))),
        attempt("JSON.stringify replaced", "JSON.stringify = () => 'evil'; await capstan.echo.it({ a: 1 })", With(json!({ "a": 1 }))),
        attempt("JSON.parse replaced", "JSON.parse = () => 'evil'; await capstan.echo.it({ a: 1 })", With(json!({ "a": 1 }))),
        attempt("Map.prototype replaced", "Map.prototype.get = Map.prototype.set = Map.prototype.delete = () => { throw 1 }; await capstan.echo.it({ a: 1 })", With(json!({ "a": 1 }))),
        attempt("Reflect replaced", "Reflect.apply = Reflect.ownKeys = () => { throw 1 }; console.log('x'); await capstan.echo.it({ a: 1 })", With(json!({ "a": 1 }))),
        attempt("String.prototype replaced", "for (const k of Object.getOwnPropertyNames(String.prototype)) { try { String.prototype[k] = () => { throw 1 } } catch {} } console.log('x'); await capstan.echo.it({ a: 1 })", With(json!({ "a": 1 }))),
        attempt("Array iteration replaced", "Array.prototype[Symbol.iterator] = function* () { yield 'evil' }; await capstan.echo.it({ a: 1 })", With(json!({ "a": 1 }))),
        attempt("setters on array indexes", "Object.defineProperty(Array.prototype, '0', { set() { throw 1 }, get() { return 'evil' } }); console.log('x'); await capstan.echo.it({ a: 1 })", Somehow),
        attempt("Promise.prototype.then replaced", "Promise.prototype.then = function () { throw new Error('then') }; 1", With(json!(1))),
        attempt("Promise replaced", "globalThis.Promise = class { }; const r = await capstan.echo.it({ a: 1 }); r", With(json!({ "a": 1 }))),
        attempt("Error replaced", "globalThis.Error = globalThis.TypeError = function () { return {} }; await capstan.echo.it(1)", Thrown("TypeError")),
        attempt("Symbol.species", "Object.defineProperty(Promise, Symbol.species, { get() { throw new Error('species') } }); const r = await capstan.echo.it({ a: 1 }); r", With(json!({ "a": 1 }))),
        attempt("a function that is called for every property", "Object.prototype.get = () => { throw 1 }; Object.prototype.value = 5; Object.prototype.writable = false; await capstan.echo.it({ a: 1 })", With(json!({ "a": 1 }))),
        attempt("toJSON of all objects", "Object.prototype.toJSON = function () { return { changed: true } }; await capstan.echo.it({ a: 1 })", With(json!({ "changed": true }))),
        attempt("capstan assigned", "capstan = { issue: {} }", Thrown("TypeError")),
        attempt("capstan deleted", "delete globalThis.capstan", Thrown("TypeError")),
        attempt("capstan defined anew", "Object.defineProperty(globalThis, 'capstan', { value: 1 })", Thrown("TypeError")),
        attempt("a property of capstan", "capstan.issue = 1", Thrown("TypeError")),
        attempt("a property of a path", "capstan.issue.view.x = 1", Thrown("TypeError")),
        attempt("the prototype of capstan", "Object.setPrototypeOf(capstan, {})", Thrown("TypeError")),
        attempt("capstan frozen", "Object.freeze(capstan)", Thrown("TypeError")),
        attempt("capstan as a prototype", "const o = Object.create(capstan); [typeof o.issue, String(o.issue.view)]", With(json!(["function", "capstan.issue.view"]))),
        attempt("capstan as a constructor", "new capstan.issue.view({})", Thrown("TypeError")),
        attempt("console changed", "console.log = 1", Thrown("TypeError")),
        attempt("global functions changed", "setTimeout = 1", Thrown("TypeError")),
        attempt("shadowing is fine", "const capstan = 1, console = 2, args = 3; capstan + console + args", With(json!(6))),
        attempt("args are the code's own", "args = { n: 5 }; args.n", With(json!(5))),
        attempt("globalThis frozen", "Object.freeze(globalThis); await capstan.echo.it({ a: 1 })", With(json!({ "a": 1 }))),
        attempt("all prototypes frozen", "for (const k of Object.getOwnPropertyNames(globalThis)) { const v = globalThis[k]; if (typeof v === 'function' && !['capstan', 'mcp', 'caps'].includes(k) && v.prototype) Object.freeze(v.prototype) } await capstan.echo.it({ a: 1 })", With(json!({ "a": 1 }))),
        attempt("everything deleted", "for (const k of Object.getOwnPropertyNames(globalThis)) { try { delete globalThis[k] } catch {} } await capstan.echo.it({ a: 1 })", With(json!({ "a": 1 }))),
        attempt("stackTraceLimit", "Error.stackTraceLimit = { valueOf() { while (true); } }; new Error('x'); 1", Somehow),
        attempt("no stacks", "Error.stackTraceLimit = 0; throw new TypeError('x')", Thrown("TypeError")),
        attempt("forged stacks", "const e = new TypeError('x'); e.stack = '    at evil (code:99999:1)\\n    at x (code:2:1)\\n'.repeat(10000); throw e", Thrown("TypeError")),
        attempt("hasInstance", "Object.defineProperty(Error, Symbol.hasInstance, { value: () => { throw 1 } }); throw new TypeError('x')", Thrown("TypeError")),
    ])
    .await;
}
