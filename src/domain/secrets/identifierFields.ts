import { optionNames, optionRows } from '../model/options';

/** Keys from the root of a message; list indexes are omitted. */
export type FieldPath = readonly string[];

/** Options of an audience whose values are words of the program. */
const options = optionNames.filter((name) => optionRows[name].redaction === 'fixed');

/** Keys whose values are names of nodes and streams, by which things are found, or the program's own words. */
const identifiers: ReadonlySet<string> = new Set(
  (
    'state role server kind mark stage result comparison protocol preset ' +
    'direction series expectation mime secrets publish pull play serves measure what at rule keyType family identity ' +
    'uid writtenBy verdict causedBy rating measured ' +
    'node from by who between tester testers origin stream pullPolicy'
  )
    .split(' ')
    .concat(options),
);

/** Whether a text is a reference or a word of the program: with a part of it masked it would refer to nothing. */
export function isIdentifier(path: FieldPath): boolean {
  const key = path[path.length - 1] ?? '';
  const above = path[path.length - 2] ?? '';
  if (above === 'headers' || above === 'labels') return false;
  if (above === 'nodeSelector' || above === 'tolerations') return key === 'operator' || key === 'effect';
  if (above === 'resources') return true;
  // Node.js, the engine's runtime.
  if (key === 'node' && above === 'versions') return false;
  if (key === 'id') return true;
  if (key === 'name') return above === 'nodes' || above === 'phases' || above === 'timeline';
  // A node's fix is one of our actions; that of a preflight finding is a command with the site's names.
  if (key === 'fix') return above === 'nodes';
  if (above === 'custom' && key === 'nodes') return true;
  return identifiers.has(key);
}
