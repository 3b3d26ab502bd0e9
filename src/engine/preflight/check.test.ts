import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { isSameMachine, machinesOf } from '../../domain/preflight/sameMachine';
import type { NodeSettings } from '../../domain/model/nodeSettings';
import type { Plan } from '../../domain/model/plan';
import type { PreflightFinding } from '../../domain/model/preflightReport';
import { systemClock } from '../base/clock';
import type { FleetNode } from '../fleet/node';
import { catalogue } from './catalogue';
import { judgeAll, type ReadNode } from './judgeNode';
import { runCheck } from './check';
import { testFacts } from '../../../tests/support/preflightFacts';
import { testRole } from '../../../tests/support/preflightRole';

/** A node whose shell is this machine's, as with two names of one host. */
function node(id: string, host: string, settings: NodeSettings): FleetNode {
  const shell = {
    run: ([program = '', ...words]: readonly string[]) => {
      const { status, stdout, stderr } = spawnSync(program, words, { encoding: 'utf8' });
      return Promise.resolve({ code: status, stdout, stderr });
    },
  };
  const made = {
    ...{ id, host, settings, role: 'server' in settings ? 'origin' : 'tester', streams: [] },
    view: () => ({}),
    trustHostKey: () => undefined,
    shell: () => Promise.resolve(shell),
  };
  return made as unknown as FleetNode;
}

async function context(protocol: NonNullable<Plan['pull']>['protocol']): Promise<readonly PreflightFinding[]> {
  const server: NodeSettings = { server: 'nginx-rtmp', url: 'http://192.0.2.7', ssh: 'qa@192.0.2.7' };
  const tester: NodeSettings = { tester: 'ssh', ssh: 'qa@tester.invalid' };
  const nodes = new Map([
    ['far', node('far', 'host 192.0.2.7', server)],
    ['audience', node('audience', 'host tester.invalid', tester)],
  ]);
  const plan: Plan = {
    ...{ name: 'p', nodes: { far: server, audience: tester }, publish: [], expect: {} },
    pull: {
      stream: 's',
      from: 'far',
      by: ['audience'],
      protocol,
      viewers: 10,
      ratePerSecond: 5,
      holdMs: 1000,
    },
  };
  const report = await runCheck({
    ...{ id: 'l', plan, nodes, rules: catalogue, remarks: [], clock: systemClock },
    ...{ signal: new AbortController().signal, onProgress: () => undefined },
  });
  return report.findings;
}

it.runIf(process.platform === 'linux')(
  'recognises one machine by two addresses, and reports its settings once',
  async () => {
    const findings = await context('rtmp');
    expect(findings.find(({ rule }) => rule === 'tester.shared-host')).toMatchObject({
      result: 'warn',
      sentence: expect.stringContaining('audience and far run on the same machine') as string,
    });
    const memory = findings.filter(({ rule }) => rule === 'host.memory');
    expect(memory).toHaveLength(1);
    expect(memory[0]).toMatchObject({
      node: 'far',
      sentence: expect.stringContaining('the machine of far and audience') as string,
    });
  },
);

it.runIf(process.platform === 'linux')('warns about UDP only where media uses it', async () => {
  const udp = (findings: readonly PreflightFinding[]): string[] =>
    findings.map(({ rule }) => rule).filter((rule) => rule.includes('udp'));
  expect(udp(await context('rtmp'))).toEqual([]);
  expect(udp(await context('whep'))).toHaveLength(3);
});

it('compares boot ids where both are known, else hosts and addresses', () => {
  const of = (host: string, bootId?: string, ...addresses: string[]) => ({ host, bootId, addresses });
  expect(isSameMachine(of('a', '1', '192.0.2.7'), of('b', '1'))).toBe(true);
  // A port forward leads to another machine.
  expect(isSameMachine(of('a', '1', '192.0.2.7'), of('a', '2', '192.0.2.7'))).toBe(false);
  expect(isSameMachine(of('a', '1', '192.0.2.7'), of('b', undefined, '192.0.2.7'))).toBe(true);
  expect(isSameMachine(of('a', '1', '192.0.2.7'), of('b', undefined, '192.0.2.8'))).toBe(false);
  const nodes = new Map([
    ['x', of('a', '1')],
    ['y', of('b', '2')],
    ['z', of('c', '1')],
  ]);
  expect(machinesOf(nodes)).toEqual([['x', 'z'], ['y']]);
});

describe('settings of one machine', () => {
  const rule = catalogue.filter(({ id }) => id === 'kernel.udp-receive-buffer');
  const read = (node: string, role: 'origin' | 'tester', bytes?: number): [string, ReadNode] => [
    node,
    {
      context: testRole({ node, role }),
      facts: testFacts({ sysctls: bytes === undefined ? {} : { 'net.core.rmem_max': bytes } }),
      identity: { host: node, bootId: 'the same', addresses: [] },
    },
  ];
  const summaries = (...nodes: Array<[string, ReadNode]>): string[] =>
    judgeAll(rule, new Map(nodes)).map(({ node, result, sentence }) => `${node} ${result}: ${sentence.split(';')[0]}`);

  it('are reported once for all nodes with the same value, also for one without a reading', () => {
    expect(summaries(read('origin', 'origin', 212_992), read('a', 'tester', 212_992), read('b', 'tester'))).toEqual([
      'origin fail: net.core.rmem_max on the machine of origin, a and b is 212,992 bytes',
    ]);
  });

  it.each<[string, Partial<Parameters<typeof testFacts>[0]>, string]>([
    [
      'kernel.udp-drops',
      { files: { '/proc/net/snmp': 'Udp: InDatagrams OutDatagrams\nUdp: 900 100\n' } },
      'has dropped 0',
    ],
    ['kernel.conntrack', { patterns: { '/proc/sys/net/netfilter/nf_conntrack_max': {} } }, 'tracks no connections'],
    [
      'kernel.cpu-governor',
      { patterns: { '/sys/devices/system/cpu/cpu*/cpufreq/scaling_governor': {} } },
      'has no governor',
    ],
  ])('have one subject in the sentences of %s', (id, read, words) => {
    const facts = testFacts(read);
    const shared = (node: string, role: 'origin' | 'tester'): [string, ReadNode] => [
      node,
      { context: testRole({ node, role }), facts, identity: { host: 'h', bootId: 'the same', addresses: [] } },
    ];
    const all = new Map([shared('lab', 'origin'), shared('local', 'tester')]);
    const found = judgeAll(
      catalogue.filter((each) => each.id === id),
      all,
    );
    expect(found.map(({ sentence }) => sentence.slice(0, 60))).toEqual([
      expect.stringContaining(`The machine of lab and local ${words}`),
    ]);
  });

  it('are reported per container where its own setting gives another result', () => {
    expect(summaries(read('origin', 'origin', 16_777_216), read('audience', 'tester', 212_992))).toEqual([
      'origin pass: net.core.rmem_max on origin is 16,777,216 bytes, which is enough.',
      'audience fail: net.core.rmem_max on audience is 212,992 bytes',
    ]);
  });
});
