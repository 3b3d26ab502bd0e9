import { describe, expect, it } from 'vitest';
import type { NodeView } from '../../../domain/model/node';
import {
  addressOf,
  canTexts,
  clockText,
  figureSourcesText,
  isBuiltIn,
  linkText,
  sidebarNodes,
  roleText,
  secondsText,
  sharesLocalClock,
  softwareText,
  stateText,
  nodeProblemOf,
} from './rowText';

const node: NodeView = {
  id: 'srs-7',
  name: 'srs-7',
  role: 'origin',
  server: 'srs',
  colourSlot: 1,
  state: 'live',
  reach: 'API 1985',
  host: 'srs-7',
  streams: [],
  settings: { server: 'srs', url: 'http://10.20.0.7:1985/' },
  lastSampleMs: 9000,
};
const lab: NodeView = {
  ...node,
  id: 'lab',
  name: 'lab',
  server: 'lab',
  builtIn: true,
  settings: { server: 'lab' },
  reach: 'this machine',
  state: 'idle',
};

describe('the row of a node', () => {
  it('shows the typed address without the default scheme', () => {
    expect(addressOf(node)).toBe('10.20.0.7:1985');
    expect(addressOf({ ...node, settings: { server: 'livekit', url: 'https://lk.example' } })).toBe(
      'https://lk.example',
    );
    expect(addressOf({ ...node, settings: { tester: 'ssh', ssh: 'qa@10.20.0.11' } })).toBe('qa@10.20.0.11');
    expect(addressOf({ ...node, settings: { server: 'generic', whep: 'http://a/whep/{stream}' } })).toBe(
      'a/whep/{stream}',
    );
    expect(addressOf(lab)).toBe('this machine');
  });

  it('distinguishes built-in from added nodes', () => {
    expect([isBuiltIn(lab), isBuiltIn(node), isBuiltIn({ ...node, settings: undefined })]).toEqual([true, false, true]);
    expect([roleText(lab), roleText(node)]).toEqual(['lab', 'origin']);
    expect([lab, node, { ...node, host: 'this-machine' }].map(sharesLocalClock)).toEqual([true, false, true]);
  });

  it('describes a link and why it is not used', () => {
    expect(linkText({ kind: 'ssh', label: 'SSH', state: 'live' })).toEqual({
      text: 'SSH',
      isOff: false,
      isSelfSigned: false,
      title: 'SSH: connected.',
    });
    expect(linkText({ kind: 'api', label: '', state: 'lost', problem: 'It timed out.', selfSigned: true })).toEqual({
      text: 'API',
      isOff: true,
      isSelfSigned: true,
      title: 'API: It timed out. Certificate not verified, as configured.',
    });
  });

  it('shows capabilities, and draws the rest as absent', () => {
    const can = {
      publish: ['whip', 'rtmp'],
      pull: ['whep'],
      play: [],
      serves: [],
      measure: [],
      terminate: false,
    } as const;
    expect(canTexts({ ...node, can })).toEqual([
      { word: 'publish', isPossible: true, title: 'publish over WHIP, RTMP' },
      { word: 'pull', isPossible: true, title: 'pull over WHEP' },
      { word: 'play', isPossible: false, title: 'play: not supported' },
    ]);
  });

  it('shows clocks with their sign and uncertainty', () => {
    expect(clockText({ offsetMs: 1.84, uncertaintyMs: 0.4 })).toBe('+1.8 ± 0.4');
    expect(clockText({ offsetMs: -0.3, uncertaintyMs: 0.2 })).toBe('−0.3 ± 0.2');
    expect(clockText({ offsetMs: -0.01, uncertaintyMs: 0.2 })).toBe('0.0 ± 0.2');
    expect(clockText({ offsetMs: 3_600_000, uncertaintyMs: 1 })).toBe('+3,600,000.0 ± 1.0');
  });

  it('shows the state of a node, with the age of its data', () => {
    const text = (of: Partial<NodeView>): string => stateText({ ...node, ...of }, 10_000).text;
    expect(text({})).toBe('live, 1 s');
    expect(text({ state: 'stale', lastSampleMs: -2000 })).toBe('stale, last 12 s ago');
    expect(text({ state: 'stale', lastSampleMs: undefined })).toBe('stale');
    expect(text({ state: 'idle', lastSampleMs: undefined })).toBe('idle');
    expect(text({ state: 'starting' })).toBe('connecting');
    expect(text({ isSlow: true, responseMs: 2310 })).toBe('responds in 2.3 s');
    expect([secondsText(420), secondsText(1000)]).toEqual(['420 ms', '1.0 s']);
  });

  it('puts a problem into the cells that it empties, and no others', () => {
    expect(nodeProblemOf(node, true)).toBeUndefined();
    const half = { ...node, problem: 'No SSH user yet.' };
    expect(nodeProblemOf(half, false)).toEqual({
      from: 'figures',
      tone: 'warning',
      sentence: 'No SSH user yet.',
    });
    expect(nodeProblemOf(half, true)?.from).toBe('state');
    expect(nodeProblemOf({ ...half, state: 'failed' }, true)).toMatchObject({ from: 'can', tone: 'failure' });
    expect(nodeProblemOf({ ...half, state: 'stale' }, true)).toBeUndefined();
    expect(nodeProblemOf({ ...half, state: 'stale', fix: 'reconnect' }, true)).toBeUndefined();
    const changedKey = {
      ...node,
      state: 'stale',
      problem: 'srs-7 presented a changed host key.',
      fix: 'compare-keys',
    } as const;
    expect(nodeProblemOf(changedKey, true)).toEqual({ from: 'can', tone: 'failure', sentence: changedKey.problem });
    expect(nodeProblemOf({ ...node, state: 'failed' }, false)?.sentence).toContain('srs-7');
  });

  it('puts a note where figures are missing, without a warning', () => {
    const noted = { ...node, note: 'CPU is not measured: add SSH' };
    expect(nodeProblemOf(noted, false)).toEqual({
      from: 'figures',
      tone: 'note',
      sentence: 'CPU is not measured: add SSH',
    });
    expect(nodeProblemOf(noted, true)).toBeUndefined();
    expect(nodeProblemOf({ ...noted, problem: 'The API is slow.' }, false)?.tone).toBe('warning');
  });

  it('shows the software, or the family, or nothing', () => {
    expect(softwareText({ ...node, software: 'SRS 7.0.18' })).toBe('SRS 7.0.18');
    expect(softwareText(node)).toBe('srs');
    expect(softwareText({ ...node, server: 'generic' })).toBe('–');
  });
});

describe('the sidebar outside a run', () => {
  it('omits idle built-in nodes once others exist', () => {
    const local: NodeView = { ...lab, id: 'local', role: 'tester', server: undefined };
    expect(sidebarNodes([lab, local])).toHaveLength(2);
    expect(sidebarNodes([lab, local, node]).map(({ id }) => id)).toEqual(['srs-7']);
    expect(sidebarNodes([{ ...lab, state: 'live' }, local, node]).map(({ id }) => id)).toEqual(['lab', 'srs-7']);
  });
});

it('states the sources of the figures', () => {
  const sources = [
    {
      of: 'host',
      figures: 'CPU, memory, network',
      source: '/proc over SSH',
      others: ['node_exporter 1.5.0'],
    },
    { of: 'process', figures: 'Process', source: "the server's own count", others: [] },
  ] as const;
  expect(figureSourcesText({ ...node, figureSources: sources })).toBe(
    "CPU, memory, network: /proc over SSH (also recorded as separate series: node_exporter 1.5.0)\nProcess: the server's own count",
  );
  expect(figureSourcesText(node)).toBeUndefined();
});
