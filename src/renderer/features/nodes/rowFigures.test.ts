import { describe, expect, it } from 'vitest';
import type { NodeView } from '../../../domain/model/node';
import type { RunView } from '../../../domain/model/run';
import type { SeriesId } from '../../../domain/series/series';
import { SampleStore } from '../../charts/sampleStore';
import { rowFigures } from './rowFigures';
import { audienceIn } from '../../../../tests/support/pullPlan';

const node: NodeView = {
  id: 'srs',
  name: 'srs',
  role: 'origin',
  colourSlot: 1,
  state: 'live',
  reach: '',
  host: 'srs',
  streams: [],
};
const run = {
  plan: {
    pull: { from: 'srs' },
    expect: { cpu: { comparison: '<=', value: 80 }, gcPause: { comparison: '<=', value: 10 } },
  },
} as unknown as RunView;

function samples(
  values: readonly (readonly [node: string, series: SeriesId, timeMs: number, value: number])[],
): SampleStore {
  const store = new SampleStore();
  for (const [name, series, timeMs, value] of values)
    store.append({ keys: [{ node: name, series }], key: [0], timeMs: [timeMs], value: [value] });
  return store;
}
const texts = (of: Partial<NodeView>, store: SampleStore) => {
  const figures = rowFigures({ ...node, ...of }, [node], store, run);
  const text = ({ text, unit }: { text: string; unit: string }): string => `${text} ${unit}`.trim();
  return [text(figures.cpu.figure), text(figures.memory.figure), figures.gc && text(figures.gc.figure)];
};

describe('the figures of a row', () => {
  it('are current, and coloured above the limit of the run', () => {
    const store = samples([
      ['srs', 'cpuPercent', 1000, 91],
      ['srs', 'memoryUsedBytes', 1000, 4.5 * 2 ** 30],
      ['srs', 'gcPauseMs', 1000, 11.6],
    ]);
    expect(texts({}, store)).toEqual(['91 %', '4.5 GiB', '11.6 ms']);
    const { cpu, gc, hasHost } = rowFigures(node, [node], store, run);
    expect([cpu.tone, gc?.tone, hasHost]).toEqual(['warning', 'warning', true]);
    expect(rowFigures(node, [node], store, undefined).cpu.tone).toBe('plain');
    const other = { ...run, plan: { ...run.plan, pull: { ...audienceIn(run.plan), from: 'other' } } };
    expect(rowFigures(node, [node], store, other).cpu.tone).toBe('plain');
  });

  it('show a missing value, not 0', () => {
    expect(texts({}, new SampleStore())).toEqual(['–', '–', undefined]);
    expect(rowFigures(node, [node], new SampleStore(), run).hasHost).toBe(false);
  });

  it('show 0 ms if pauses are measured and none occurred', () => {
    const store = samples([['srs', 'cpuPercent', 1000, 5]]);
    expect(texts({ gcSource: 'GC log over SSH' }, store)[2]).toBe('0.0 ms');
  });

  it('keep their last values while a node does not respond', () => {
    const store = samples([
      ['srs', 'cpuPercent', 1000, 19],
      ['other', 'cpuPercent', 60_000, 5],
    ]);
    expect(texts({ state: 'stale' }, store)[0]).toBe('19 %');
    expect(texts({}, store)[0]).toBe('–');
    expect(texts({ state: 'stale', problem: 'srs refused the connection.', fix: 'reconnect' }, store)[0]).toBe('19 %');
  });

  it.each(['compare-keys', 'trust-key', 'enter-secret', 'edit'] as const)(
    'are gone where only a person can restore the node: %s',
    (fix) => {
      const store = samples([
        ['srs', 'cpuPercent', 1000, 19],
        ['other', 'cpuPercent', 60_000, 5],
      ]);
      expect(texts({ state: 'stale', problem: 'srs presented a changed host key.', fix }, store)[0]).toBe('–');
    },
  );
});
