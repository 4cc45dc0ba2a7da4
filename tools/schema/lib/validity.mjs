// Proves that the generated schema and the hand-written extensions are one valid schema.

import { buildASTSchema, extendSchema, parse, validateSchema } from "graphql";

// Returns one line per problem; none means valid.
export function problemsOf(base, extensions) {
  let schema;
  try {
    schema = buildASTSchema(parse(base));
    if (extensions) schema = extendSchema(schema, parse(extensions));
  } catch (error) {
    // graphql-js reports SDL that it cannot build from, such as a field defined twice, by throwing.
    return error.message.split("\n\n");
  }
  return validateSchema(schema).map((error) => error.message);
}
