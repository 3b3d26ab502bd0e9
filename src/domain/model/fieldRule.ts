/**
 * What the text in a field of a run file is: it decides what an anonymized copy has there.
 *
 * - kept: `figure` (not a text), `fixed` (a word of the program's own lists; any other text is removed), `id` (random)
 * - kept but for what is from elsewhere in it: `composed` (a sentence of the program), `reach`, `hardware`, `series`,
 *   `rule`, `version`
 * - an identity, replaced consistently: `node`, `stream`, `name`, `user`, `author`, `host`, `machine`, `login`, `file`,
 *   `address` (its path goes as a whole), `source`, `program`, `label`, `runId`, `reference` (of a secret)
 * - left out: `secret`, `argument` (of a program), `claims` (of tokens, as JSON), `note`, `foreign` (a text of another program or person)
 */
export type FieldRule =
  | 'figure'
  | 'fixed'
  | 'id'
  | 'composed'
  | 'reach'
  | 'hardware'
  | 'series'
  | 'rule'
  | 'node'
  | 'stream'
  | 'name'
  | 'user'
  | 'author'
  | 'host'
  | 'machine'
  | 'login'
  | 'file'
  | 'address'
  | 'source'
  | 'program'
  | 'label'
  | 'runId'
  | 'reference'
  | 'secret'
  | 'argument'
  | 'claims'
  | 'note'
  | 'foreign';
