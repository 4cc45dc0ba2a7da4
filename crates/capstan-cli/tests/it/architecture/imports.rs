//! Which modules of its own crate a file names.

use std::collections::{BTreeMap, BTreeSet};

/// Returns the first names of all paths that begin with `crate::`, groups included. Tests at the end of the file do not
/// count.
pub(super) fn imports(text: &str) -> BTreeSet<String> {
    let code = code_of(text);
    let mut names = BTreeSet::new();
    for (at, _) in code.match_indices("crate::") {
        // `some_crate::` is another word.
        let before = code[..at].chars().next_back();
        if before.is_some_and(|it| it.is_alphanumeric() || it == '_') {
            continue;
        }
        names.extend(first_names(&code[at + "crate::".len()..]));
    }
    names
}

/// Returns, by name that a `lib.rs` exports, the module that it comes from.
pub(super) fn reexports(lib: &str) -> BTreeMap<String, String> {
    let code = code_of(lib);
    let modules: Vec<&str> = code
        .lines()
        .filter_map(|line| line.split("mod ").nth(1)?.strip_suffix(';'))
        .collect();
    let mut exported = BTreeMap::new();
    for statement in code.split(';') {
        let Some((_, path)) = statement.split_once("use ") else {
            continue;
        };
        let Some((module, rest)) = path.split_once("::") else {
            continue;
        };
        if modules.contains(&module) {
            for name in first_names(rest) {
                exported.insert(name, module.to_owned());
            }
        }
    }
    exported
}

/// Returns the types to which a file of a module adds methods although it imports them from another module.
pub(super) fn foreign_impls(text: &str, module: &str) -> Vec<String> {
    let code = code_of(text);
    let imported: BTreeSet<String> = code
        .split(';')
        .filter_map(|statement| statement.split_once("use crate::"))
        .filter(|(_, path)| first_names(path) != [module])
        .flat_map(|(_, path)| words(path))
        .collect();
    let own: BTreeSet<String> = code
        .lines()
        .filter_map(|line| {
            let (_, rest) = line.split_once("struct ").or(line.split_once("enum "))?;
            words(rest).into_iter().next()
        })
        .collect();
    let headers = code.lines().filter(|line| line.starts_with("impl"));
    headers
        .filter(|line| !line.contains(" for "))
        .filter_map(|line| {
            let named = line.trim_start_matches("impl");
            let named = match named.strip_prefix('<') {
                Some(generic) => generic.split_once('>')?.1,
                None => named,
            };
            words(named).into_iter().next()
        })
        .filter(|name| imported.contains(name) && !own.contains(name))
        .collect()
}

/// The names at the beginning of a path: one, or those of a group.
fn first_names(path: &str) -> Vec<String> {
    let Some(group) = path.strip_prefix('{') else {
        return words(path).into_iter().take(1).collect();
    };
    let mut names = Vec::new();
    let mut depth = 1;
    let mut item = String::new();
    for letter in group.chars() {
        match letter {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        if depth == 0 || (depth == 1 && letter == ',') {
            names.extend(words(&item).into_iter().next());
            item.clear();
        } else {
            item.push(letter);
        }
        if depth == 0 {
            break;
        }
    }
    names
}

fn words(text: &str) -> Vec<String> {
    text.split(|it: char| !it.is_alphanumeric() && it != '_')
        .filter(|word| !word.is_empty())
        .map(str::to_owned)
        .collect()
}

/// A file without its comments and without its tests.
pub(super) fn code_of(text: &str) -> String {
    let text = text.split("#[cfg(test)]\nmod tests").next();
    let lines = text.unwrap_or_default().lines();
    let code = lines.filter(|line| !line.trim_start().starts_with("//"));
    code.collect::<Vec<_>>().join("\n")
}

#[test]
fn paths_groups_and_renames_are_read() {
    let text = "use crate::a::B;\nuse crate::{c, d::{E, F}, g as h};\nfn x() { crate::i::j() }\n// crate::k\n\
                use other_crate::l;\n#[cfg(test)]\nmod tests { use crate::m; }";
    let names: Vec<_> = imports(text).into_iter().collect();
    assert_eq!(names, ["a", "c", "d", "g", "i"]);
    let lib = "mod a;\npub mod b;\npub use a::{One, Two};\npub use b::Three;\nuse other::Four;";
    let exported = reexports(lib);
    assert_eq!(exported["Two"], "a");
    assert_eq!(exported["Three"], "b");
    assert_eq!(exported.get("Four"), None);
}

#[test]
fn methods_of_foreign_types_are_found() {
    let text = "use crate::a::Outer;\nstruct Inner;\nimpl Outer {}\nimpl Inner {}\nimpl Clone for Outer {}\n\
                impl<'a> Outer<'a> {}";
    assert_eq!(foreign_impls(text, "b"), ["Outer", "Outer"]);
    assert!(foreign_impls(text, "a").is_empty());
}
