import { describe, expect, it } from 'vitest';
import { nodesOf, type FoundTarget } from '../../../domain/plan/importPlan';
import {
  plainSentence,
  timestampText,
  parseTimestamp,
  readRange,
  seriesTitles,
  spanOf,
  type RangeForm,
} from './importForm';

const lastMs = Date.UTC(2026, 10, 24, 16, 30);
const targets: readonly FoundTarget[] = ['a:9100', 'b:9100'].map((instance) => ({
  target: { family: 'node_exporter', labels: { instance, job: 'hosts' } },
  ...{ role: 'origin', firstMs: lastMs - 7_200_000, lastMs, scrapeMs: 15_000 },
  series: { cpuPercent: 1, 'cpuCorePercent:{cpu}': 4 },
}));
const nodes = nodesOf(targets);
const form: RangeForm = {
  ...{ from: '2026-11-24 15:30:00', to: '2026-11-24 16:30:00' },
  ...{ step: '', name: '', without: [], queries: [] },
};

it('parses times in its own format, in either zone', () => {
  for (const zone of ['utc', 'local'] as const) expect(parseTimestamp(timestampText(lastMs, zone), zone)).toBe(lastMs);
  expect(parseTimestamp('2026-11-24', 'utc')).toBe(Date.UTC(2026, 10, 24));
  for (const text of ['2026-02-31', '24.11.2026', '2026-11-24 25:00', 'now', ''])
    expect(parseTimestamp(text, 'utc'), text).toBeUndefined();
});

describe('a form', () => {
  it('is a request with its estimated size', () => {
    const read = readRange(form, nodes, 'utc');
    expect(read).toMatchObject({ problems: [], stepMs: 15_000, moments: 241, samples: 2 * 5 * 241 });
    expect(read.request?.nodes.map(({ name }) => name)).toEqual(['a-9100', 'b-9100']);
    const chosen = { ...form, without: ['b-9100'], step: '1m', name: ' Black Friday ' };
    const less = readRange(chosen, nodes, 'utc');
    expect(less).toMatchObject({ stepMs: 60_000, samples: 5 * 61, request: { name: 'Black Friday' } });
    expect(less.request).not.toHaveProperty('queries');
  });

  it.each([
    [{ from: 'yesterday' }, 'from'],
    [{ to: '2026-11-24 15:30:00' }, 'to'],
    [{ step: '15' }, 'step'],
    [{ step: '10ms' }, 'step'],
    [{ without: ['a-9100', 'b-9100'] }, 'nodes'],
    [{ queries: [{ series: 'cpu', query: 'up' }] }, 'queries'],
    [{ queries: [{ series: 'load1', query: ' ' }] }, 'queries'],
  ] as const)('reports the problem of %j', (change, path) => {
    const { problems, request } = readRange({ ...form, ...change }, nodes, 'utc');
    expect(problems.map((problem) => problem.path)).toEqual([path]);
    expect(request).toBeUndefined();
  });

  it('refuses more samples than a run can hold, and suggests a step', () => {
    const many = nodesOf(
      targets.map((target) => ({ ...target, series: { 'server:{param}': 2000 }, firstMs: lastMs - 86_400_000 })),
    );
    const { problems } = readRange({ ...form, from: '2026-11-23 16:30:00', step: '1s' }, many, 'utc');
    expect(problems[0]).toMatchObject({ path: 'step' });
    expect(problems[0]?.sentence).toMatch(/^This range has 346 million samples.*Use a step of 30s or more/);
  });
});

it('ends a span at the last sample', () => {
  expect(spanOf('hour', nodes)).toEqual({ fromMs: lastMs - 3_600_000, toMs: lastMs });
  expect(spanOf('day', nodes)).toEqual({ fromMs: lastMs - 7_200_000, toMs: lastMs });
  expect(spanOf('all', [])).toBeUndefined();
});

it('names series once, with their parts combined', () => {
  expect(seriesTitles(nodes)).toEqual(['CPU', 'CPU by core']);
});

it('strips the prefix of a sentence', () => {
  const refused = 'http://10.0.0.7:9090 does not respond: connection refused.';
  expect(plainSentence(new Error(`import: ${refused}`))).toBe(refused);
  expect(plainSentence(new Error('import: nothing was found.'))).toBe('Nothing was found.');
});
