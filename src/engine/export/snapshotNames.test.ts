import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { saveEmptyRun } from '../../domain/redaction';
import { parsePlan, planToYaml } from '../../domain/plan/planYaml';
import { junitXml } from '../report/junit';
import { openRunLibrary } from '../store';
import { testSample, testStartMs, testView } from '../../../tests/support/savedRun';
import { redactedReader } from './redactReader';
import { redactorOf, writeSnapshot } from './snapshot';
import { audienceIn } from '../../../tests/support/pullPlan';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fullhouse-words-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Streams and nodes with names that are also words of the file format. */
describe.each([
  ['live', 'wcs', 'whep'],
  ['hold', 'failed', 'ended'],
  ['pass', 'id', 'sentence'],
  ['1', 'x', 'y2'],
  ['sample-240p', 'kind', 'note'],
])('a run with a stream %s and nodes %s and %s', (stream, origin, tester) => {
  it('opens after the redaction, without the names', () => {
    const library = openRunLibrary(join(folder, 'runs'));
    const base = testView('words');
    const [first, second] = base.nodes;
    if (!first || !second) throw new Error('The test run has no nodes.');
    const ended = {
      ...base,
      plan: {
        ...base.plan,
        nodes: {
          [origin]: { server: 'wcs', url: 'http://10.0.0.9' } as const,
          [tester]: { tester: 'local' } as const,
        },
        publish: [{ stream, node: origin, source: 'external' as const }],
        pull: { ...audienceIn(base.plan), stream, from: origin, by: [tester] },
      },
      nodes: [
        { ...first, id: origin, name: origin, streams: [{ stream, source: 'WHIP' }] },
        { ...second, id: tester, name: tester },
      ],
      state: 'ended' as const,
      endedMs: testStartMs + 10_000,
      phases: [{ name: 'hold' as const, startMs: testStartMs, endMs: testStartMs + 10_000 }],
      verdict: {
        verdict: 'pass' as const,
        sentence: `"${stream}" of ${origin} held.`,
        reasons: [],
        headroom: [],
      },
    };
    const writer = library.create(
      { ...ended, state: 'running', verdict: undefined, endedMs: undefined },
      { version: '0.1.0' },
    );
    writer.append([testSample(1, origin, 'cpuPercent', 12)]);
    writer.event({
      timeMs: testStartMs,
      kind: 'node',
      mark: 'none',
      node: origin,
      who: origin,
      sentence: 'It answers.',
    });
    writer.finish(ended);

    const path = join(folder, 'copy.fullhouse');
    writeSnapshot(library, 'words', saveEmptyRun, path);
    const elsewhere = openRunLibrary(join(folder, 'elsewhere'));
    const copy = elsewhere.open(elsewhere.importFile(path).id);
    const view = copy.view();
    expect(view.state).toBe('ended');
    expect(view.phases[0]?.name).toBe('hold');
    expect(view.plan.pull).toMatchObject({ stream: 'stream-1', from: 'node-1', by: ['node-2'] });
    expect(view.nodes.map(({ name, streams }) => [name, streams[0]?.stream])).toEqual([
      ['node-1', 'stream-1'],
      ['node-2', undefined],
    ]);
    expect(view.verdict?.sentence.startsWith('"stream-1" of ')).toBe(true);
    expect(copy.events()[0]).toMatchObject({ node: 'node-1', who: 'node-1' });
    expect(copy.values('node-1', 'cpuPercent').value).toEqual([12]);
    expect(parsePlan(planToYaml(view.plan)).plan.pull?.from).toBe('node-1');
    copy.close();

    const reader = library.open('words');
    const shown = redactedReader(reader, redactorOf(library, 'words', saveEmptyRun));
    expect(shown.values('node-1', 'cpuPercent').value).toEqual([12]);
    expect(shown.summaries().map(({ node }) => node)).toEqual(['node-1']);
    expect(junitXml(shown)).toContain('hostname="node-1"');
    reader.close();
  });
});
