import { describe, expect, it } from 'vitest';
import {
  eventShape,
  findIdentifying,
  keepableKinds,
  metaShapes,
  previewOf,
  Redactor,
  saveEmptyRun,
  viewShape,
  type PartOfRun,
  type RunPart,
  type Shape,
} from './index';

function redacted(parts: readonly PartOfRun[], choice = saveEmptyRun): unknown[] {
  const redactor = new Redactor(findIdentifying(parts), choice);
  return parts.map(({ value, shape }) => redactor.value(value, shape));
}
const partOf = (part: RunPart, value: unknown, shape: Shape): PartOfRun => ({ part, value, shape });
const ofView = (part: RunPart, value: unknown): PartOfRun => partOf(part, value, viewShape.fields[part] ?? 'foreign');
const sentences = (...texts: string[]): PartOfRun[] => [
  partOf(
    'events',
    texts.map((sentence) => ({ kind: 'node', sentence })),
    eventShape,
  ),
];
const redactedSentences = (...texts: string[]): string[] =>
  (redacted(sentences(...texts))[0] as Array<{ sentence: string }>).map(({ sentence }) => sentence);

describe('addresses', () => {
  it('gives the same pseudonym to the same host everywhere, and keeps ports', () => {
    expect(
      redactedSentences(
        '10.0.0.9:1935 refused; 10.0.0.8 did not.',
        'rtmp://10.0.0.9:1935/live is silent, [2001:DB8::9]:443 too.',
        '2001:db8:0:0:0:0:0:9 answered, ::ffff:10.0.0.9 answered too.',
        'media.acme-tv.com:8443 and MEDIA.acme-tv.com are one.',
        'fe80::1%eth0 and fe80::1%25eth0 do not respond.',
      ),
    ).toEqual([
      'host-1:1935 refused; host-2 did not.',
      'rtmp://host-1:1935/(path) is silent, host-3:443 too.',
      'host-3 answered, host-1 answered too.',
      'host-4:8443 and host-4 are one.',
      'host-5 and host-5 do not respond.',
    ]);
  });
  it('leaves what does not identify the customer', () => {
    const texts = [
      '127.0.0.1:7880 and localhost answered at 12:30:15, see https://github.com.',
      'kernel.udp-drops: net.core.rmem_max is 212992; Java 17.0.2 and Electron 22.3.25 are used.',
      'CPU of origin was 98.4 % at 2:31, more than the 80 % expected.',
    ];
    expect(redactedSentences(...texts)).toEqual(texts);
  });
  it('does not mistake a part of an address for another one', () => {
    expect(redactedSentences('10.0.0.1 and 10.0.0.11 and 110.0.0.1')).toEqual(['host-1 and host-2 and host-3']);
  });
});

describe('keys, tokens and numbers of persons', () => {
  const everything = { keepKinds: keepableKinds, keep: [] };
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
    ['denied for wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY of s3', 'K7MDENG'],
    ['denied for 3/Kx9+QmZ7vBw2Ht5/RsYd8LcNf1JpGa4Eu6Tio0W of s3', 'RsYd8LcNf1JpGa4Eu6Tio0W'],
    ['clone with ghp_16C7e42F292c6912E7710c838347Ae178B4a', 'ghp_16C7'],
    ['clone with github_pat_11ABCDEFG0abcdefghijkl_x', 'github_pat_11'],
    ['clone with glpat-AbCdEfGhIjKlMnOpQrSt', 'glpat-AbCd'],
    ['posted by xoxb-123456789012-abcdefABCDEF', 'xoxb-123456789012'],
    ['-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXk\n-----END OPENSSH PRIVATE KEY-----', 'b3BlbnNzaC1rZXk'],
    ['Server=db7;Initial Catalog=billing;User Id=sa7;Password=pw77;', 'billing'],
    ['DefaultEndpointsProtocol=https;AccountName=acme77;AccountKey=a2V5;', 'acme77'],
    ['mongodb://root:pw77@db.acme.com/billing', 'pw77'],
    ['assumed arn:aws:iam::123456789012:role/stream-admin', '123456789012'],
    ['in projects/acme-prod-77/zones/eu', 'acme-prod-77'],
    ['device 123e4567-e89b-12d3-a456-426614174000 was lost', '426614174000'],
    ['call +49 170 1234567 now', '1234567'],
    ['call +49 (0)30 90 18 20 now', '90 18 20'],
    ['call (030) 901820-77 now', '901820'],
    ['call 0170/1234567 now', '1234567'],
    ['call 555-867-5309 now', '5309'],
    ['pay DE89 3704 0044 0532 0130 00 first', '0532'],
    ['pay GB29NWBK60161331926819 first', 'NWBK6016'],
    ['card 4111 1111 1111 1111 of jane', '1111 1111'],
    ['at 52.520008, 13.404954 in the hall', '13.404954'],
    ['at 52°31\'12.0"N 13°24\'18.0"E in the hall', '13°24'],
    ['serial: 7XK2-99', '7XK2-99'],
  ])('%s is removed, whatever is kept', (text, secret) => {
    for (const choice of [saveEmptyRun, everything]) {
      const [value] = redacted(sentences(text), choice);
      expect(JSON.stringify(value)).not.toContain(secret);
      expect(JSON.stringify(value)).toMatch(/removed\)|\(path\)/);
    }
  });
  it('are not figures, dates or commands', () => {
    const texts = [
      '1,000 viewers at 84 /s, hold 60 s; 12,345,678 packets in 0.8 s',
      'sysctl -w net.core.rmem_max=16777216',
      'net.core.rmem_max is 212992, 16777216 bytes are expected.',
      'From 2026-11-21 09:00 to 10:30:15, 640x360 at 29.97 fps, 12 of 250 viewers',
    ];
    expect(redactedSentences(...texts)).toEqual(texts);
  });
  it('are truncated in the preview', () => {
    const parts = sentences('The login with token: abc123def was refused.');
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

describe('a text from elsewhere', () => {
  it.each([
    ['origin: /api/v1 answered 500: <html><b>Contoso</b> Edge</html>', 'Contoso'],
    ['origin: the response is invalid: {"tenant":"Contoso","plan":"gold"}', 'Contoso'],
    ['tester-1 refused 3 viewers: quota of Contoso Sports exceeded, ask Miller', 'Miller'],
    ['Hook at end: failed: notify: Contoso pager is down', 'pager'],
    ['The server returned "no seats for Contoso" instead of JSON', 'Contoso'],
    ['The server said “no seats for Contoso” and closed', 'Contoso'],
    ['The log of the pod (kubelet: Contoso node pool) ended', 'Contoso'],
    ['mediaserver01 refused the connection', 'mediaserver01'],
    ['dial tcp: lookup gate-internal: no such host', 'gate-internal'],
    ['ended with code 3: \nContoso watchdog\nreason: Miller', 'Miller'],
    ['share \\\\fileserver7\\media\\finals can not be read', 'fileserver7'],
    ['C:\\Users\\miller\\plan.yaml can not be read', 'miller'],
    ['pay to DE00 3704 0044 0532 0130 first', '0532'],
    ['Contoso hotline 555 0123 is busy', '0123'],
    ['the stream of Contoso 48211', '48211'],
    ['\u0410\u043a\u043c\u0435 refused the connection', '\u0410\u043a\u043c\u0435'],
    ['link 00:1B:44:11:3A:B7, 001b.4411.3ab7 and 00-1B-44-11-3A-B7 are down', '3ab7'],
  ])('%s is left out', (text, foreign) => {
    const [value] = redactedSentences(text);
    expect(value?.toLowerCase()).not.toContain(foreign.toLowerCase());
  });
  it('leaves its status and its length, and the words of the program', () => {
    expect(
      redactedSentences(
        'The origin answered 403: HTTP 403 tenant Contoso is blocked.',
        'The signalling failed with "no seats for Contoso".',
        '403 Forbidden after 20 ms; 3 viewers failed.',
        'Contoso 17 viewers of 20 failed.',
      ),
    ).toEqual([
      'The origin answered 403: HTTP 403 (25 characters removed).',
      'The signalling failed with "(20 characters removed)".',
      '403 Forbidden after 20 ms; 3 viewers failed.',
      '(7 characters removed) 17 viewers of 20 failed.',
    ]);
  });
  it('stays if it is kept, without keys and other values', () => {
    const parts = sentences('The signalling failed with "no seats for Contoso, token: abc, ask 10.0.0.9".');
    expect(redacted(parts, { keepKinds: ['text'], keep: [] })).toEqual([
      [
        {
          kind: 'node',
          sentence: 'The signalling failed with "no seats for Contoso, token: (removed), ask host-1".',
        },
      ],
    ]);
  });
});

describe('programs', () => {
  const programs = [
    { name: 'node', percent: 40 },
    { name: 'sh', percent: 3 },
    { name: 'acme-encoder', percent: 2 },
  ];
  const parts = [
    ofView('rest', undefined),
    partOf('rest', [{ node: 'origin', timeMs: 1, programs }], viewShape.fields['otherLoad'] ?? 'foreign'),
    ...sentences(
      'This machine is busy: other programs use 43 % of its CPU (top: node 40 %).',
      'This machine is busy: other programs use 43 % of its CPU (top: acme-encoder 40 %).',
      'The node origin runs sh and "node".',
    ),
  ];
  it('that run on many machines stay, and are not taken for names', () => {
    expect(redacted(parts).slice(1)).toEqual([
      [
        {
          node: 'origin',
          timeMs: 1,
          programs: [{ ...programs[0] }, { ...programs[1] }, { name: 'program-1', percent: 2 }],
        },
      ],
      [
        {
          kind: 'node',
          sentence: 'This machine is busy: other programs use 43 % of its CPU (top: node 40 %).',
        },
        {
          kind: 'node',
          sentence: 'This machine is busy: other programs use 43 % of its CPU (top: program-1 40 %).',
        },
        { kind: 'node', sentence: 'The node origin runs sh and "node".' },
      ],
    ]);
  });
});

describe('names', () => {
  const parts: PartOfRun[] = [
    ofView('plan', {
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
    }),
    partOf(
      'events',
      [
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
      eventShape,
    ),
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
  it('include those of a Prometheus; its queries are left out', () => {
    expect(
      redacted([
        partOf(
          'rest',
          {
            prometheus: 'http://prom.acme.com:9090',
            nodes: [
              {
                name: 'acme-1',
                role: 'origin',
                targets: [
                  {
                    family: 'node_exporter',
                    labels: { instance: '10.0.0.9:9100', cluster: 'acme-prod', acme_zone: 'b' },
                  },
                ],
              },
            ],
            queries: { 'server:x': 'sum(x{cluster="acme-prod"})' },
          },
          viewShape.fields['imported'] ?? 'foreign',
        ),
      ]),
    ).toEqual([
      {
        prometheus: 'http://host-1:9090',
        nodes: [
          {
            name: 'node-1',
            role: 'origin',
            targets: [
              { family: 'node_exporter', labels: { instance: 'host-2:9100', cluster: 'host-3', label_1: 'host-4' } },
            ],
          },
        ],
        queries: { 'server:x': '(27 characters removed)' },
      },
    ]);
  });
  it('of hosts stay the same or different for the charts, and unknown machines stay unknown', () => {
    const hosts = ['unknown', 'this-machine', 'host gate', 'host gate', 'host 10.0.0.9'];
    const [nodes] = redacted([
      ofView(
        'nodes',
        hosts.map((host) => ({ name: 'origin', host })),
      ),
    ]);
    expect((nodes as Array<{ host: string }>).map(({ host }) => host)).toEqual([
      'unknown',
      'this-machine',
      'host host-1',
      'host host-1',
      'host host-2',
    ]);
  });
  it('of hosts without a dot are known from addresses and logins', () => {
    const [, events] = redacted([
      ofView('plan', { nodes: { edge: { server: 'srs', url: 'http://streambox:1985/x', ssh: 'jane@gate7:22' } } }),
      ...sentences('STREAMBOX:1985 refused, gate7 did not respond; jane is unknown.'),
    ]);
    expect(events).toEqual([
      { kind: 'node', sentence: 'host-1:1985 refused, host-2 did not respond; user-1 is unknown.' },
    ]);
  });
  it("exclude the versions of the engine's runtime and models of processors", () => {
    const machine = {
      system: 'Ubuntu 22.04.3 LTS',
      kernel: '5.15.0-1023-aws',
      cpuModel: 'Intel(R) Xeon(R) Platinum 8259CL CPU @ 2.50GHz',
      versions: { node: '20.20.2', java: '17.0.2' },
    };
    const named = { ...machine, kernel: '5.15.0-contoso', system: 'Contoso Hardened Linux 3' };
    const [nodes] = redacted([
      ofView('nodes', [
        { name: 'acme', machine },
        { name: 'acme', machine: named },
      ]),
    ]);
    expect(nodes).toMatchObject([{ name: 'node-1', machine }, { machine: { versions: machine.versions } }]);
    expect(JSON.stringify(nodes).toLowerCase()).not.toContain('contoso');
  });
  it('never become a pseudonym that the run already contains', () => {
    const [value] = redacted([ofView('plan', { pull: { stream: 'acme', label: 'stream-1' } })]);
    expect(value).toMatchObject({ pull: { stream: 'stream-2' } });
  });
  it('of audiences in samples stay, since they are places in the plan', () => {
    const redactor = new Redactor(
      findIdentifying([ofView('nodes', [{ id: 'audience:1', name: 'audience:1' }])]),
      saveEmptyRun,
    );
    expect(['audience:1', 'audience:12', '*', 'player'].map((node) => redactor.field(node, 'node'))).toEqual([
      'audience:1',
      'audience:12',
      '*',
      'player',
    ]);
  });
});

describe('a field', () => {
  it('has as little as its place in the plan allows', () => {
    const [plan] = redacted([
      ofView('plan', {
        hooks: [
          { at: 'end', post: 'https://hooks.acme.com:8443/T0/AbC?x=1' },
          { at: 'start', run: ['/opt/acme/notify.sh', '--customer', 'Acme'] },
        ],
        publish: [
          { stream: 's', node: 'origin', source: 'sample-240p' },
          { stream: 's', node: 'origin', source: 'rtsp://cam.acme.com/axis-media/acme' },
          { stream: 's', node: 'origin', source: 'finals of acme.mp4' },
        ],
        pull: {
          headers: { 'X-Acme-Id': 'acme-9', Cookie: 'acme' },
          tokens: { template: 'acme-{n}', secret: '$secret:ACME_KEY' },
          turn: { url: 'turn:relay.acme.com:3478?transport=udp', username: 'acme' },
        },
        nodes: {
          k: {
            tester: 'kubernetes',
            nodeSelector: { 'acme.io/pool': 'load', 'kubernetes.io/arch': 'amd64' },
            image: 'registry.acme.com:5000/acme/agent:1',
          },
        },
        heardOf: { deeper: ['acme'] },
      }),
    ]);
    expect(plan).toEqual({
      hooks: [
        { at: 'end', post: 'https://host-1:8443/(path)' },
        { at: 'start', run: ['(removed)', '(removed)', '(removed)'] },
      ],
      publish: [
        { stream: 'stream-1', node: 'origin', source: 'sample-240p' },
        { stream: 'stream-1', node: 'origin', source: 'rtsp://host-2/(path)' },
        { stream: 'stream-1', node: 'origin', source: 'file-2' },
      ],
      pull: {
        headers: { label_1: '(removed)', Cookie: '(removed)' },
        tokens: { template: '(removed)', secret: '$secret:REMOVED' },
        turn: { url: 'turn:host-3:3478?transport=udp', username: '(removed)' },
      },
      nodes: {
        'node-1': {
          tester: 'kubernetes',
          nodeSelector: { label_2: 'host-4', 'kubernetes.io/arch': 'host-5' },
          image: 'host-6',
        },
      },
    });
    expect(JSON.stringify(plan)).not.toContain('acme');
  });
  it('that is a word of the program has no other text, and an id is random', () => {
    const [kept] = redacted([partOf('rest', { tags: ['acme'], state: 'acme' }, metaShapes['kept'] ?? 'foreign')]);
    expect(kept).toEqual({ tags: ['run-1'] });
    const redactor = new Redactor([], saveEmptyRun);
    expect(redactor.field('acme', 'fixed')).toBe('(removed)');
    expect(redactor.field('acme', 'id')).toMatch(/^[0-9a-f-]{36}$/);
    expect(redactor.field('server:acme_sessions', 'series')).not.toContain('acme');
    expect(redactor.field('server:ports_media_free', 'series')).toBe('server:ports_media_free');
    expect(redactor.field('networkOutMbps:eth0', 'series')).toBe('networkOutMbps:eth0');
  });
});

describe('a long text', () => {
  const size = 250_000;
  it.each(
    [
      'a',
      'a-',
      'a.',
      '://',
      'http://',
      ':',
      'a:',
      '?a',
      '&a=',
      'a@',
      '\\\\a',
      '"',
      '(',
      '{',
      '<a',
      '-----BEGIN ',
      'Basic ',
      '1 ',
      '1-',
      '1.1111 ',
      'Aa1/',
      'key=',
      'serial no ',
      '°1',
      'ab:',
      '00:1b:',
      'a1-',
      '/a',
      'C:\\a',
      ';a=b',
      'GB29 ',
      '$env:a ',
      ': ',
      '; ',
    ].map((part) => [part]),
  )('of %j takes time in proportion', (part) => {
    const text = part.repeat(size / part.length);
    const startedMs = performance.now();
    redactedSentences(text);
    // A quadratic expression takes minutes.
    expect(performance.now() - startedMs).toBeLessThan(15_000);
  });
});
