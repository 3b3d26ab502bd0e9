import { execFile, spawn } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { get } from 'node:http';
import { promisify } from 'node:util';
import { afterEach, expect, it } from 'vitest';
import { publisherProtocols } from '../../src/domain/model/plan';
import type { AgentEvent, AgentPublication, AgentRecord } from '../../src/contract/agentSample';
import { systemClock } from '../../src/engine/base/clock';
import { startMediaRelay } from '../../src/engine/fleet/mediaRelay';
import { type AgentLink } from '../../src/engine/links/agentLink';
import { openAgentLink } from '../../src/engine/links/webSocketLink';
import { localAgentBinary, startLocalAgent } from '../../src/engine/links/localAgent';
import { startNginxRtmp, type NginxRtmp } from './servers/nginxRtmp';
import { until } from '../support/until';
import { agentFolder, cleanUp, later, samplesFolder, temporaryFolder } from './support';

afterEach(cleanUp);

interface Studio {
  readonly link: AgentLink;
  readonly events: AgentEvent[];
  /** From the latest sample. */
  publication(job: string): AgentPublication | undefined;
}

/** An audience agent with the sample to publish. */
async function studio(): Promise<Studio> {
  const agent = await startLocalAgent({
    binary: localAgentBinary(agentFolder),
    role: 'audience',
    args: ['--samples', samplesFolder],
  });
  later(async () => void (await agent.end(undefined, true)));
  const { token, listening } = agent;
  const link = await openAgentLink({
    address: () => listening.address,
    token,
    who: 'The audience',
    version: '0',
  });
  later(() => link.close());
  const records: AgentRecord[] = [];
  const events: AgentEvent[] = [];
  link.onRecord((record) => {
    records.push(record);
    if (record.kind === 'event') events.push(record.event);
  });
  return {
    link,
    events,
    publication: (job) => {
      const last = records.filter((record) => record.kind === 'sample').at(-1);
      return last?.kind === 'sample'
        ? last.sample.publications?.find((publication) => publication.job === job)
        : undefined;
    },
  };
}

async function nginx(): Promise<NginxRtmp> {
  const server = await startNginxRtmp(temporaryFolder());
  later(() => server.end());
  return server;
}

const statistics = (server: NginxRtmp): Promise<string> =>
  new Promise((resolve, reject) => {
    get(server.url, (response) => {
      let text = '';
      response.on('data', (chunk) => (text += String(chunk)));
      response.on('end', () => resolve(text));
    }).on('error', reject);
  });

async function publish({ link }: Studio, server: NginxRtmp, job: string, path: string): Promise<void> {
  const url = `rtmp://127.0.0.1:${server.rtmpPort}/${path}`;
  const { warnings } = await link.request('audience.publish', {
    job,
    protocol: 'rtmp',
    url,
    sample: 'sample-240p',
  });
  expect(warnings).toEqual([expect.stringMatching(/without audio/)]);
}

const ended = (events: readonly AgentEvent[], job: string): AgentEvent | undefined =>
  events.find((event) => event.name === 'job-ended' && event.job === job);

it('a real nginx-rtmp accepts the sample, and its output decodes', async () => {
  const server = await nginx();
  const here = await studio();
  expect(here.link.hello.publishes).toEqual([...publisherProtocols]);
  await publish(here, server, 'publish-1', 'live/cam');
  expect(
    await until(() => {
      const { state, fps = 0, bitrateKbps = 0 } = here.publication('publish-1') ?? {};
      return state === 'live' && fps > 15 && bitrateKbps > 40;
    }, 20_000),
  ).toBe(true);
  // Its times are in the clock of the console.
  const { startMs = 0, sinceMs = 0, durationMs } = here.publication('publish-1')?.mediaClock ?? {};
  expect(durationMs).toBe(12_000);
  for (const timeMs of [startMs, sinceMs]) expect(Math.abs(Date.now() - timeMs)).toBeLessThan(60_000);
  const received = await statistics(server);
  expect(received).toMatch(/<name>cam<\/name>/);
  expect(received).toMatch(
    /<video><width>426<\/width><height>240<\/height><frame_rate>25<\/frame_rate><codec>H264<\/codec>/,
  );

  const { stdout } = await promisify(execFile)(
    'ffprobe',
    [
      ...['-v', 'error', '-count_frames', '-read_intervals', '%+3', '-of', 'json'],
      ...['-show_entries', 'stream=codec_name,width,height,nb_read_frames', server.rtmp.replace('{stream}', 'cam')],
    ],
    { timeout: 30_000 },
  );
  const { streams } = JSON.parse(stdout) as {
    streams: Array<{ codec_name: string; width: number; nb_read_frames: string }>;
  };
  expect(streams).toMatchObject([{ codec_name: 'h264', width: 426, height: 240 }]);
  expect(Number(streams[0]?.nb_read_frames)).toBeGreaterThan(30);

  // The name is in use now; the first publication is not affected.
  await publish(here, server, 'publish-2', 'live/cam');
  expect(await until(() => ended(here.events, 'publish-2') !== undefined, 20_000)).toBe(true);
  expect(ended(here.events, 'publish-2')?.message).toMatch(/in use already in application "live"/);
  expect(here.publication('publish-1')?.state).toBe('live');

  await here.link.request('audience.unpublish', { job: 'publish-1' });
  expect(await until(() => ended(here.events, 'publish-1') !== undefined, 20_000)).toBe(true);
  let left = await statistics(server);
  for (let i = 0; i < 100 && left.includes('<publishing/>'); i += 1) {
    await new Promise((resolve) => setTimeout(resolve, 50));
    left = await statistics(server);
  }
  expect(left).not.toContain('<publishing/>');
});

it('an unknown application of a real nginx-rtmp is one sentence', async () => {
  const server = await nginx();
  const here = await studio();
  await publish(here, server, 'publish-1', 'nowhere/cam');
  expect(await until(() => here.publication('publish-1')?.state === 'failed', 20_000)).toBe(true);
  expect(here.publication('publish-1')?.problem).toMatch(
    /closed the connection in response to connect \(application "nowhere"\); .*log\.$/,
  );
});

it('a stopped server is reported', async () => {
  const server = await nginx();
  const here = await studio();
  await publish(here, server, 'publish-1', 'live/cam');
  expect(await until(() => here.publication('publish-1')?.state === 'live', 20_000)).toBe(true);
  await server.end();
  expect(await until(() => /refused the connection/.test(here.publication('publish-1')?.problem ?? ''), 20_000)).toBe(
    true,
  );
  expect(here.publication('publish-1')?.state).toBe('connecting');
  expect(here.events.map(({ name }) => name)).toEqual(['publication-lost']);
  await here.link.request('audience.unpublish', { job: 'publish-1' });
  expect(await until(() => ended(here.events, 'publish-1') !== undefined, 20_000)).toBe(true);
});

/** H.264 and Opus in Matroska at the pace of a recorder, until it is ended. */
function recorder(take: (data: Uint8Array) => void): void {
  const sources = ['-re', '-f', 'lavfi', '-i', 'testsrc2=s=160x90:r=25', '-re', '-f', 'lavfi', '-i', 'sine'];
  const codecs = ['-c:v', 'libx264', '-preset', 'ultrafast', '-bf', '0', '-g', '25', '-c:a', 'libopus'];
  const output = ['-flush_packets', '1', '-cluster_time_limit', '200', '-f', 'matroska', 'pipe:1'];
  const child = spawn('ffmpeg', ['-v', 'error', ...sources, ...codecs, ...output]);
  later(() => void child.kill('SIGKILL'));
  child.stdout.on('data', (data: Buffer) => take(new Uint8Array(data)));
}

it('what the window records is sent over RTMP and SRT, and a refusal is one sentence', async () => {
  const server = await nginx();
  const agentBinary = localAgentBinary(agentFolder);
  const srtPort = await freeUdpPort();
  const listener = `srt://127.0.0.1:${srtPort}?mode=listener&passphrase=long-passphrase`;
  const input = ['-v', 'error', '-analyzeduration', '500000', '-f', 'mpegts', '-i', listener];
  const player = spawn('ffmpeg', [...input, '-c', 'copy', '-flush_packets', '1', '-f', 'framecrc', 'pipe:1']);
  later(() => void player.kill('SIGKILL'));
  let received = '';
  player.stdout.on('data', (data: Buffer) => (received += data.toString()));
  const relays = {
    rtmp: startMediaRelay(
      { agentBinary, who: 'nginx', stream: 'cam', clock: systemClock },
      'rtmp',
      `rtmp://127.0.0.1:${server.rtmpPort}/live/cam?key=k`,
    ),
    srt: startMediaRelay(
      { agentBinary, who: 'srt', stream: 'cam', clock: systemClock },
      'srt',
      `srt://127.0.0.1:${srtPort}?streamid=cam&passphrase=long-passphrase`,
    ),
    nowhere: startMediaRelay(
      { agentBinary, who: 'nginx', stream: 'cam', clock: systemClock },
      'rtmp',
      `rtmp://127.0.0.1:${server.rtmpPort}/nowhere/S3cretKey`,
    ),
  };
  later(async () => void (await Promise.all(Object.values(relays).map((relay) => relay.end()))));
  recorder((data) => Object.values(relays).forEach((relay) => relay.write(data)));
  const sentence = await relays.nowhere.ended;
  expect(sentence).toMatch(/^nginx ended cam, or refused it: .*application "nowhere"/);
  expect(sentence).not.toContain('S3cretKey');
  for (const relay of [relays.rtmp, relays.srt])
    expect(
      await until(() => (relay.progress()?.frames ?? 0) > 50 && (relay.progress()?.bytes ?? 0) > 10_000, 30_000),
    ).toBe(true);
  expect(await statistics(server)).toMatch(/<name>cam<\/name>[^]*<codec>H264<\/codec>[^]*<codec>AAC<\/codec>/);
  // Video and audio.
  const has = (stream: number) => received.split('\n').filter((line) => line.startsWith(`${stream},`)).length > 20;
  expect(await until(() => has(0) && has(1), 30_000)).toBe(true);
  await relays.rtmp.end();
  expect(await until(async () => !(await statistics(server)).includes('<publishing/>'), 10_000)).toBe(true);
});

async function freeUdpPort(): Promise<number> {
  const socket = createSocket('udp4');
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  const { port } = socket.address();
  await new Promise<void>((resolve) => socket.close(() => resolve()));
  return port;
}
