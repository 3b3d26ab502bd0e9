import { describe, expect, it } from 'vitest';
import type { NodeView } from '../../../domain/model/node';
import type { RunView } from '../../../domain/model/run';
import type { SeriesId } from '../../../domain/series/series';
import { SampleStore } from '../../charts/sampleStore';
import { cpuSource, sidebarFigures } from './nodeFigures';

function node(id: string, role: NodeView['role'], host: string): NodeView {
  const machine = { system: '', kernel: '', cpuModel: '', cores: 4, memoryBytes: 0, versions: {} };
  return { id, name: id, role, colourSlot: 1, state: 'live', reach: '', host, streams: [], machine };
}

function storeOf(...samples: [string, SeriesId, number, number][]): SampleStore {
  const store = new SampleStore();
  for (const [name, series, timeMs, value] of samples)
    store.append({ keys: [{ node: name, series }], key: [0], timeMs: [timeMs], value: [value] });
  return store;
}

const ofMachine = 'Host CPU, % of all cores';
const origin = node('origin', 'origin', 'a');
const tester = node('tester', 'tester', 'a');
const run = {
  state: 'running',
  plan: { pull: { from: 'origin' }, expect: { cpu: { comparison: '<=', value: 80 } } },
} as RunView;

describe('figures of a node', () => {
  it('are current, and warn above the limit', () => {
    const store = storeOf(['origin', 'cpuPercent', 1000, 91], ['origin', 'gcPauseMs', 1000, 11.6]);
    expect(sidebarFigures(origin, [origin], store, run)).toEqual([
      { label: 'CPU', title: ofMachine, figure: { text: '91', unit: '%' }, tone: 'warning' },
      { label: 'GC', figure: { text: '11.6', unit: 'ms' }, tone: 'plain' },
    ]);
  });

  it('have no limit for an origin that is only observed', () => {
    const store = storeOf(['edge', 'cpuPercent', 1000, 91]);
    const edge = node('edge', 'origin', 'b');
    expect(sidebarFigures(edge, [origin, edge], store, run)[0]?.tone).toBe('plain');
  });

  it('are an en dash once stale', () => {
    const store = storeOf(['origin', 'cpuPercent', 1000, 91], ['other', 'cpuPercent', 20_000, 1]);
    expect(sidebarFigures(origin, [origin], store, run)[0]?.figure.text).toBe('–');
  });

  it('are peaks once the run has ended, red if it failed', () => {
    const ended = { ...run, state: 'ended', verdict: { verdict: 'fail' } } as RunView;
    const store = storeOf(['origin', 'cpuPercent', 1000, 98], ['origin', 'cpuPercent', 2000, 12]);
    expect(sidebarFigures(origin, [origin], store, ended)[0]).toEqual({
      label: 'CPU max',
      title: ofMachine,
      figure: { text: '98', unit: '%' },
      tone: 'failure',
    });
  });

  it('of a tester warn of its limits, live and in a saved run', () => {
    const store = storeOf(['far', 'cpuPercent', 1000, 99], ['far', 'mediaInMbps', 1000, 365]);
    const far = node('far', 'tester', 'b');
    const over = { node: 'far', kind: 'cpu', fromMs: 500, toMs: 900 } as const;
    const tones = (of: object): (string | undefined)[] =>
      sidebarFigures(far, [origin, far], store, { ...run, ...of }).map(({ tone }) => tone);
    expect(tones({ testerLimits: [{ ...over, toMs: undefined }] })).toEqual(['warning', 'plain']);
    expect(tones({ testerLimits: [{ ...over, toMs: undefined, kind: 'network' }] })).toEqual(['plain', 'warning']);
    expect(tones({ testerLimits: [over] })).toEqual(['plain', 'plain']);
    expect(tones({ testerLimits: [over], state: 'ended' })).toEqual(['warning', 'plain']);
  });

  it('show the host CPU for every node on it, whichever node sampled it', () => {
    const store = storeOf(['origin', 'cpuPercent', 1000, 64], ['tester', 'processCpuPercent', 1000, 12]);
    for (const each of [origin, tester]) {
      const [cpu] = sidebarFigures(each, [origin, tester], store, undefined);
      expect(cpu).toEqual({
        label: 'CPU',
        title: ofMachine,
        figure: { text: '64', unit: '%' },
        tone: 'plain',
      });
    }
    expect(cpuSource(tester, [origin, tester], store).node).toBe('origin');
  });

  it('show the process CPU, labelled as such, if the host is not measured', () => {
    const store = storeOf(['origin', 'processCpuPercent', 1000, 142]);
    expect(sidebarFigures(origin, [origin], store, run)[0]).toEqual({
      label: 'Process',
      title: 'Process CPU, % of one core',
      figure: { text: '142', unit: '%' },
      tone: 'plain',
    });
  });
});
