import { expect } from 'vitest';

/** How many inputs each parser gets at least. */
const usual = 1000;
/** On a machine that runs other tests too; on an idle one none takes 2 s. */
const longestMs = 10_000;
/** No input may take more memory beyond what the process has already. */
const maxMemoryBytes = 300 * 2 ** 20;
/** Crafted inputs are small: what they mean is large. */
const maxCharacters = 24 * 1024;

const values = [
  ...['0', '1', '-1', '2147483647', '2147483648', '4294967295', '9007199254740993', '1e308', 'NaN', ''],
  ...[
    '9'.repeat(400),
    'x'.repeat(20_000),
    '['.repeat(5000),
    '{"a":'.repeat(5000),
    '<a>'.repeat(5000),
    '- '.repeat(5000),
  ],
  ...['&a [*a]', '*a', '<<: *a', '&x;', '\\u0000'],
];

/** The same numbers each time (mulberry32). */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return Math.floor((((t ^ (t >>> 14)) >>> 0) / 4294967296) * below);
  };
}

function changed(text: string, next: (below: number) => number): string {
  const at = next(text.length);
  const value = values[next(values.length)] ?? '';
  const repeated = (part: string): string =>
    part.repeat(1 + next(Math.max(1, Math.floor(maxCharacters / 2 / Math.max(1, part.length)))));
  switch (next(6)) {
    case 0:
    case 1: // a number or a name becomes another
      return text.slice(0, at) + text.slice(at).replace(/[\w.]+/, () => value);
    case 2: {
      // a line, an element or a member again and again
      const from = Math.max(text.lastIndexOf('\n', at), text.lastIndexOf('<', at), text.lastIndexOf('{', at), 0);
      const end = /[\n>},]/.exec(text.slice(at))?.index ?? text.length - at - 1;
      return text.slice(0, from) + repeated(text.slice(from, at + end + 1)) + text.slice(at + end + 1);
    }
    case 3: // all of it again and again
      return repeated(text);
    case 4: // within itself
      return text.slice(0, at) + text + text.slice(at);
    default:
      return text.slice(0, at) + repeated(value || ' ') + text.slice(at);
  }
}

/** Variants of texts by rules, and inputs that someone thought of. */
function* crafted(
  captures: readonly string[],
  worst: Readonly<Record<string, string>>,
  count: number,
): Generator<[string, string]> {
  yield* Object.entries(worst);
  const next = numbers(11);
  for (let i = 0; i < count; i += 1) {
    let text = captures[i % captures.length] ?? '';
    for (let changes = 0; changes <= i % 3; changes += 1) text = changed(text, next).slice(0, maxCharacters);
    yield [`input ${i}`, text];
  }
}

/**
 * Every input gives a result, or fails with an error that `isSentence` accepts, within memory. What it took is measured
 * while the result is held.
 */
export async function parsesWithinBounds(
  captures: readonly string[],
  worst: Readonly<Record<string, string>>,
  read: (text: string) => unknown,
  isSentence: (error: unknown) => boolean = () => false,
  count = usual,
): Promise<void> {
  const used = (): number => {
    const { heapUsed, external } = process.memoryUsage();
    return heapUsed + external;
  };
  const exceeded: string[] = [];
  for (const [name, text] of crafted(captures, worst, count)) {
    const before = used();
    const beganMs = performance.now();
    const results: unknown[] = [];
    try {
      results.push(await read(text));
    } catch (error) {
      if (!isSentence(error)) throw new Error(`${name}: ${String(error)}`, { cause: error });
      results.push(error);
      if ((error as Error).message.length >= 2000) exceeded.push(`${name}: a long sentence`);
    }
    const tookMs = performance.now() - beganMs;
    const bytes = used() - before;
    if (bytes > maxMemoryBytes || tookMs > longestMs)
      exceeded.push(`${name} (${text.length} characters): ${Math.round(bytes / 2 ** 20)} MB, ${Math.round(tookMs)} ms`);
    expect(results).toHaveLength(1);
  }
  expect(exceeded).toEqual([]);
}
