import { describe, expect, it } from 'vitest';
import { chosenValues, findIdentifying, saveEmptyRun, previewOf, Redactor, type PartOfRun } from './index';

function redacted(parts: readonly PartOfRun[], choice = saveEmptyRun): unknown[] {
  const redactor = new Redactor(chosenValues(findIdentifying(parts), choice));
  return parts.map(({ part, value, path }) => redactor.value(value, path ?? [part]));
}
const sentences = (...texts: string[]): PartOfRun[] => [
  { part: 'events', value: texts.map((sentence) => ({ kind: 'node', sentence })) },
];
const redactedSentences = (...texts: string[]): string[] =>
  (redacted(sentences(...texts))[0] as Array<{ sentence: string }>).map(({ sentence }) => sentence);

describe('addresses', () => {
  it('gives the same pseudonym to the same host everywhere, and keeps ports', () => {
    expect(
      redactedSentences(
        '10.0.0.9:1935 refused; 10.0.0.8 did not.',
        'rtmp://10.0.0.9:1935/live is silent, [2001:DB8::9]:443 too.',
        '2001:db8:0:0:0:0:0:9 answered, ::ffff:10.0.0.9 as well.',
        'media.acme-tv.com:8443 and MEDIA.acme-tv.com are one.',
      ),
    ).toEqual([
      'host-1:1935 refused; host-2 did not.',
      'rtmp://host-1:1935/live is silent, host-3:443 too.',
      'host-3 answered, host-1 as well.',
      'host-4:8443 and host-4 are one.',
    ]);
  });
  it('leaves what does not identify the customer', () => {
    const texts = [
      '127.0.0.1:7880 and localhost answered at 12:30:15, see https://docs.kernel.org/networking.',
      'kernel.udp-buffers: net.core.rmem_max is 212992; Java 17.0.2 and Electron 22.3.25 run.',
      'CPU of origin was 98.4 % at 2:31, more than the 80 % expected.',
    ];
    expect(redactedSentences(...texts)).toEqual(texts);
  });
  it('does not mistake a part of an address for another one', () => {
    expect(redactedSentences('10.0.0.1 and 10.0.0.11 and 110.0.0.1')).toEqual(['host-1 and host-2 and host-3']);
  });
});

describe('keys and tokens', () => {
  it.each([
    ['http://h.acme.com/live?token=abc123&x=1', 'abc123'],
    ['rtmp://jane:pa55w0rd@h.acme.com/live', 'pa55w0rd'],
    ['Authorization: Bearer abcdef123456', 'abcdef123456'],
    ['The server said: token "eyJhbGciOiJI.eyJpc3MiOiJB.c2lnbmF0" is old', 'eyJhbGciOiJI'],
    ['password: hunter2!', 'hunter2!'],
    ['stream key=zz-top-77', 'zz-top-77'],
    ['https://hooks.acme.com/services/T0A1/B0C2/Ab3dEf6hIj9lMn2pQr5tUv8x', 'Ab3dEf6hIj9lMn2pQr5tUv8x'],
    ['{"user":"x","password":"in-json-9"}', 'in-json-9'],
    ['{\\"accessToken\\": \\"in-json-in-json-9\\"}', 'in-json-in-json-9'],
    ['it asked for Ab3dEf6hIj9lMn2pQr5tUv8x', 'Ab3dEf6hIj9lMn2pQr5tUv8x'],
    ['?vhost=a.acme.com&sign=0123456789abcdef0123456789abcdef', '0123456789abcdef'],
  ])('%s is removed, whatever is kept', (text, secret) => {
    const [value] = redacted(sentences(text), {
      keepKinds: ['address', 'stream', 'node', 'user', 'file', 'name', 'note', 'still'],
      keep: [],
    });
    expect(JSON.stringify(value)).not.toContain(secret);
    expect(JSON.stringify(value)).toContain('(removed)');
  });
  it('are truncated in the preview', () => {
    const parts = sentences('http://h.acme.com/live?token=abc123def');
    const preview = previewOf(parts, findIdentifying(parts));
    expect(preview.find(({ kind }) => kind === 'secret')).toEqual({
      kind: 'secret',
      value: 'abc…',
      becomes: '(removed)',
      count: 1,
      parts: ['events'],
    });
  });
});

describe('names', () => {
  const parts: PartOfRun[] = [
    {
      part: 'plan',
      value: {
        name: 'Acme before the final',
        nodes: {
          'acme-media': { server: 'wcs', url: 'http://10.0.0.9:8081', user: 'jane', keyFile: '~/.ssh/acme' },
          live: { tester: 'ssh', ssh: 'jane@10.0.0.7:2222', jump: 'gate' },
        },
        publish: [{ stream: 'cam', node: 'acme-media', source: 'external' }],
        pull: {
          stream: 'cam',
          from: 'acme-media',
          by: ['live'],
          weights: { live: 2 },
          protocol: 'whep',
          viewers: 9,
        },
      },
    },
    {
      part: 'events',
      value: [
        {
          kind: 'stream',
          mark: 'none',
          who: 'acme-media',
          sentence: 'cam of acme-media is published; the camera is live.',
        },
        { kind: 'note', mark: 'note', who: 'you', sentence: 'Jane says the boss of Acme observed' },
        {
          kind: 'node',
          mark: 'lost',
          who: 'live',
          node: 'live',
          sentence: 'ssh jane@10.0.0.7: Permission denied for /home/jane/.ssh/acme',
        },
      ],
    },
  ];
  it('are replaced consistently in keys, fields and sentences, and program words stay', () => {
    expect(redacted(parts)).toEqual([
      {
        name: 'run-1',
        nodes: {
          'node-1': { server: 'wcs', url: 'http://host-1:8081', user: 'user-1', keyFile: 'file-1' },
          'node-2': { tester: 'ssh', ssh: 'user-1@host-2:2222', jump: 'host-3' },
        },
        publish: [{ stream: 'stream-1', node: 'node-1', source: 'external' }],
        pull: {
          stream: 'stream-1',
          from: 'node-1',
          by: ['node-2'],
          weights: { 'node-2': 2 },
          protocol: 'whep',
          viewers: 9,
        },
      },
      [
        {
          kind: 'stream',
          mark: 'none',
          who: 'node-1',
          sentence: 'stream-1 of node-1 is published; the camera is live.',
        },
        { kind: 'note', mark: 'note', who: 'you', sentence: '(note removed)' },
        {
          kind: 'node',
          mark: 'lost',
          who: 'node-2',
          node: 'node-2',
          sentence: 'ssh user-1@host-2: Permission denied for file-2',
        },
      ],
    ]);
  });
  it('stay if the choice keeps them', () => {
    const [plan] = redacted(parts, { keepKinds: ['node'], keep: [{ kind: 'address', value: '10.0.0.9' }] });
    expect(plan).toMatchObject({
      nodes: { 'acme-media': { url: 'http://10.0.0.9:8081' }, live: { ssh: 'user-1@host-2:2222' } },
    });
  });
  it('include those of a Prometheus', () => {
    expect(
      redacted([
        {
          part: 'rest',
          path: ['view', 'imported'],
          value: {
            prometheus: 'http://prom.acme.com:9090',
            nodes: [
              {
                name: 'acme-1',
                role: 'origin',
                targets: [{ family: 'node', labels: { instance: '10.0.0.9:9100', cluster: 'acme-prod' } }],
              },
            ],
            queries: { 'server:x': 'sum(x{cluster="acme-prod"})' },
          },
        },
      ]),
    ).toEqual([
      {
        prometheus: 'http://host-1:9090',
        nodes: [
          {
            name: 'node-1',
            role: 'origin',
            targets: [{ family: 'node', labels: { instance: 'host-2:9100', cluster: 'host-3' } }],
          },
        ],
        queries: { 'server:x': 'sum(x{cluster="host-3"})' },
      },
    ]);
  });
  it("exclude the versions of the engine's runtime", () => {
    const nodes = [{ name: 'acme', host: { versions: { node: '20.20.2', java: '17.0.2' } } }];
    expect(redacted([{ part: 'rest', path: ['view', 'nodes'], value: nodes }])).toEqual([
      [{ name: 'node-1', host: { versions: { node: '20.20.2', java: '17.0.2' } } }],
    ]);
  });
  it('never become a pseudonym that the run already contains', () => {
    const [value] = redacted([{ part: 'plan', value: { pull: { stream: 'acme', also: 'stream-1' } } }]);
    expect(value).toEqual({ pull: { stream: 'stream-2', also: 'stream-1' } });
  });
});
