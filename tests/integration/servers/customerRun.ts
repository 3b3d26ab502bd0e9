import type { RunEvent, RunView } from '../../../src/domain/model/run';
import type { ViewerRow } from '../../../src/contract/viewerSchemas';
import type { RunLibrary } from '../../../src/engine/store';
import { testSample, testStartMs, testView } from '../../support/savedRun';
import { audienceIn } from '../../support/pullPlan';

/** A customer's run: every part of it contains identifying data. */

/** Strings that a snapshot without exclusions must not contain, in any of its bytes. */
export const customerSecrets = [
  '10.20.30.40',
  '10.20.30.41',
  'media.acmetv.com',
  'MEDIA.acmetv.com',
  '2001:db8:77::9',
  'acmetv',
  'final-match',
  'jane.doe',
  'id_acme_prod',
  'gc-acme.log',
  'Acme before the final',
  'acme-before-the-final',
  'The boss of Acme watched',
  'tok3n-value-9',
  'hunter2-pass',
  'APIxyz123key',
  'acme-media',
  'acme-load-1',
  'season opener',
  'picture of the stage',
  'SHA256:Zm9vYmFyYmF6cXV4',
  'Zm9vYmFyMTIzQmF6cXV4NDU2',
  'notify.sh',
];

export function customerView(id: string): RunView {
  const base = testView(id);
  const origin = base.nodes[0];
  const tester = base.nodes[1];
  if (!origin || !tester) throw new Error('The test run lacks its nodes.');
  return {
    ...base,
    name: 'Acme before the final',
    state: 'ended',
    endedMs: testStartMs + 90_000,
    plan: {
      ...base.plan,
      name: 'Acme before the final',
      nodes: {
        'acme-media': {
          server: 'wcs',
          url: 'http://media.acmetv.com:8081',
          ssh: 'jane.doe@10.20.30.40:2222',
          keyFile: '~/.ssh/id_acme_prod',
          gcLog: '/opt/wcs/logs/gc-acme.log',
          user: 'jane.doe',
          apiKey: 'APIxyz123key',
          metrics: 'http://[2001:db8:77::9]:9100/metrics?token=tok3n-value-9',
        },
        'acme-load-1': { tester: 'ssh', ssh: 'jane.doe@10.20.30.41' },
      },
      publish: [{ stream: 'final-match', node: 'acme-media', source: 'external' }],
      hooks: [
        { at: 'end', post: 'https://[2001:db8:77::9]/hook/Zm9vYmFyMTIzQmF6cXV4NDU2' },
        { at: 'start', run: ['/opt/acmetv/notify.sh', 'media.acmetv.com'] },
      ],
      pull: {
        ...audienceIn(base.plan),
        stream: 'final-match',
        from: 'acme-media',
        by: ['acme-load-1'],
        weights: { 'acme-load-1': 2 },
      },
    },
    nodes: [
      {
        ...origin,
        id: 'acme-media',
        name: 'acme-media',
        server: 'wcs',
        reach: 'http://media.acmetv.com:8081',
        host: 'MEDIA.acmetv.com',
        streams: [{ stream: 'final-match', source: 'RTMP · 10.20.30.40' }],
        hostKey: {
          state: 'unknown',
          host: '[10.20.30.40]:2222',
          keyType: 'ssh-ed25519',
          fingerprint: 'SHA256:Zm9vYmFyYmF6cXV4Zm9vYmFyYmF6cXV4Zm9vYmFyYm',
        },
      },
      {
        ...tester,
        id: 'acme-load-1',
        name: 'acme-load-1',
        reach: 'jane.doe@10.20.30.41',
        host: '10.20.30.41',
      },
    ],
    failures: [
      {
        tester: 'acme-load-1',
        stage: 'signalling',
        cause: 'http 403',
        count: 3,
        example: {
          viewer: 7,
          timeMs: testStartMs + 1000,
          detail: 'POST https://media.acmetv.com/whep/final-match?token=tok3n-value-9 answered 403.',
        },
      },
    ],
    verdict: {
      verdict: 'fail',
      sentence: 'CPU of acme-media was 97 % at 1:20.',
      reasons: [
        {
          number: 1,
          sentence: 'CPU of acme-media (media.acmetv.com) was 97 %.',
          expected: 'expected <= 80 %',
          expectation: 'cpu',
          timeMs: testStartMs + 80_000,
          node: 'acme-media',
        },
      ],
      headroom: [],
    },
    preflight: {
      timeMs: testStartMs,
      findings: [
        {
          rule: 'kernel.udp-buffers',
          title: 'UDP buffers',
          node: 'acme-media',
          result: 'fail',
          sentence: 'net.core.rmem_max is 212,992 on 10.20.30.40.',
          why: 'Datagrams are dropped.',
          fix: 'ssh jane.doe@10.20.30.40 sudo sysctl -w net.core.rmem_max=16777216',
          source: 'https://docs.kernel.org/networking',
        },
      ],
    },
  };
}

const events: ReadonlyArray<Omit<RunEvent, 'id'>> = [
  { timeMs: testStartMs, kind: 'run', mark: 'none', who: 'run', sentence: 'Acme before the final began.' },
  {
    timeMs: testStartMs + 2000,
    kind: 'node',
    mark: 'lost',
    node: 'acme-media',
    who: 'acme-media',
    sentence: 'rtmp://jane.doe:hunter2-pass@10.20.30.40:1935/live/final-match is silent.',
  },
  {
    timeMs: testStartMs + 5000,
    kind: 'note',
    mark: 'note',
    who: 'you',
    sentence: 'The boss of Acme watched',
  },
];

const viewer: ViewerRow = {
  tester: 'acme-load-1',
  job: 'pull-1',
  viewer: 7,
  state: 'failed',
  packets: 0,
  bytes: 0,
  lost: 0,
  frames: 0,
  stalls: 0,
  stalledMs: 0,
  degraded: false,
  failure: { stage: 'signalling', cause: 'http 403', detail: 'media.acmetv.com:443 refused final-match' },
  detail: {
    timeline: [
      { atMs: 0, name: 'arrived' },
      { atMs: 4.5, name: 'ice' },
      { atMs: 900, name: 'degraded', reason: 'stall' },
    ],
    route: {
      protocol: 'udp',
      local: '10.20.30.41:40112',
      localType: 'host',
      remote: '[2001:db8:77::9]:8000',
      remoteType: 'host',
    },
    streams: [{ kind: 'video', codec: 'H264', payloadType: 102, ssrc: 7, packets: 0 }],
  },
};

/** Saves the run; two minutes of samples, so that the file has a packed minute and unpacked samples. */
export function keepCustomerRun(library: RunLibrary, id = '2026-11-22-acme-before-the-final-abc234'): string {
  const writer = library.create(
    { ...customerView(id), state: 'running', endedMs: undefined, verdict: undefined },
    { version: '0.1.0' },
  );
  for (let second = 0; second < 90; second += 1)
    writer.append([
      testSample(second, 'acme-media', 'cpuPercent', 10 + second),
      testSample(second, 'acme-load-1', 'viewersConnected', second * 10),
    ]);
  for (const event of events) writer.event(event);
  writer.setViewers([viewer]);
  writer.still({
    timeMs: testStartMs + 3000,
    cause: 'saved',
    mime: 'image/png',
    data: new TextEncoder().encode('picture of the stage'),
  });
  writer.finish(customerView(id));
  library.keep(id, { addTags: ['season opener'], note: 'Asked by jane.doe of acmetv' });
  return id;
}
