import * as fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';

/** Inputs of each property: a few hundred with all other tests, `RUNS=2000` for the full number. */
export const runs = Number(process.env.RUNS ?? 150);
/** The same inputs each time, so that only a change makes a test fail; `SEED` selects others. */
const seed = Number(process.env.SEED ?? 11);

/** No input of these sizes may keep a parser busy for longer, nor use more memory. */
const longestMs = 2000;
const maxMemoryBytes = 300 * 2 ** 20;

export const fixture = (name: string): string => readFileSync(join(__dirname, '../fixtures', name), 'utf8');

/** What users and programs put in place of a number or name. */
const odd = [
  ...['-1', '1e999', '4294967290', 'NaN', 'null', '""', '{}', '[]', '__proto__', '\u0000', '\u001b[2J', '\ud800'],
  ...['<a>', '</', '&x;', ']]>', '"', "'", '\\', '{', '[', ': ', '*a', '&a ', '%', '\n', '\r\n', '\t'],
  '['.repeat(3000),
  '{"a":'.repeat(3000),
  '<a>'.repeat(3000),
  '9'.repeat(400),
  'x'.repeat(20_000),
];

/** One change of a text: bits flipped, a part lost, zeroed, doubled or moved, or something odd inserted. */
const change = fc.record({
  kind: fc.constantFrom('flip', 'cut', 'drop', 'zero', 'double', 'insert', 'replace'),
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  length: fc.integer({ min: 1, max: 200 }),
  bit: fc.integer({ min: 0, max: 6 }),
  piece: fc.constantFrom(...odd),
});
type Change = typeof change extends fc.Arbitrary<infer T> ? T : never;

function changed(text: string, { kind, at, length, bit, piece }: Change): string {
  const from = Math.floor(at * text.length);
  const [before, part, after] = [text.slice(0, from), text.slice(from, from + length), text.slice(from + length)];
  switch (kind) {
    case 'flip':
      return before + String.fromCharCode((part.charCodeAt(0) || 0) ^ (1 << bit)) + part.slice(1) + after;
    case 'cut':
      return before;
    case 'drop':
      return before + after;
    case 'zero':
      return before + '\u0000'.repeat(part.length) + after;
    case 'double':
      return before + part.repeat(50) + after;
    case 'insert':
      return before + piece + part + after;
    case 'replace':
      // A complete word, so that the rest stays unchanged.
      return before + part.replace(/[\w.]+/, () => piece) + after;
  }
}

/** Real captures with one to eight faults. */
export function damaged(...captures: readonly string[]): fc.Arbitrary<string> {
  return fc
    .tuple(fc.constantFrom(...captures), fc.array(change, { minLength: 1, maxLength: 8 }))
    .map(([text, changes]) => changes.reduce(changed, text));
}

/** Every input gives a result, or fails with an error that `isSentence` accepts: in time, within memory. */
export async function parsesOrFails(
  inputs: fc.Arbitrary<string>,
  read: (text: string) => unknown,
  isSentence: (error: unknown) => boolean = () => false,
): Promise<void> {
  const atFirst = process.memoryUsage.rss();
  await fc.assert(
    fc.asyncProperty(inputs, async (text) => {
      const beganMs = performance.now();
      try {
        await read(text);
      } catch (error) {
        if (!isSentence(error)) throw error;
        expect((error as Error).message.length).toBeLessThan(2000);
      }
      expect(performance.now() - beganMs).toBeLessThan(longestMs);
    }),
    { numRuns: runs, seed },
  );
  expect(process.memoryUsage.rss() - atFirst).toBeLessThan(maxMemoryBytes);
}
