/** What `fullhouse schema` prints the JSON Schema of. */
export const schemaNames = ['plan', 'result'] as const;
export type SchemaName = (typeof schemaNames)[number];
