import { execFile } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, expect, it } from 'vitest';
import WebSocket from 'ws';
import { decoded, encoded } from '../../src/contract/bytesInJson';
import type { WireMessage } from '../../src/contract/wire';
import type { RunView } from '../../src/domain/model/run';
import { systemClock } from '../../src/engine/base/clock';
import { ViewerPageServer } from '../../src/engine/browsers/viewerPageServer';
import { openRunLibrary } from '../../src/engine/store';
import { until } from '../support/until';
import { programsBelow } from './exposed';
import type { Sshd } from './servers/sshd';
import {
  cleanUp,
  cli,
  ended,
  engineInTemporaryFolder,
  later,
  planOf,
  temporaryFolder,
  viewerPageFolder,
  waitForRun,
  type TestEngine,
} from './support';
import { bench, planFor } from './testerSupport';
import { audienceIn } from '../support/pullPlan';

afterEach(cleanUp);

const hasBrowser = (programs: readonly string[]): boolean => programs.some((name) => name.includes('chrom'));

/** What the tester's user has in the temporary folder. */
function filesOf({ home }: Sshd): string[] {
  const { uid } = statSync(home);
  return readdirSync('/tmp').filter((name) => statSync(join('/tmp', name), { throwIfNoEntry: false })?.uid === uid);
}

/** The run with its browser viewers as recorded in its file. */
async function saved(engine: TestEngine, run: RunView): Promise<RunView> {
  const reader = openRunLibrary(engine.folder).open(run.id);
  try {
    expect(reader.summaries().map(({ series }) => series)).toContain('browserFrameRate');
    return await Promise.resolve(reader.view());
  } finally {
    reader.close();
  }
}

it('play in a Chromium of an SSH tester, beside its audience, and leave nothing there', async () => {
  const { engine, sshd } = await bench();
  const before = filesOf(sshd);
  const plan = planFor(sshd, 5, 8000);
  const end = ended(engine);
  await engine.client.call('runs.start', { plan: { ...plan, pull: { ...audienceIn(plan), browserViewers: 2 } } });
  await waitForRun(engine, ({ browserViewers }) => browserViewers?.playing === 2);
  expect(hasBrowser(sshd.programs())).toBe(true);
  const there = programsBelow(sshd.pid).filter(({ name }) => name.includes('chrom'));
  // Every user of the tester reads arguments: the key of the page is not among them.
  expect(there.filter(({ args }) => /by=|127\.0\.0\.1:|--no-sandbox/.test(args))).toEqual([]);
  const run = await end;
  expect(run.verdict).toMatchObject({ verdict: 'pass' });
  const { browserViewers } = await saved(engine, run);
  expect(browserViewers).toMatchObject({ by: 'tester-1', planned: 2, failed: 0 });
  expect(browserViewers?.watched).toBeGreaterThanOrEqual(2);
  // At most what is published; a slow machine displays less of it.
  expect(browserViewers?.browsers.frameRate).toBeGreaterThan(1);
  expect(browserViewers?.browsers.frameRate).toBeLessThan(40);
  expect(browserViewers?.agreementPercent).toBeGreaterThan(50);
  // Not part of the audience.
  expect(run.figures.connectedPeak).toBe(5);
  expect(engine.events.map(({ sentence }) => sentence)).toContain(
    'Ended; all viewers disconnected, confirmed by origin',
  );
  await until(() => !hasBrowser(sshd.programs()), 10_000);
  expect(hasBrowser(sshd.programs())).toBe(false);
  const left = () => filesOf(sshd).filter((name) => !before.includes(name));
  await until(() => left().length === 0, 15_000);
  expect(left()).toEqual([]);
});

it('play in a Chromium of this machine where there is no window, and read the clock of a media file', async () => {
  const engine = engineInTemporaryFolder({ viewerPageFolder });
  const { stdout } = await promisify(execFile)(process.execPath, [
    ...[cli, 'sample', '--size', '640x360', '--kbps', '400', '--seconds', '6', '--out', temporaryFolder()],
  ]);
  const end = ended(engine);
  const plan = planOf(
    { viewers: 5, ratePerSecond: 5, holdMs: 16_000, browserViewers: 1 },
    {
      publish: [{ stream: 'cam', node: 'origin', source: stdout.trim(), by: 'audience' }],
      delay: [{ stat: 'p95', valueMs: 4000 }],
    },
  );
  await engine.client.call('runs.start', { plan });
  await waitForRun(engine, ({ browserViewers }) => browserViewers?.playing === 1);
  const own = programsBelow().filter(({ name }) => name.includes('chrom'));
  expect(own.length).toBeGreaterThan(2);
  // With its sandbox, so not as root.
  expect(own.filter(({ user, args }) => user === 0 || /--no-sandbox|by=/.test(args))).toEqual([]);
  const { browserViewers, figures, verdict } = await saved(engine, await end);
  expect(browserViewers).toMatchObject({ by: 'this machine', failed: 0 });
  expect(browserViewers?.browsers.frameRate).toBeGreaterThan(1);
  const delays = figures.distributions?.find(({ distribution }) => distribution === 'glassToGlassMs');
  expect(delays?.count).toBeGreaterThan(5);
  expect(verdict?.findings?.find(({ series }) => series === 'glassToGlassP95Ms')).toMatchObject({
    result: 'met',
    measured: delays?.p95,
    sentence: expect.stringMatching(
      /^Delay p95 by the clock in the picture: [\d,.]+ ms, limit 4,000 ms \(\d+ frames of .* in \d+ s\)\.$/,
    ) as string,
  });
});

it('report in a sentence what is missing', async () => {
  const engine = engineInTemporaryFolder();
  const end = ended(engine);
  await engine.client.call('runs.start', { plan: planOf({ viewers: 2, holdMs: 500, browserViewers: 1 }) });
  const { verdict, browserViewers } = await end;
  expect(verdict).toMatchObject({ verdict: 'pass' });
  expect(browserViewers).toBeUndefined();
  expect(engine.events.map(({ sentence }) => sentence)).toContain(
    'No browser viewers on this machine: This installation has no page of browser viewers.',
  );
});

/** A server with a login that has no part in the run, and what was asked of it. */
async function canary(): Promise<{ readonly url: string; readonly asked: string[] }> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(`${request.url} ${request.headers.authorization ?? ''}`);
    response.end('the body of the canary');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  later(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

/** What the page of a browser can send and hear. */
function pageAt(url: string) {
  const { href, origin } = new URL('engine', url.replace(/^http/, 'ws'));
  const socket = new WebSocket(href, { origin: origin.replace(/^ws/, 'http') });
  const heard: WireMessage[] = [];
  socket.on('message', (data: Buffer) => heard.push(decoded(data.toString('utf8')) as WireMessage));
  let id = 0;
  const opened = new Promise<boolean>((resolve) => {
    socket.once('open', () => resolve(true));
    socket.once('error', () => resolve(false));
  });
  const call = async (name: string, input: unknown): Promise<string> => {
    const own = (id += 1);
    socket.send(encoded({ kind: 'call', id: own, name, input }));
    await until(() => heard.some((message) => message.kind !== 'event' && message.id === own), 10_000);
    const answer = heard.find((message) => message.kind !== 'event' && message.id === own);
    return answer?.kind === 'error' ? answer.code : JSON.stringify(answer);
  };
  return { heard, opened, call, end: () => socket.terminate() };
}

it('have a door for one connection, the streams of their run and possible figures', async () => {
  const { url: canaryUrl, asked } = await canary();
  const engine = engineInTemporaryFolder();
  await engine.client.call('nodes.add', {
    name: 'canary',
    settings: { server: 'generic', url: canaryUrl, user: 'me', hls: `${canaryUrl}/{stream}.m3u8` },
    secrets: { httpPassword: 'planted-login' },
  });
  const running = waitForRun(engine, ({ figures }) => figures.connected === 2);
  await engine.client.call('runs.start', {
    plan: planOf({ viewers: 2, holdMs: 60_000, protocol: 'whep', browserViewers: 2 }),
  });
  const { id: run, plan } = await running;
  const { stream } = audienceIn(plan);
  const server = await ViewerPageServer.start(
    viewerPageFolder,
    { run, by: 'window' },
    (...page) => engine.serveViewerPage(...page),
    systemClock,
  );
  later(() => server.stop());
  const url = server.url();
  // Without its key nothing is served.
  const { origin } = new URL(url);
  expect((await fetch(`${origin}/`)).status).toBe(404);
  expect(await pageAt(`${origin}/`).opened).toBe(false);
  expect((await fetch(url)).status).toBe(200);
  const page = pageAt(url);
  expect(await page.opened).toBe(true);
  // Neither a second connection nor the page: nothing listens there any more.
  expect(await pageAt(url).opened).toBe(false);
  await expect(fetch(url)).rejects.toThrow();
  later(page.end);

  const askedBefore = asked.length;
  const offer = { offerSdp: 'v=0', protocol: 'whep' };
  const connection = { connection: 'a', kind: 'http', node: 'canary', stream, url: canaryUrl };
  const own = (await engine.client.call('player.address', { node: 'origin', stream })).url;
  const refused = {
    'player.fetch of another node': ['player.fetch', { node: 'canary', url: `${canaryUrl}/${stream}.m3u8` }],
    'player.fetch of another server': ['player.fetch', { node: 'origin', url: `${canaryUrl}/secret` }],
    'player.fetch of something else of its server': ['player.fetch', { node: 'origin', url: new URL('/', own).href }],
    'player.connect of another node': ['player.connect', connection],
    'player.connect of another server': ['player.connect', { ...connection, node: 'origin' }],
    'player.connect to publish': ['player.connect', { ...connection, node: 'origin', session: 'x' }],
    'player.connect of a file': [
      'player.connect',
      { ...connection, node: 'origin', kind: 'repackage', url: 'file:///etc/passwd' },
    ],
    'player.send over another connection': ['player.send', { connection: 'b', data: 'x' }],
    'player.address of another node': ['player.address', { node: 'canary', stream }],
    'player.address of another stream': ['player.address', { node: 'origin', stream: 'another', protocol: 'whep' }],
    'player.mediaClock of another node': ['player.mediaClock', { node: 'canary', stream }],
    'player.mediaClock of another stream': ['player.mediaClock', { node: 'origin', stream: 'another' }],
    'signal.whep of another node': ['signal.whep', { node: 'canary', stream, ...offer }],
    'signal.whep of another stream': ['signal.whep', { node: 'origin', stream: 'another', ...offer }],
    'report of another run': ['browserViewers.report', { run: '2026-01-01_00-00-00_a', viewers: [] }],
  } as const;
  const answers: Record<string, string> = {};
  for (const [name, [call, input]] of Object.entries(refused)) answers[name] = await page.call(call, input);
  expect(answers).toEqual(Object.fromEntries(Object.keys(refused).map((name) => [name, 'other-purpose'])));
  expect(await page.call('nodes.add', { name: 'x' })).toBe('unknown-call');
  expect(asked.slice(askedBefore).filter((each) => each.includes(`/${stream}`) || each.includes('/secret'))).toEqual(
    [],
  );

  const second = { number: 0, node: 'origin', stream, protocol: 'whep', state: 'playing', stalledMs: 0, stalls: 0 };
  const report = (figures: object) => page.call('browserViewers.report', { run, viewers: [{ ...second, ...figures }] });
  expect(await report({ frameRate: 1e6 })).toBe('bad-figures');
  expect(await report({ stalledMs: 1e9 })).toBe('bad-figures');
  expect(await report({ stream: 'another' })).toBe('bad-figures');
  expect(await report({ number: 1e6 })).toBe('bad-figures');
  const many = Array.from({ length: 9 }, (_, number) => ({ ...second, number }));
  expect(await page.call('browserViewers.report', { run, viewers: many })).toBe('bad-figures');
  expect(engine.sentences.filter((sentence) => sentence.includes('figures that are not possible'))).toHaveLength(1);
  expect(await report({ frameRate: 25 })).toContain('"done":true');
  expect(await page.call('player.address', { node: 'origin', stream, protocol: 'whep' })).toContain(own);
  await engine.client.call('runs.stopAll', { force: true });
});
