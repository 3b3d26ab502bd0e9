import { describe, expect, it } from 'vitest';
import type { NodeView } from '../../domain/node';
import {
  addressOf,
  canTexts,
  clockText,
  figureSourcesText,
  isBuiltIn,
  linkText,
  railNodes,
  roleText,
  secondsText,
  sharesOurClock,
  softwareText,
  stateText,
  troubleOf,
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
  it('shows the address that was typed, without what goes without saying', () => {
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

  it('tells what this machine has by itself from what was added', () => {
    expect([isBuiltIn(lab), isBuiltIn(node), isBuiltIn({ ...node, settings: undefined })]).toEqual([
      true,
      false,
      true,
    ]);
    expect([roleText(lab), roleText(node)]).toEqual(['lab', 'origin']);
    expect([lab, node, { ...node, host: 'this-machine' }].map(sharesOurClock)).toEqual([true, false, true]);
  });

  it('says what a link is and why it is not used', () => {
    expect(linkText({ kind: 'ssh', label: 'SSH', state: 'live' })).toEqual({
      text: 'SSH',
      isOff: false,
      isSelfSigned: false,
      title: 'SSH: answers.',
    });
    expect(
      linkText({ kind: 'api', label: '', state: 'lost', problem: 'It timed out.', selfSigned: true }),
    ).toEqual({
      text: 'API',
      isOff: true,
      isSelfSigned: true,
      title: 'API: It timed out. Its certificate is not checked, as you chose.',
    });
  });

  it('says what can be done, and draws the rest as absent', () => {
    const can = {
      publish: ['whip', 'rtmp'],
      pull: ['whep'],
      play: [],
      serves: [],
      measure: [],
      terminate: false,
    } as const;
    expect(canTexts({ ...node, can })).toEqual([
      { word: 'publish', isPossible: true, title: 'publish by WHIP, RTMP' },
      { word: 'pull', isPossible: true, title: 'pull by WHEP' },
      { word: 'play', isPossible: false, title: 'play: not possible here' },
    ]);
  });

  it('shows clocks with their sign and uncertainty', () => {
    expect(clockText({ offsetMs: 1.84, uncertaintyMs: 0.4 })).toBe('+1.8 ± 0.4');
    expect(clockText({ offsetMs: -0.3, uncertaintyMs: 0.2 })).toBe('−0.3 ± 0.2');
    expect(clockText({ offsetMs: -0.01, uncertaintyMs: 0.2 })).toBe('0.0 ± 0.2');
    expect(clockText({ offsetMs: 3_600_000, uncertaintyMs: 1 })).toBe('+3,600,000.0 ± 1.0');
  });

  it('says how a node is, with the age of what is known', () => {
    const text = (of: Partial<NodeView>): string => stateText({ ...node, ...of }, 10_000).text;
    expect(text({})).toBe('live, 1 s');
    expect(text({ state: 'stale', lastSampleMs: -2000 })).toBe('stale, last 12 s ago');
    expect(text({ state: 'stale', lastSampleMs: undefined })).toBe('stale');
    expect(text({ state: 'idle', lastSampleMs: undefined })).toBe('idle');
    expect(text({ state: 'starting' })).toBe('connecting');
    expect(text({ isSlow: true, answerMs: 2310 })).toBe('answers in 2.3 s');
    expect([secondsText(420), secondsText(1000)]).toEqual(['420 ms', '1.0 s']);
  });

  it('lets a trouble take the cells that it makes empty, and no others', () => {
    expect(troubleOf(node, true)).toBeUndefined();
    const half = { ...node, problem: 'No SSH user yet.' };
    expect(troubleOf(half, false)).toEqual({
      from: 'figures',
      tone: 'warning',
      sentence: 'No SSH user yet.',
    });
    expect(troubleOf(half, true)?.from).toBe('state');
    expect(troubleOf({ ...half, state: 'failed' }, true)).toMatchObject({ from: 'can', tone: 'failure' });
    expect(troubleOf({ ...half, state: 'stale' }, true)).toBeUndefined();
    expect(troubleOf({ ...node, state: 'failed' }, false)?.sentence).toContain('srs-7');
  });

  it('has a note stand where figures lack, and it is no trouble', () => {
    const noted = { ...node, note: 'CPU is not measured: add SSH' };
    expect(troubleOf(noted, false)).toEqual({
      from: 'figures',
      tone: 'note',
      sentence: 'CPU is not measured: add SSH',
    });
    expect(troubleOf(noted, true)).toBeUndefined();
    expect(troubleOf({ ...noted, problem: 'The API is slow.' }, false)?.tone).toBe('warning');
  });

  it('names the software, or the family, or nothing', () => {
    expect(softwareText({ ...node, software: 'SRS 7.0.18' })).toBe('SRS 7.0.18');
    expect(softwareText(node)).toBe('srs');
    expect(softwareText({ ...node, server: 'generic' })).toBe('–');
  });
});

describe('the rail outside of a run', () => {
  it('leaves out what this machine has and nobody started, once there is something else', () => {
    const local: NodeView = { ...lab, id: 'local', role: 'tester', server: undefined };
    expect(railNodes([lab, local])).toHaveLength(2);
    expect(railNodes([lab, local, node]).map(({ id }) => id)).toEqual(['srs-7']);
    expect(railNodes([{ ...lab, state: 'live' }, local, node]).map(({ id }) => id)).toEqual(['lab', 'srs-7']);
  });
});

it('tells where the figures of a node come from', () => {
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
    "CPU, memory, network: /proc over SSH (also recorded, under names of their own: node_exporter 1.5.0)\nProcess: the server's own count",
  );
  expect(figureSourcesText(node)).toBeUndefined();
});
