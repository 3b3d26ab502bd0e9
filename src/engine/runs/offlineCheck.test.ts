import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Plan } from '../../domain/model/plan';
import { SecretBox } from '../secrets/secretBox';
import { samplePlan } from '../../../tests/support/samplePlan';
import { checkOffline } from './offlineCheck';
import { audienceIn } from '../../../tests/support/pullPlan';

let folder: string;
const fileIn = (name: string, text: string): string => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'fullhouse-check-'));
  mkdirSync(join(folder, 'media'));
  for (const name of ['key', 'notes.txt', 'garbage.mp4', 'garbage.h264', 'garbage.webm']) fileIn(name, 'x\n');
  fileIn('tokens.txt', 'a\n\nb\n');
  fileIn('cam.h264', '\0\0\0\x01g');
  fileIn('small.mp4', '\0\0\0\x18ftypisom');
  fileIn('empty.h264', '');
  fileIn('hosts.txt', 'load-1\nload-2\n');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const nodes = {
  origin: {
    server: 'generic',
    whep: 'http://10.0.0.5/{stream}',
    hls: 'http://10.0.0.5/{stream}.m3u8',
    ssh: 'qa@10.0.0.5',
  },
  here: { tester: 'local' },
  wcs: { tester: 'wcs', url: 'http://10.0.0.6:8081' },
  rooms: { server: 'livekit', url: 'http://10.0.0.7:7880', apiKey: 'k' },
} as const;
const planOf = (pull: Partial<Plan['pull']> = {}, more: Partial<Plan> = {}): Plan =>
  samplePlan({ by: ['here'], ...pull }, { nodes, publish: [], ...more });

const check = (plan: Plan, variables: Record<string, string> = {}) =>
  checkOffline(plan, { secrets: new SecretBox(variables, variables), openFiles: 20_000, ports: 28_000 });
const faultsOf = (...given: Parameters<typeof check>): string[] =>
  check(...given).faults.map(({ path, sentence }) => `${path}: ${sentence}`);

it('finds nothing in a plan that can be run', () => {
  expect(check(planOf({ viewers: 100 }))).toEqual({ faults: [], doubts: [] });
});

it.each<[string, () => Parameters<typeof check>, RegExp]>([
  [
    'a port',
    () => [planOf({}, { nodes: { ...nodes, origin: { ...nodes.origin, whep: 'http://10.0.0.5:70000/x' } } })],
    /^nodes\.origin\.whep: The port/,
  ],
  [
    'a protocol without an address',
    () => [planOf({ protocol: 'rtmp' })],
    /^pull\.protocol: "origin" has no address to pull from over RTMP \(it has WHEP, HLS\)/,
  ],
  [
    'a protocol of OpenVidu',
    () => [
      planOf({}, { nodes: { ...nodes, origin: { server: 'openvidu', url: 'https://10.0.0.5' } } }),
      { FULLHOUSE_ORIGIN_HTTP_PASSWORD: 'x' },
    ],
    /it has no address of a stream/,
  ],
  [
    'a WCS that pulls WHEP',
    () => [planOf({ by: ['wcs'] })],
    /^pull\.protocol: "wcs" is a WCS, which pulls over WCS and RTMP, not over WHEP/,
  ],
  [
    'a LiveKit without its key',
    () => [
      planOf(
        { from: 'rooms', protocol: 'livekit' },
        { nodes: { ...nodes, rooms: { server: 'livekit', url: 'http://10.0.0.7:7880' } } },
      ),
    ],
    /^pull\.from: .* need LiveKit's API key/,
  ],
  [
    'a LiveKit without its secret',
    () => [planOf({ from: 'rooms', protocol: 'livekit' })],
    /set FULLHOUSE_ROOMS_API_SECRET\.$/,
  ],
  [
    'tokens without a place',
    () => [planOf({ protocol: 'hls', tokens: { template: 't-{n}' } })],
    /^pull\.tokens: The address of "origin" over HLS has no \{token\}/,
  ],
  [
    'tokens with two places',
    () => [
      planOf(
        { tokens: { template: 't-{n}' }, headers: { 'X-T': '{token}' } },
        { nodes: { ...nodes, origin: { ...nodes.origin, whep: 'http://10.0.0.5/{stream}?t={token}' } } },
      ),
    ],
    /^pull\.tokens: Both the address/,
  ],
  [
    'a list of tokens',
    () => [planOf({ tokens: { file: join(folder, 'absent.txt') } })],
    /^pull\.tokens\.file: The list of tokens .* does not exist/,
  ],
  [
    'a key file',
    () => [planOf({}, { nodes: { ...nodes, origin: { ...nodes.origin, keyFile: join(folder, 'media') } } })],
    /^nodes\.origin\.keyFile: The key .* is not a file/,
  ],
  [
    'an empty media file',
    () => [
      planOf({}, { publish: [{ stream: 'cam', node: 'origin', source: join(folder, 'empty.h264'), by: 'here' }] }),
    ],
    /^publish\.0\.source: The media file .* is empty/,
  ],
  [
    'an inventory',
    () => [planOf({}, { nodes: { ...nodes, group: { tester: 'ssh', inventory: join(folder, 'hosts.ini') } } })],
    /^nodes\.group\.inventory: The inventory .* can't be read/,
  ],
  [
    'a hook',
    () => [planOf({}, { hooks: [{ at: 'end', run: ['no-such-program-here'] }] })],
    /^hooks\.0\.run: The hook at end, no-such-program-here, is in no folder of PATH/,
  ],
  [
    'a variable',
    () => [planOf({ headers: { 'X-A': '$env:ABSENT' } })],
    /^pull\.headers\.X-A: The variable of \$env:ABSENT is not set/,
  ],
  [
    'a variable of a later audience',
    () => [planOf({}, { also: [{ ...audienceIn(planOf()), label: 'b', headers: { 'X-A': '$env:ABSENT' } }] })],
    /^also\.0\.headers\.X-A: /,
  ],
  [
    'a list with too few tokens',
    () => [planOf({ viewers: 5, tokens: { file: join(folder, 'tokens.txt') } })],
    /^pull\.tokens\.file: .*tokens\.txt has 2 tokens, and viewer 3 needs one more/,
  ],
  [
    'a list of a later audience with too few tokens',
    () => [
      planOf(
        {},
        { also: [{ ...audienceIn(planOf()), label: 'b', viewers: 3, tokens: { file: join(folder, 'tokens.txt') } }] },
      ),
    ],
    /^also\.0\.tokens\.file: .* has 2 tokens/,
  ],
  ...(['garbage.mp4', 'garbage.h264', 'garbage.webm'] as const).map(
    (name): [string, () => Parameters<typeof check>, RegExp] => [
      `bytes of another format in ${name}`,
      () => [planOf({}, { publish: [{ stream: 'cam', node: 'origin', source: join(folder, name) }] })],
      new RegExp(`^publish\\.0\\.source: The media file .*${name} is not one of \\.`),
    ],
  ),
  [
    'a source that is no video file',
    () => [planOf({}, { publish: [{ stream: 'cam', node: 'origin', source: join(folder, 'notes.txt') }] })],
    /^publish\.0\.source: The media file .*notes\.txt has to end in \.mp4, /,
  ],
  [
    'a layer beside the sample',
    () => [
      planOf({}, { publish: [{ stream: 'cam', node: 'origin', source: 'sample-240p', simulcast: ['/absent.mp4'] }] }),
    ],
    /^publish\.0\.simulcast\.0: The media file \/absent\.mp4 does not exist/,
  ],
  ...(
    [
      ['lab', 'dash', 'WHEP'],
      ['lab', 'wcs', 'WHEP'],
      ['lab', 'srt', 'WHEP'],
      ['nginx-rtmp', 'whep', 'RTMP, HLS'],
      ['srs', 'srt', 'WHEP, RTMP, HTTP-FLV, HLS'],
      ['wcs', 'dash', 'WCS, RTMP, HLS, RTSP'],
    ] as const
  ).map(([server, protocol, possible]): [string, () => Parameters<typeof check>, RegExp] => [
    `${protocol} at ${server}`,
    () => [planOf({ protocol }, { nodes: { ...nodes, origin: { server, url: 'http://10.0.0.5:1985' } } })],
    new RegExp(`^pull\\.protocol: "origin" can't be pulled from over .* \\(possible: ${possible}\\)`),
  ]),
  [
    'a pull from a server without a protocol of testers',
    () => [planOf({}, { nodes: { ...nodes, origin: { server: 'icecast', url: 'http://10.0.0.5:8000' } } })],
    /^pull\.protocol: "origin" can't be pulled from: its server has no protocol that testers support\./,
  ],
  [
    'a publication over SRT at the lab',
    () => [
      planOf(
        {},
        {
          nodes: { ...nodes, origin: { server: 'lab' } },
          publish: [{ stream: 'cam', node: 'origin', source: 'sample-240p', protocol: 'srt' }],
        },
      ),
    ],
    /^publish\.0\.protocol: "origin" can't be published to over SRT \(possible: WHIP\)/,
  ],
  [
    'a share of TURN at the lab',
    () => [planOf({ turn: { share: 50 } }, { nodes: { ...nodes, origin: { server: 'lab' } } })],
    /^pull\.turn: "origin" is a lab, which lists no TURN server/,
  ],
  ['too many viewers', () => [planOf({ viewers: 50_000 })], /^pull\.viewers: here can run at most 19,744 viewers/],
])('finds %s', (_, given, sentence) => {
  expect(faultsOf(...given())).toEqual([expect.stringMatching(sentence)]);
});

it('accepts what exists', () => {
  const plan = planOf(
    { viewers: 2, tokens: { file: join(folder, 'tokens.txt') }, headers: { 'X-A': '$env:PRESENT' } },
    {
      nodes: {
        ...nodes,
        origin: { ...nodes.origin, keyFile: join(folder, 'key'), whip: 'http://10.0.0.5/{stream}' },
        group: { tester: 'ssh', inventory: join(folder, 'hosts.txt') },
      },
      publish: [
        {
          ...{ stream: 'cam', node: 'origin', source: join(folder, 'cam.h264'), by: 'here' },
          simulcast: [join(folder, 'small.mp4')],
        },
      ],
      hooks: [{ at: 'end', run: [process.execPath, '--version'] }],
    },
  );
  expect(check(plan, { PRESENT: 'x' })).toEqual({ faults: [], doubts: [] });
});

it('doubts what depends on the servers, and what nothing measures', () => {
  const { faults, doubts } = check(
    planOf(
      {},
      {
        nodes: { ...nodes, origin: { server: 'generic', whep: nodes.origin.whep } },
        publish: [{ stream: 'cam', node: 'origin', source: 'sample-240p' }],
        expect: { cpu: { comparison: '<=', value: 80 }, gcPause: { comparison: '<=', value: 10, ifMeasured: true } },
      },
    ),
  );
  expect(faults).toEqual([]);
  expect(doubts.map(({ path }) => path)).toEqual(['publish.0.node', 'expect.cpu']);
});

it('doubts a TURN server that only the origin can list', () => {
  const { faults, doubts } = check(planOf({ turn: { share: 50 } }));
  expect(faults).toEqual([]);
  expect(doubts).toEqual([
    { path: 'pull.turn', sentence: expect.stringContaining('50 % of the viewers need a TURN server') as string },
  ]);
  expect(check(planOf({ turn: { share: 50, url: 'turn:10.0.0.9' } })).doubts).toEqual([]);
});
