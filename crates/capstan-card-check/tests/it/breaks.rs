//! Valid cards, and a table of changes that break them.

/// A write with a lookup.
pub(crate) const CLOSE: Texts = Texts {
    yaml: include_str!("cards/ticket.close.yaml"),
    graphql: include_str!("cards/ticket.close.graphql"),
};
/// A paged list on three routes.
pub(crate) const LIST: Texts = Texts {
    yaml: include_str!("cards/ticket.list.yaml"),
    graphql: include_str!("cards/ticket.list.graphql"),
};
/// Objects of two types in one list.
pub(crate) const CHECKS: Texts = Texts {
    yaml: include_str!("cards/ticket.checks.yaml"),
    graphql: include_str!("cards/ticket.checks.graphql"),
};
/// A write that looks up one thing for each element of an input.
pub(crate) const LABEL: Texts = Texts {
    yaml: include_str!("cards/ticket.label.yaml"),
    graphql: include_str!("cards/ticket.label.graphql"),
};

/// A card that combines others.
pub(crate) const BOTH: Texts = Texts {
    yaml: include_str!("cards/ticket.both.yaml"),
    graphql: "",
};

#[derive(Clone, Copy)]
pub(crate) struct Texts {
    pub(crate) yaml: &'static str,
    pub(crate) graphql: &'static str,
}

/// One change, and the expected finding: code, pointer, and a part of the message.
pub(crate) struct Break {
    pub(crate) card: Texts,
    pub(crate) from: &'static str,
    pub(crate) to: &'static str,
    pub(crate) found: (&'static str, &'static str, &'static str),
}

/// Returns one row for each change, with the only finding that it causes.
pub(crate) fn breaks() -> Vec<Break> {
    let row = |card, from, to, found| Break {
        card,
        from,
        to,
        found,
    };
    let close = |from, to, found| row(CLOSE, from, to, found);
    let list = |from, to, found| row(LIST, from, to, found);
    let checks = |from, to, found| row(CHECKS, from, to, found);
    let label = |from, to, found| row(LABEL, from, to, found);
    let both = |from, to, found| row(BOTH, from, to, found);
    vec![
        // Documents.
        list(
            "totalCount\n      pageInfo",
            "totalCount\n      nonsense\n      pageInfo",
            ("E050", "/graphql/operation", "nonsense"),
        ),
        close(
            "issue(number: $number) {",
            "issue(number: $number, state: OPEN) {",
            (
                "E050",
                "/graphql/resolve/issue/operation",
                "argument `state`",
            ),
        ),
        // Variables.
        close(
            "id: $issue.id\n",
            "id: $issue.nr\n",
            (
                "E051",
                "/graphql/variables/id",
                "does not select `$issue.nr`",
            ),
        ),
        close(
            "id: $issue.id\n",
            "id: $ticket.id\n",
            ("E051", "/graphql/variables/id", "no `$ticket`"),
        ),
        close(
            "id: $issue.id\n",
            "id: $issue.title.id\n",
            ("E051", "/graphql/variables/id", "which is text"),
        ),
        close(
            "reason: reason | upper",
            "reason: reason",
            (
                "E051",
                "/graphql/variables/reason",
                "has no value `completed`",
            ),
        ),
        close(
            "number: ticket }",
            "number: owner }",
            (
                "E051",
                "/graphql/resolve/issue/variables/number",
                "its source is text",
            ),
        ),
        list(
            "$first: Int!",
            "$first: Int!, $since: DateTime!",
            ("E050", "/graphql/operation", "unused variable"),
        ),
        close(
            "$comment: String)",
            "$comment: String!)",
            (
                "E051",
                "/graphql/variables/comment",
                "its source may have no value",
            ),
        ),
        list(
            "labels: label | list",
            "labels: label",
            ("E051", "/graphql/variables/labels", "not a list"),
        ),
        list(
            "[\"OPEN\"]",
            "[\"OPENED\"]",
            ("E051", "/graphql/variables/states", "has no value `OPENED`"),
        ),
        // Paths of the answer.
        close(
            "title: title\n      state: state | lower\n      reason: stateReason",
            "title: titel\n      state: state | lower\n      reason: stateReason",
            (
                "E052",
                "/graphql/output/fields/title",
                "does not select `titel`",
            ),
        ),
        close(
            "root: closeIssue.issue",
            "root: closeIssue.ticket",
            (
                "E052",
                "/graphql/output/root",
                "does not select `closeIssue.ticket`",
            ),
        ),
        close(
            "$issue.state == \"CLOSED\"",
            "$issue.status == \"CLOSED\"",
            (
                "E052",
                "/graphql/unchanged/when",
                "does not select `$issue.status`",
            ),
        ),
        list(
            "labels.nodes[].name | join",
            "labels.nodes.name | join",
            (
                "E052",
                "/graphql/output/fields/issues/fields/labels",
                "is a list and has no `name`",
            ),
        ),
        list(
            "comments.totalCount",
            "comments[].totalCount",
            (
                "E052",
                "/graphql/output/fields/issues/fields/comments",
                "which is an object",
            ),
        ),
        list(
            "end_cursor: repository.issues.pageInfo.endCursor",
            "end_cursor: repository.issues.pageInfo.cursor",
            ("E052", "/graphql/pagination/end_cursor", "does not select"),
        ),
        list(
            "author: author.login | null_if(\"\")",
            "author: writer.login | null_if(\"\")",
            (
                "E052",
                "/cli/output/fields/issues/fields/author",
                "does not ask for `writer`",
            ),
        ),
        // Types and nullability.
        list(
            "author: author.login | default(\"ghost\") # graphql",
            "author: author.login",
            (
                "E053",
                "/graphql/output/fields/issues/fields/author",
                "it may be null",
            ),
        ),
        list(
            "number: number # graphql",
            "number: number | prefix(\"#\")",
            (
                "E053",
                "/graphql/output/fields/issues/fields/number",
                "it is text, not integer",
            ),
        ),
        list(
            "state: { enum: [open, closed] }",
            "state: { enum: [open, shut] }",
            (
                "E053",
                "/graphql/output/fields/issues/fields/state",
                "it may be `closed`",
            ),
        ),
        list(
            "join(\", \") # graphql",
            "count",
            (
                "E053",
                "/graphql/output/fields/issues/fields/labels",
                "it is an integer",
            ),
        ),
        list(
            "        hasNextPage\n",
            "        hasNextPage: endCursor\n",
            ("E053", "/graphql/pagination/has_next_page", "not a boolean"),
        ),
        close(
            "required: [id, title, state, changed]",
            "required: [id, title, state, reason, changed]",
            ("E053", "/graphql/output/fields/reason", "requires it"),
        ),
        close(
            "$issue.state == \"CLOSED\"",
            "$issue.state == \"SHUT\"",
            ("E053", "/graphql/unchanged/when", "never equal"),
        ),
        checks(
            "\"FAILURE\", \"fail\"",
            "\"FAILED\", \"fail\"",
            (
                "E053",
                "/graphql/output/fields/checks/fields/result",
                "never occurs",
            ),
        ),
        checks(
            "name: name | default(context)",
            "name: name | default(context | null_if(\"x\"))",
            (
                "E053",
                "/graphql/output/fields/checks/fields/name",
                "it may be null",
            ),
        ),
        // Requested in vain.
        list(
            "updatedAt\n      }",
            "updatedAt\n        body\n      }",
            (
                "E054",
                "/graphql/operation",
                "`repository.issues.nodes.body`",
            ),
        ),
        close(
            "issue(number: $number) {\n",
            "issue(number: $number) {\n      url\n",
            (
                "E054",
                "/graphql/resolve/issue/operation",
                "`repository.issue.url`",
            ),
        ),
        list(
            "comments, updatedAt]",
            "comments, updatedAt, url]",
            ("E054", "/cli/json_fields", "`url`"),
        ),
        // Inputs.
        list(
            "- --author={author}\n",
            "",
            ("E055", "/cli", "ignores the input `author`"),
        ),
        list(
            "- author:{author | quote}\n",
            "- draft:false\n",
            ("E055", "/rest", "ignores the input `author`"),
        ),
        list(
            "- --limit={$page.probe}\n",
            "- --limit=31\n",
            ("E055", "/cli", "ignores the input `first`"),
        ),
        list(
            "- --state={state}\n",
            "- --state={state}\n    - --state={status}\n",
            ("E055", "/cli/args/2", "the input has no `status`"),
        ),
        list(
            "predicate: not author",
            "predicate: not author and not $input.writer",
            (
                "E055",
                "/routing/suitability/0/predicate",
                "the input has no `$input.writer`",
            ),
        ),
        // Form.
        list(
            "type: string, minLength: 1, description: Only",
            "type: strin, minLength: 1, description: Only",
            (
                "E056",
                "/input_schema/properties/label/type",
                "not a JSON Schema",
            ),
        ),
        list(
            "input: { owner: acme, repo: rocket, label: bug }",
            "input: { owner: acme, repo: 7, label: bug }",
            ("E056", "/examples/0/input/repo", "not a valid input"),
        ),
        list(
            "  - find closed issues by author\n",
            "",
            ("E056", "/intents", "5 to 16 different intents"),
        ),
        list(
            "maximum: 100, default: 30",
            "maximum: 1000, default: 30",
            ("E056", "/input_schema/properties/first", "at most 100"),
        ),
        list(
            "overfetch: true",
            "overfetch: false",
            ("E056", "/cli", "overfetch"),
        ),
        list(
            "field: issues",
            "field: tickets",
            ("E056", "/list/field", "no array `tickets`"),
        ),
        list(
            "match (state {state})",
            "match (label {label})",
            ("E056", "/list/empty", "may have no value"),
        ),
        list(
            "  pagination:\n    total: total_count\n    incomplete: incomplete_results\n",
            "",
            ("E056", "/rest", "no `pagination`"),
        ),
        // The same fields, in the same order.
        close(
            "id: node_id\n      title: title\n",
            "title: title\n      id: node_id\n",
            ("E057", "/rest/output/fields", "another order"),
        ),
        close(
            "      reason: state_reason | lower\n",
            "",
            ("E057", "/rest/output/fields", "lacks reason"),
        ),
        list(
            "          number: number\n          title: title # cli",
            "          title: title\n          number: number",
            ("E057", "/cli/output/fields/issues/fields", "another order"),
        ),
        // Follow-ups.
        close(
            "repo: \"{$input.repo}\", state: closed }",
            "state: closed }",
            ("E058", "/next/0/input", "requires `repo`"),
        ),
        close(
            "state: closed }",
            "state: shut }",
            ("E058", "/next/0/input/state", "it may be `shut`"),
        ),
        close(
            "state: closed }",
            "status: closed }",
            ("E058", "/next/0/input/status", "has no input `status`"),
        ),
        close(
            "{ owner: \"{$input.owner}\", repo: \"{$input.repo}\" } # mend",
            "{ owner: \"{$input.owner}\", repo: \"{title}\" }",
            ("E058", "/mend/NOT_FOUND/input/repo", "a failure has none"),
        ),
        close(
            "state: closed }",
            "first: \"{title}\" }",
            ("E058", "/next/0/input/first", "it is text, not integer"),
        ),
        // Requests.
        close(
            "path: /repos/{owner}/{repo}/issues/{ticket} # main",
            "path: /repos/{owner}/{repo}/issues/{ticket}?x=1",
            ("E059", "/rest/path", "`?` is not allowed in a path"),
        ),
        close(
            "path: /repos/{owner}/{repo}/issues/{ticket} # main",
            "path: /repos/{owner}/../issues/{repo}{ticket}",
            ("E059", "/rest/path", "dotted segment"),
        ),
        close(
            "path: /repos/{owner}/{repo}/issues/{ticket} # main",
            "path: /repos/{owner}/{repo}/issues/{ticket}/{comment}",
            (
                "E059",
                "/rest/path",
                "blank 4 of the path may have no value",
            ),
        ),
        close(
            "{ state: closed, state_reason",
            "{ state: \"{status}\", state_reason",
            ("E055", "/rest/body/state", "the input has no `status`"),
        ),
        label(
            "  unchanged:\n    when: $issue.locked\n    from: issue\n  verify:\n    when: $issue.locked == true\n    from: issue\n  output:\n    root: updateIssue.issue\n    fields:\n      ticket_id: $input.ticket_id\n      locked: locked\n",
            "  output:\n    fields:\n      ticket_id: $input.ticket_id\n      locked: $issue.locked | default(updateIssue.issue.locked) | default(false)\n",
            ("E059", "/graphql/output", "has no root"),
        ),
        list(
            "--label={label}",
            "\"{label}\"",
            ("E059", "/cli/args/2", "the next one would take its place"),
        ),
        // Lookups for each element, and objects of several types.
        label(
            "label: $item",
            "label: $label",
            (
                "E051",
                "/graphql/resolve/labels/variables/label",
                "no `$label`",
            ),
        ),
        label(
            "each: labels # graphql",
            "each: labels | join(\",\")",
            ("E053", "/graphql/resolve/labels/each", "takes a list"),
        ),
        label(
            "labels: $labels[].id",
            "labels: $labels.id",
            (
                "E051",
                "/graphql/variables/labels",
                "is a list and has no `id`",
            ),
        ),
        label(
            "`{$item}` in {owner}",
            "`{$item}` by {by} in {owner}",
            (
                "E053",
                "/graphql/resolve/labels/missing",
                "may have no value",
            ),
        ),
        label(
            "/labels/{$item}",
            "/labels/{$label}",
            ("E059", "/rest/resolve/labels/path", "no `$label`"),
        ),
        label(
            "when: $issue.locked\n",
            "when: not $issue.locked\n",
            (
                "E053",
                "/graphql/output/fields/locked",
                "when nothing changes, from `issue`: `locked` may have no value",
            ),
        ),
        // Writes whose answer was lost.
        close(
            "when: $issue.stateReason == reason | upper",
            "when: $issue.reason == reason | upper",
            (
                "E052",
                "/graphql/verify/when",
                "does not select `$issue.reason`",
            ),
        ),
        close(
            "when: $issue.stateReason == reason | upper",
            "when: $issue.stateReason == reason",
            ("E053", "/graphql/verify/when", "never equal"),
        ),
        close(
            "when: $issue.stateReason == reason | upper",
            "when: reason == \"completed\"",
            ("E059", "/graphql/verify/when", "proves nothing"),
        ),
        close(
            "when: $issue.state_reason == reason",
            "when: $ticket.state_reason == reason",
            ("E052", "/rest/verify/when", "no `$ticket`"),
        ),
        close(
            "when: $issue.state_reason == reason",
            "when: $issue.state_reason == reasons",
            ("E055", "/rest/verify/when", "the input has no `reasons`"),
        ),
        close(
            "when: $issue.state_reason == reason",
            "when: \"true\"",
            ("E059", "/rest/verify/when", "proves nothing"),
        ),
        close(
            "force: { type: boolean, default: false }",
            "force: { type: boolean, default: true }",
            ("E053", "/graphql/refuse/override", "with the default false"),
        ),
        close(
            "when: $issue.stateReason == \"REOPENED\"",
            "when: reason == \"completed\"",
            ("E059", "/graphql/refuse/rules/0/when", "uses no lookup"),
        ),
        close(
            "because: it was reopened",
            "because: it was reopened by {comment}",
            (
                "E053",
                "/graphql/refuse/rules/0/because",
                "may have no value",
            ),
        ),
        label(
            "when: $issue.locked == true",
            "when: not $issue.locked",
            (
                "E053",
                "/graphql/output/fields/locked",
                "when it is verified, from `issue`: `locked` may have no value",
            ),
        ),
        list(
            "    incomplete: incomplete_results\n",
            "",
            ("E056", "/rest/pagination", "a search may be incomplete"),
        ),
        list(
            "page: \"{$page.number}\"",
            "page: \"{$page.nr}{$page.number}\"",
            ("E059", "/rest/query/page", "no `$page.nr`"),
        ),
        list(
            "columns: [number, title, author]",
            "columns: [number, title, writer]",
            ("E056", "/list/columns/2", "a row has no `writer`"),
        ),
        list(
            "columns: [number, title, author]",
            "columns: [number, title, number]",
            ("E056", "/list/columns/2", "`number` appears twice"),
        ),
        list(
            "issues that are {state}",
            "issues that are {label}",
            ("E056", "/list/title", "may have no value"),
        ),
        list(
            "issues that are {state}",
            "issues that are {status}",
            ("E055", "/list/title", "the input has no `status`"),
        ),
        // Names and lines.
        close(
            "positional: [ticket]",
            "positional: [issue]",
            ("E061", "/line/positional/0", "no input `issue`"),
        ),
        close(
            "positional: [ticket]",
            "positional: [ticket, ticket]",
            ("E061", "/line/positional/1", "appears twice"),
        ),
        close(
            "c: comment,",
            "c: remark,",
            ("E061", "/line/flags/c", "no input `remark`"),
        ),
        close(
            "c: comment,",
            "--c: comment,",
            ("E061", "/line/flags/--c", "a flag is a letter"),
        ),
        close(
            "c: comment,",
            "force: comment,",
            ("E061", "/line/flags/force", "`force` is an input"),
        ),
        close(
            "done: { reason: completed }",
            "done: { reason: finished }",
            ("E061", "/line/flags/done/reason", "this value does not fit"),
        ),
        close(
            "done: { reason: completed }",
            "done: { why: completed }",
            ("E061", "/line/flags/done/why", "no input `why`"),
        ),
        close(
            "names: [ticket shut,",
            "names: [ticket.close,",
            ("E061", "/names/0", "other than the card's id"),
        ),
        close(
            "names: [ticket shut,",
            "names: [ticket shut, ticket shut,",
            ("E061", "/names/1", "`ticket shut` appears twice"),
        ),
        close(
            "with: { do: close }",
            "with: { reason: completed }",
            ("E061", "/names/1/with/reason", "fields that are not inputs"),
        ),
        close(
            "with: { do: close }",
            "with: { do: close }, sets: { reason: finished }",
            ("E061", "/names/1/sets/reason", "this value does not fit"),
        ),
        close(
            "with: { do: close }",
            "with: { do: close }, single: [labels]",
            ("E061", "/names/1/single/0", "no input `labels`"),
        ),
        // Combinations.
        both(
            "task: ticket.label",
            "task: ticket.tag",
            ("E062", "/combine/0/task", "no capability `ticket.tag`"),
        ),
        close(
            "  - task: ticket.close\n",
            "  - task: ticket.close\n    input: { reason: reason }\n",
            ("E062", "/combine/0/input", "input unchanged"),
        ),
        close(
            "    when: related\n",
            "    when: also\n",
            ("E055", "/combine/1/when", "no `also`"),
        ),
        both(
            "labels: add_labels }",
            "tags: add_labels }",
            ("E062", "/combine/0/input/tags", "has no input `tags`"),
        ),
        both(
            "labels: add_labels }",
            "labels: add_label }",
            ("E055", "/combine/0/input/labels", "no `add_label`"),
        ),
        both(
            "{ ticket_id: id, labels",
            "{ ticket_id: number, labels",
            ("E062", "/combine/0/input/ticket_id", "it is an integer"),
        ),
        both(
            "    input: { ticket: number }\n",
            "    input: { reason: reason, comment: number | prefix(\"#\") }\n",
            ("E062", "/combine/1", "requires `ticket`"),
        ),
        both(
            "    when: id and add_labels\n",
            "",
            ("E062", "/combine/0/input/ticket_id", "requires it"),
        ),
        both(
            "    id: { type: string }\n",
            "    id: { type: string }\n    title: { type: string }\n",
            ("E055", "/combine", "no part takes the input `title`"),
        ),
        both(
            "reason: { enum: [completed, not_planned] }",
            "reason: { enum: [completed, duplicate] }",
            ("E062", "/combine/1", "it may be `duplicate`"),
        ),
    ]
}
