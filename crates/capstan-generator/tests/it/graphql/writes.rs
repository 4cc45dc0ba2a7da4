//! Root fields that write.

use super::support::{outlines, text};

#[test]
fn mutations_take_the_fields_of_their_input() {
    let outlines = outlines(
        r#"type Query { a: Int }
        type Mutation { "Closes the ticket. And more." closeTicket(input: CloseInput!): Payload }
        input CloseInput { clientMutationId: String, ticketId: ID!, reason: Reason = DONE }
        enum Reason { DONE DUPLICATE OLD @deprecated }
        type Payload { clientMutationId: String ticket: Ticket }
        type Ticket { id: ID! isOpen: Boolean! }"#,
    );
    let outline = &outlines["shop.close_ticket"];
    assert_eq!(outline.call, "mutation closeTicket(input)");
    assert_eq!(outline.description, "Closes the ticket.");
    assert_eq!(
        text(&outline.input),
        r#"{"ticket_id":"string","reason?":"DONE|DUPLICATE"}"#
    );
    assert_eq!(
        text(&outline.send),
        r#"{"ticketId":"ID!","reason":"Reason"}"#
    );
    assert_eq!(outline.at.as_deref(), Some("ticket"));
    assert_eq!(
        text(&outline.output),
        r#"{"id":"string","is_open":"boolean"}"#
    );
}

#[test]
fn other_payloads_keep_their_objects_apart() {
    let outlines = outlines(
        "type Query { a: Int }
        type Mutation { add(text: String!): AddPayload remove(id: ID!): RemovePayload drop: Dropped stop: Boolean! }
        type AddPayload { commentEdge: CommentEdge subject: Subject! userErrors: [UserError!]! }
        type CommentEdge { node: Comment } type Comment { id: ID! body: String! }
        type Subject { id: ID! title: String! }
        type UserError { field: [String!] message: String! }
        type RemovePayload { deletedId: ID } type Dropped { clientMutationId: String }",
    );
    assert_eq!(
        text(&outlines["shop.add"].output),
        r#"{"comment = commentEdge.node":{"id":"string","body":"string"},"subject":{"id":"string","title":"string"},"user_errors":[{"message":"string","field":"[string]"}]}"#
    );
    assert_eq!(
        text(&outlines["shop.remove"].output),
        r#"{"deleted_id":"string"}"#
    );
    assert_eq!(text(&outlines["shop.drop"].answer), r#""nothing""#);
    assert_eq!(text(&outlines["shop.stop"].answer), r#""any""#);
}
