import { execFileSync } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { parsePlan } from '../../src/domain/plan/planYaml';
import { until } from '../support/until';
import { allPrograms, programsBelow } from './exposed';
import { startSshd } from './servers/sshd';
import { cleanUp, later, temporaryFolder } from './support';
import { engineWithTester } from './testerSupport';

afterEach(cleanUp);

/** Each in another place: of a plan, of the environment, or of a node. */
const planted = {
  rtspPassword: 'PLrtspPassw0rd',
  rtspReference: 'PLrtspR3ference',
  srtPassphrase: 'PLsrtPassphrase1',
  srtStream: 'PLsrtStreamKey',
  rtmpKey: 'PLrtmpStreamK3y',
  hlsToken: 'PLhlsT0kenText',
  hlsHeader: 'PLhlsHeaderKey',
  whepToken: 'PLwhepT0kenText',
  httpPassword: 'PLbasicP4ssword',
  publishRtsp: 'PLpublishRtsp1',
  publishSrt: 'PLpublishSrtKey',
  windowRtmp: 'PLwindowRtmpKey',
  windowSrt: 'PLwindowSrtPass',
  hookArgument: 'PLhookArgum3nt',
  hookPost: 'PLhookPostT0ken',
  tokenArgument: 'PLtokenArgum3nt',
  environment: 'PLenvironm3ntOnly',
  sshTester: 'PLsshTesterRtsp',
} as const;

/** Accepts connections and datagrams, and answers only so much that programs stay while they are looked at. */
async function silentServer(): Promise<{ readonly tcp: number; readonly udp: number }> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.on('data', (data: Buffer) => {
      if (/^\w+ \S+ HTTP\//.test(data.toString('latin1')))
        return void socket.end('HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n');
      const sequence = /^OPTIONS [^]*?CSeq: *(\d+)/i.exec(data.toString('latin1'))?.[1];
      if (sequence !== undefined)
        socket.write(`RTSP/1.0 200 OK\r\nCSeq: ${sequence}\r\nPublic: DESCRIBE, ANNOUNCE, SETUP, PLAY, RECORD\r\n\r\n`);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  later(() => void server.close());
  const socket = createSocket('udp4');
  socket.on('message', (packet, { port, address }) => {
    // The first request of SRT (induction) gets version 5, its magic number and a cookie.
    if (packet.length < 64 || packet.readUInt32BE(0) !== 0x80000000 || packet.readUInt32BE(36) !== 1) return;
    packet.copy(packet, 12, 40, 44);
    packet.writeUInt32BE(5, 16);
    packet.writeUInt32BE(0x4a17, 20);
    packet.writeUInt32BE(0x1234, 44);
    socket.send(packet, port, address);
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  later(() => void socket.close());
  return { tcp: (server.address() as AddressInfo).port, udp: socket.address().port };
}

/** A second of what the window records. */
function recorded(folder: string): Buffer {
  const path = join(folder, 'recorded.mkv');
  const sources = ['-f', 'lavfi', '-i', 'testsrc2=s=160x90:r=25:d=2', '-f', 'lavfi', '-i', 'sine=d=2'];
  const codecs = ['-c:v', 'libx264', '-preset', 'ultrafast', '-bf', '0', '-c:a', 'libopus'];
  execFileSync('ffmpeg', ['-v', 'error', ...sources, ...codecs, path]);
  return readFileSync(path);
}

/** All files below a folder that contain a planted secret. */
function filesWith(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).flatMap((name) => {
    const path = join(folder, name);
    const stat = statSync(path, { throwIfNoEntry: false });
    if (!stat?.isFile() || stat.size > 20_000_000) return [];
    const text = readFileSync(path, 'latin1');
    return Object.entries(planted).flatMap(([secret, value]) => (text.includes(value) ? [`${name}: ${secret}`] : []));
  });
}

/** The arguments and environments that another user of the machine can read; nothing without root, who becomes one. */
function seenByNobody(): string {
  if (process.getuid?.() !== 0) return '';
  const read = 'cat /proc/[0-9]*/cmdline /proc/[0-9]*/environ 2>/dev/null; true';
  const argv = ['--reuid', '65534', '--regid', '65534', '--clear-groups', 'sh', '-c', read];
  return execFileSync('setpriv', argv, { maxBuffer: 50_000_000, env: { PATH: process.env['PATH'] } }).toString(
    'latin1',
  );
}

/** Words of the programs of each kind of run. */
const kinds = [
  ['ffmpeg', 'framecrc'],
  ['ffmpeg', '-f rtsp'],
  ['ffmpeg', '-f mpegts', 'srt://'],
  ['ffmpeg', 'matroska'],
  ['fullhouse-agent', 'send'],
  ['fullhouse-agent', 'audience --exit-when-idle'],
  ['fullhouse-agent', 'detached audience'],
  ['hook.sh', '$env:FULLHOUSE_HOOK'],
  ['tokens.sh', '$env:FULLHOUSE_TOKEN_ARGUMENT'],
] as const;

it('no program that is started shows a secret in its arguments or its environment', async () => {
  if (process.platform !== 'linux') return;
  const scratch = temporaryFolder();
  const own = temporaryFolder();
  const variables = {
    FULLHOUSE_PLANTED: planted.environment,
    FULLHOUSE_SECRET_CAM: planted.rtspReference,
    FULLHOUSE_HOOK: planted.hookArgument,
    FULLHOUSE_TOKEN_ARGUMENT: planted.tokenArgument,
    FULLHOUSE_HTTP_HTTP_PASSWORD: planted.httpPassword,
    // Any variable may be a secret for a plan that names it.
    OTHER_PLANTED: planted.hlsHeader,
  };
  Object.assign(process.env, variables);
  later(() => {
    for (const name of Object.keys(variables)) delete process.env[name];
  });
  const { tcp, udp } = await silentServer();
  const sshd = await startSshd({ temporaryUser: true });
  later(() => sshd.stop());
  const engine = await engineWithTester(sshd, undefined, { variables: process.env });
  // From here on, what the engine and its programs write there.
  const before = process.env['TMPDIR'];
  process.env['TMPDIR'] = scratch;
  later(() => {
    if (before === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = before;
  });
  const at = `127.0.0.1:${tcp}`;
  writeFileSync(join(own, 'hook.sh'), 'read -r line; echo "$line" > "$1"; sleep 2\n');
  const got = { hook: join(own, 'hook.txt'), tokens: join(own, 'tokens.txt') };
  writeFileSync(join(own, 'tokens.sh'), 'read -r line; echo "$line" > "$1"; sleep 2; seq 100 109\n');
  const yaml = `name: Exposed
nodes:
  rtsp: { server: generic, rtsp: "rtsp://me:${planted.rtspPassword}@${at}/{stream}" }
  camera: { server: generic, rtsp: "rtsp://me:$secret:CAM@${at}/{stream}" }
  far: { server: generic, rtsp: "rtsp://me:${planted.sshTester}@${at}/{stream}" }
  srt: { server: generic, srt: "srt://127.0.0.1:${udp}?streamid=${planted.srtStream}&passphrase=${planted.srtPassphrase}" }
  rtmp: { server: generic, rtmp: "rtmp://${at}/live/{stream}?key=${planted.rtmpKey}" }
  http: { server: generic, hls: "http://${at}/{stream}.m3u8?t=${planted.hlsToken}&u={token}", user: me }
  whep: { server: generic, whep: "http://${at}/whep/{stream}?t=${planted.whepToken}" }
  audience: { tester: local }
  tester-1: { tester: ssh, ssh: "${sshd.address}", keyFile: "${sshd.keyFile}" }
pull:
${[
  ['rtsp', 'rtsp', 'audience'],
  ['camera', 'rtsp', 'audience'],
  ['far', 'rtsp', 'tester-1'],
  ['srt', 'srt', 'audience'],
  ['rtmp', 'rtmp', 'audience'],
  ['whep', 'whep', 'audience'],
]
  .map(
    ([from, protocol, by]) =>
      `  - { stream: cam, from: ${from}, by: [${by}], protocol: ${protocol}, viewers: 2, rate: 20/s, hold: 20s }`,
  )
  .join('\n')}
  - stream: cam
    from: http
    by: [audience]
    protocol: hls
    viewers: 2
    rate: 20/s
    hold: 20s
    headers: { X-Api-Key: $env:OTHER_PLANTED }
    tokens: { command: [sh, "${join(own, 'tokens.sh')}", "${got.tokens}", "$env:FULLHOUSE_TOKEN_ARGUMENT"] }
hooks:
  - { at: start, run: [sh, "${join(own, 'hook.sh')}", "${got.hook}", "$env:FULLHOUSE_HOOK"] }
  - { at: start, post: "http://${at}/hook?token=${planted.hookPost}" }
`;
  const seen = new Set<string>();
  const found = new Set<string>();
  const saw = (...words: string[]) => [...seen].some((line) => words.every((word) => line.includes(word)));
  let isReadByNobody = false;
  const look = (): void => {
    const own = new Set(programsBelow().map(({ pid }) => pid));
    for (const { pid, name, args, environment } of allPrograms()) {
      if (own.has(pid) || args.includes(sshd.folder)) seen.add(args.replaceAll('\0', ' '));
      for (const [secret, value] of Object.entries(planted)) {
        if (args.includes(value)) found.add(`${secret} in the arguments of ${name}`);
        if (environment.includes(value)) found.add(`${secret} in the environment of ${name}`);
      }
    }
    for (const file of filesWith(scratch)) found.add(`${file} in the temporary folder`);
    // A part of what was read above, so once is enough: while viewers are there.
    if (isReadByNobody || !saw('ffmpeg', 'framecrc')) return;
    isReadByNobody = true;
    const visible = seenByNobody();
    for (const [secret, value] of Object.entries(planted))
      if (visible.includes(value)) found.add(`${secret} for another user`);
  };
  const timer = setInterval(look, 300);
  later(() => clearInterval(timer));

  const { plan } = parsePlan(yaml);
  const starting = engine.client.call('runs.start', { plan, allowHooks: true }).catch((error: Error) => error.message);
  const nodes = {
    into: {
      server: 'generic',
      rtsp: `rtsp://me:${planted.publishRtsp}@${at}/{stream}`,
      srt: `srt://127.0.0.1:${udp}?streamid=${planted.publishSrt}`,
    },
    window: {
      server: 'generic',
      rtmp: `rtmp://${at}/live/{stream}?key=${planted.windowRtmp}`,
      srt: `srt://127.0.0.1:${udp}?passphrase=${planted.windowSrt}`,
    },
  } as const;
  for (const [name, settings] of Object.entries(nodes))
    await engine.client.call('nodes.add', { name, settings, secrets: {} });
  const media = recorded(own);
  for (const protocol of ['rtsp', 'srt'] as const) {
    const order = { node: 'into', stream: `cam-${protocol}`, source: 'sample-240p', protocol } as const;
    // On a busy machine the server of this process may be probed in vain.
    const start = () =>
      engine.client.call('publish.start', order).then(
        () => true,
        () => false,
      );
    expect(await until(start, 30_000)).toBe(true);
  }
  for (const protocol of ['rtmp', 'srt'] as const) {
    const { session } = await engine.client.call('publish.relay', {
      node: 'window',
      source: 'pattern',
      stream: `cam-${protocol}`,
      protocol,
    });
    await engine.client.call('publish.relayData', { session, data: new Uint8Array(media) });
  }
  expect(await starting).toMatchObject({ run: expect.any(String) as string });
  // A program of each kind was there to be seen.
  const missing = () => kinds.filter((words) => !saw(...words));
  await until(() => missing().length === 0, 40_000);
  expect(missing()).toEqual([]);
  look();
  expect([...found]).toEqual([]);
  // The programs that the plan names still get what it refers to.
  await until(
    () => [got.hook, got.tokens].every((path) => statSync(path, { throwIfNoEntry: false }) !== undefined),
    10_000,
  );
  expect(JSON.parse(readFileSync(got.hook, 'utf8'))).toEqual({ '$env:FULLHOUSE_HOOK': planted.hookArgument });
  expect(JSON.parse(readFileSync(got.tokens, 'utf8'))).toEqual({
    '$env:FULLHOUSE_TOKEN_ARGUMENT': planted.tokenArgument,
  });
  await engine.client.call('runs.stopAll', { force: true });
}, 120_000);
