import type { CallInput } from '../../src/contract/engine';
import type { HostKeyQuestion, NodeCapabilities } from '../../src/domain/model/node';
import type { ProbeRow, ProbeView } from '../../src/domain/model/probe';

/** State of a probe at one time. */
export type ProbeStep = Omit<ProbeView, 'probe' | 'address' | 'startedMs'>;

const nothing: NodeCapabilities = {
  publish: [],
  pull: [],
  play: [],
  serves: [],
  measure: [],
  terminate: false,
};
const unknown: ProbeStep = {
  isDone: false,
  rows: [],
  can: nothing,
  origins: [],
  suggestedName: 'node-1',
  suggestedRole: 'origin',
  needs: [],
};

const row = (
  id: ProbeRow['id'],
  label: string,
  state: ProbeRow['state'],
  found: string,
  rest: Partial<ProbeRow> = {},
): ProbeRow => ({ id, label, state, found, ...rest });

/** The rows of the probe, in order of arrival. */
const srsRows: readonly ProbeRow[] = [
  row('address', 'Address', 'found', '10.20.0.7 answers', { detail: 'same network', tookMs: 0.4 }),
  row('ssh', 'SSH', 'found', 'qa, key id_ed25519', { detail: 'host key known since 12 Nov', tookMs: 38 }),
  row('system', 'System', 'found', 'Debian 12, 8 cores, 15.6 GiB', { detail: 'kernel 6.1', tookMs: 61 }),
  row('server', 'Server', 'found', 'SRS 7.0.18', { detail: 'API on 1985, one stream live', tookMs: 112 }),
  row('nodeExporter', 'node_exporter', 'absent', 'no, 9100 refuses; /proc over SSH will do', { tookMs: 3 }),
  row('gc', 'GC pauses', 'absent', 'none to measure: SRS is C++'),
  row('clock', 'Clock offset', 'probing', 'measuring, +0.9 ms so far', { progress: '4 / 10' }),
  row('iperf3', 'iperf3', 'probing', 'probing for it on the node'),
];
const srsCan: NodeCapabilities = {
  publish: ['whip', 'rtmp'],
  pull: ['whep', 'rtmp', 'http-flv', 'hls'],
  play: ['whep', 'http-flv', 'hls'],
  serves: ['whep', 'rtmp', 'http-flv', 'hls'],
  measure: ['CPU', 'load', 'memory', 'network', 'UDP errors', 'streams'],
  terminate: true,
};
const ssh = { tester: 'ssh', ssh: 'qa@10.20.0.7' } as const;
const srs = {
  software: 'SRS 7.0.18',
  detail: 'API on 1985',
  settings: { server: 'srs', url: 'http://10.20.0.7:1985', ssh: 'qa@10.20.0.7' },
} as const;

const srsSequence: readonly ProbeStep[] = srsRows.map((_, index) => ({
  ...unknown,
  rows: srsRows.slice(0, index + 1),
  can: index >= 3 ? srsCan : index >= 2 ? { ...nothing, measure: srsCan.measure.slice(0, 5) } : nothing,
  origins: index >= 3 ? [srs] : [],
  tester: index >= 1 ? ssh : undefined,
  suggestedName: index >= 3 ? 'srs-7' : 'node-7',
  suggestedRole: index >= 3 ? 'origin' : 'tester',
}));

const question = (state: HostKeyQuestion['state'], host: string): HostKeyQuestion => ({
  state,
  host,
  keyType: 'ssh-ed25519',
  fingerprint: 'SHA256:pL6yQ0cY1Q2Dk3oFv9sTn8mWq4xZr7bHj5uAe1KdGzI',
  known:
    state === 'changed'
      ? {
          fingerprint: 'SHA256:Zt8xM2vW7n5cR1qLk4pJ9sYb6dHf3gTa0oEuIiXwNvU',
          where: '~/.ssh/known_hosts line 12',
        }
      : undefined,
});

function keySequence(state: HostKeyQuestion['state'], host: string, isTrusted: boolean): readonly ProbeStep[] {
  const address = row('address', 'Address', 'found', `${host} answers`, { tookMs: 2 });
  const hostKey = question(state, host);
  if (!isTrusted)
    return [
      { ...unknown, rows: [address] },
      {
        ...unknown,
        rows: [address, row('ssh', 'SSH', 'failed', 'The host key is not confirmed')],
        hostKey,
        suggestedName: 'tester-4',
        isDone: true,
      },
    ];
  return [
    {
      ...unknown,
      rows: [address, row('ssh', 'SSH', 'found', 'qa, password', { tookMs: 40 })],
      tester: { tester: 'ssh', ssh: `qa@${host}` },
      suggestedName: 'tester-4',
      suggestedRole: 'tester',
      isDone: true,
    },
  ];
}

function livekitSequence(input: CallInput<'nodes.probe'>): readonly ProbeStep[] {
  const settings = { server: 'livekit', url: 'http://livekit.example:7880' } as const;
  const hasKey = input.apiKey !== undefined && input.secrets.apiSecret !== undefined;
  const server = hasKey
    ? row('server', 'Server', 'found', 'LiveKit 1.11', { detail: 'API on 7880', tookMs: 24 })
    : row('server', 'Server', 'found', 'LiveKit', { detail: 'it wants a key', tookMs: 21 });
  return [
    { ...unknown, rows: [row('address', 'Address', 'found', 'livekit.example answers')] },
    {
      ...unknown,
      rows: [server],
      origins: [{ software: hasKey ? 'LiveKit 1.11' : 'LiveKit', detail: 'API on 7880', settings }],
      suggestedName: 'livekit-1',
      needs: hasKey
        ? []
        : [
            { kind: 'apiKey', sentence: 'LiveKit tells its rooms only to who has a key.' },
            { kind: 'apiSecret', sentence: 'Signs the requests; it never leaves this machine.' },
          ],
      isDone: true,
    },
  ];
}

/** Probe results for an address, step by step; depends on the address. */
export function probeSequence(input: CallInput<'nodes.probe'>, trustedKeys: ReadonlySet<string>): readonly ProbeStep[] {
  const { address } = input;
  const isTrusted = trustedKeys.has(question('unknown', address).fingerprint);
  if (address === 'qa@10.20.0.7') return srsSequence;
  if (address.startsWith('new')) return keySequence('unknown', address, isTrusted);
  if (address.startsWith('changed')) return keySequence('changed', address, isTrusted);
  if (address.startsWith('livekit')) return livekitSequence(input);
  if (address.startsWith('two'))
    return [
      {
        ...unknown,
        rows: [row('server', 'Server', 'found', '2 servers answer')],
        origins: [
          srs,
          {
            software: 'nginx-rtmp',
            detail: 'stat page on 8080',
            settings: { server: 'nginx-rtmp', url: 'http://two.example:8080/stat' },
          },
        ],
        suggestedName: 'two-1',
        isDone: true,
      },
    ];
  const failed = row('address', 'Address', 'failed', `${address} does not respond: connection refused.`);
  return [
    { ...unknown, rows: [row('address', 'Address', 'probing', 'asking')] },
    { ...unknown, rows: [failed], isDone: true },
  ];
}
