import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { hostileTexts } from '../../tests/support/hostile/texts';
import { testView } from '../../tests/support/savedRun';
import { colouredVerdict, print, printJson, printLog, printResult, printStatus } from './print';
import { Progress } from './progress';

afterEach(() => vi.restoreAllMocks());

/** What is written to the outputs meanwhile. */
function written(act: () => void): string {
  const pieces: string[] = [];
  for (const output of [process.stdout, process.stderr])
    vi.spyOn(output, 'write').mockImplementation((text) => pieces.push(String(text)) > 0);
  act();
  vi.restoreAllMocks();
  return pieces.join('');
}

describe.each(Object.entries(hostileTexts))('%s in what the command line prints', (_, text) => {
  it.each([
    ['a status', () => printStatus(`origin: ${text}.`), 1],
    ['a status alone', () => printStatus(text), 1],
    ['an entry of the log', () => printLog(text, 'warn'), 1],
    ['two lines of a result', () => print(text, `run  ${text}`), 2],
    ['JSON', () => printJson({ sentence: text, [text]: [text] }), 1],
    [
      'progress',
      () => {
        const progress = new Progress(process.stderr, () => 0);
        progress.event({ id: 1, kind: 'note', timeMs: 0, who: text, sentence: text, mark: 'note' }, 0);
      },
      1,
    ],
  ] as const)('adds no line and no command: %s', (_kind, act, count) => {
    const output = written(act);
    expect(output.endsWith('\n')).toBe(true);
    const lines = output.slice(0, -1).split('\n');
    expect(lines).toHaveLength(count);
    for (const line of lines) {
      expect(line).not.toMatch(/[^\P{Cc}]|[\u2028\u2029\u202a-\u202e\u2066-\u2069]/u);
      expect(line).not.toMatch(/^\s*::|##(\[|vso\[|teamcity\[)/);
      expect(line).not.toMatch(/^PASS/);
    }
  });
});

it('the verdict is in colour on a terminal that has any', () => {
  expect(colouredVerdict('PASS  All 10 viewers connected.')).toBe(
    '\u001b[1;32mPASS\u001b[0m  All 10 viewers connected.',
  );
  expect(colouredVerdict('FAIL  8 of 10.')).toBe('\u001b[1;31mFAIL\u001b[0m  8 of 10.');
  for (const word of ['INCONCLUSIVE', 'STOPPED'])
    expect(colouredVerdict(`${word}  x`)).toContain(`\u001b[1;33m${word}`);
  for (const line of ['PASSWORD  x', 'run  PASS', 'PASS']) expect(colouredVerdict(line)).toBe(line);
  // Neither a pipe nor a file, as here, is a terminal.
  expect(written(() => printResult(['PASS  x', 'viewers  1']))).toBe('PASS  x\nviewers  1\n');
});

it('a run of which all texts are hostile has the lines of any other', () => {
  const lines = (name: string): number => {
    const output = { isTTY: true, columns: 200, text: '', write: (text: string) => (output.text += text) };
    const view = testView('x');
    new Progress(output, () => 0).run({
      ...view,
      state: 'running',
      limit: { sentence: name } as NonNullable<typeof view.limit>,
    });
    return output.text.split('\n').length;
  };
  expect(lines(Object.values(hostileTexts).join('\n'))).toBe(lines('plain'));
});

it('nothing in the command line writes to the outputs but this', () => {
  const files = readdirSync(__dirname, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && file !== 'print.ts',
  );
  expect(files.length).toBeGreaterThan(40);
  for (const file of files)
    expect(readFileSync(join(__dirname, file), 'utf8'), file).not.toMatch(
      /std(?:out|err)\s*\.\s*write|console\s*\.|stdio: ?['"]inherit/,
    );
});
