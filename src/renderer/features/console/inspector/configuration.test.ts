import { describe, expect, it } from 'vitest';
import type { NodeView } from '../../../../domain/model/node';
import type { AudienceOptions } from '../../../../domain/model/options';
import type { Plan } from '../../../../domain/model/plan';
import { configurationRows } from './configuration';
import { audienceIn } from '../../../../../tests/support/pullPlan';

const plan: Plan = {
  name: 'Pull 1000',
  nodes: {},
  publish: [],
  pull: {
    stream: 'cam',
    from: 'lab',
    by: ['local'],
    protocol: 'whep',
    viewers: 1000,
    ratePerSecond: 200,
    holdMs: 60_000,
  },
  expect: {},
};
const lab: NodeView = {
  id: 'lab',
  name: 'lab',
  role: 'origin',
  colourSlot: 1,
  state: 'live',
  reach: '',
  host: 'me',
  streams: [],
  software: 'lab 0.1.0',
  machine: {
    system: 'Debian 12',
    kernel: '6.1',
    cpuModel: 'Atom C2550',
    cores: 4,
    memoryBytes: 8 * 2 ** 30,
    openFilesLimit: 20_000,
    versions: { agent: '0.1.0' },
  },
};

describe('recipe', () => {
  it('lists the configuration and names a shared machine once', () => {
    const rows = configurationRows(plan, [lab, { ...lab, id: 'local', name: 'local', role: 'tester' }]);
    expect(rows.map(({ name, text }) => `${name}: ${text}`)).toEqual([
      'Plan: 1,000 × WHEP at 200 /s, hold 1 min',
      'lab, local: 4 × Atom C2550, 8.0 GiB',
      'System: Debian 12',
      'Open files: max 20,000',
      'Versions: agent 0.1.0',
      'Server: lab 0.1.0',
    ]);
  });

  it('lists the testers with their shares, and browser fidelity', () => {
    const pull = { ...audienceIn(plan), by: ['tester-1', 'tester-2', 'tester-3'], fidelity: 'browser' as const };
    expect(configurationRows({ ...plan, pull }, []).slice(1)).toEqual([
      { name: 'Testers', text: 'tester-1, tester-2, tester-3, 333-334 each' },
      { name: 'Fidelity', text: 'full browser behaviour' },
    ]);
  });

  it('lists each option that is used, without what may be secret', () => {
    const options: AudienceOptions = {
      ...{ transport: 'udp', reconnect: true, videos: 3, label: 'phones', rooms: { size: 7, source: 'sample-240p' } },
      ...{ watchFor: { minMs: 10_000, maxMs: 60_000 }, tokens: { template: 'hidden-{n}' }, cmcd: false },
      headers: { 'X-Viewer': 'hidden' },
    };
    const rows = configurationRows({ ...plan, pull: { ...audienceIn(plan), ...options } }, []).slice(1);
    expect(rows.map(({ name, text }) => `${name}: ${text}`)).toEqual([
      'Rooms: 7 participants each, sample-240p',
      'Videos: 3 each',
      'Reconnect: on',
      'Watch time: 10s-60s',
      'Tokens: by template',
      'Headers: X-Viewer',
      'Label: phones',
    ]);
  });

  it('omits unknown values', () => {
    expect(configurationRows(plan, [{ ...lab, machine: undefined, software: undefined }])).toHaveLength(1);
  });
});
