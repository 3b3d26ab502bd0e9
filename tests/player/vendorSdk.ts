import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { postOffer } from '../../src/engine/servers/signalling';
import { until } from '../e2e/app';
import { startStandinWcs, type StandinWcs } from '../standins/wcs';
import { agentOf, root, type Agent } from './agents';

const sdk = join(root, 'node_modules', '@flashphoner', 'websdk');
const page =
  '<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,"><script src="/sdk.js"></script><script src="/rest.js"></script>';

export interface SdkResult {
  /** Statuses of the SDK's streams, in order. */
  readonly published: readonly string[];
  readonly played: readonly string[];
  readonly unknown: readonly string[];
  /** Why the server ended the player. */
  readonly endedBy: string;
  /** Media of the played stream: frames that Chromium decoded, with sound packets received. */
  readonly frames: number;
  readonly audioPackets: number;
  /** Sessions of a batch, as the SDK's REST client lists them. */
  readonly connections: number;
  readonly pulls: number;
  readonly left: number;
  readonly metrics: Readonly<Record<string, number>>;
  readonly agents: readonly unknown[];
  readonly statistics: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/**
 * The vendor's web SDK and its REST client, unchanged, against the stand-in: a camera is published and played, with the
 * lab as the media plane, and a second stand-in pulls a batch of the stream. A stand-in that answered otherwise than a
 * WCS would fail here.
 */
export async function driveByVendorSdk(openWindow: (url: string) => Promise<Page>): Promise<SdkResult> {
  const lab = await agentOf('lab', ['--samples', join(root, 'assets', 'lab')]);
  const [origin, tester] = await Promise.all([startStandinWcs(), startStandinWcs()]);
  const server = createServer((request, response) => {
    const file = { '/sdk.js': 'flashphoner-webrtc-only.js', '/rest.js': 'flashphoner-rest-api.js' }[request.url ?? ''];
    if (file === undefined) return void response.setHeader('Content-Type', 'text/html').end(page);
    readFile(join(sdk, file)).then(
      (body) => response.setHeader('Content-Type', 'text/javascript').end(body),
      () => response.writeHead(404).end(),
    );
  });
  try {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    useLab(origin, lab);
    const window = await openWindow(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    await until('the SDK', () =>
      window.evaluate(() => 'Flashphoner' in globalThis && 'FlashphonerRestApi' in globalThis),
    );
    return await window.evaluate(drive, {
      ws: origin.ws,
      rest: origin.url,
      testerRest: tester.url,
      testerWs: tester.ws,
    });
  } finally {
    await Promise.all([lab.end(), origin.close(), tester.close(), new Promise((resolve) => server.close(resolve))]);
  }
}

/** The lab receives what is published to the stand-in, and sends what is played from it. */
export function useLab({ node }: StandinWcs, { link }: Agent): void {
  node.media = async (kind, stream, offer) => {
    const way = kind === 'play' ? 'whep' : 'whip';
    const { answerSdp, resourceUrl } = await postOffer(`http://${link.hello.http ?? ''}/${way}/${stream}`, offer);
    return {
      answerSdp,
      flows: async () => {
        if (kind === 'publish') {
          const { streams } = await link.request('lab.streams', {});
          return streams.some((each) => each.stream === stream);
        }
        const { viewers } = await link.request('lab.viewers', { stream, offset: 0, limit: 10 });
        return viewers.some(({ session, state }) => resourceUrl.endsWith(session) && state === 'playing');
      },
    };
  };
}

/* The rest runs in the page. */

type Listener = (stream: SdkStream) => void;
interface SdkStream {
  on(status: string, listener: Listener): SdkStream;
  publish(): void;
  play(): void;
  stop(): void;
  status(): string;
  getInfo(): string;
  getStats(listener: (stats: unknown) => void, raw: boolean): void;
}
interface SdkSession {
  on(status: string, listener: (session: SdkSession) => void): SdkSession;
  createStream(options: object): SdkStream;
  disconnect(): void;
}
type RestCall = (...given: unknown[]) => Promise<unknown>;
interface SdkPage {
  readonly Flashphoner: {
    init(options: object): Promise<void> | void;
    createSession(options: object): SdkSession;
  };
  readonly FlashphonerRestApi: {
    instance(url: string, coreUrl: string): Readonly<Record<string, Readonly<Record<string, RestCall>>>>;
  };
}

async function drive(at: { ws: string; rest: string; testerRest: string; testerWs: string }): Promise<SdkResult> {
  const { Flashphoner, FlashphonerRestApi } = window as unknown as SdkPage;
  const statuses = ['PENDING', 'PUBLISHING', 'PLAYING', 'UNPUBLISHED', 'STOPPED', 'FAILED'];
  const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
  const until = async (what: string, isSo: () => boolean | Promise<boolean>): Promise<void> => {
    for (let tries = 0; !(await isSo()); tries += 1) {
      if (tries === 200) throw new Error(`Timeout after 20 s, waiting for: ${what}.`);
      await wait(100);
    }
  };
  const established = (): Promise<SdkSession> =>
    new Promise((resolve, reject) => {
      const session = Flashphoner.createSession({ urlServer: at.ws, receiveProbes: 5, probesInterval: 5000 });
      session.on('ESTABLISHED', resolve).on('FAILED', () => reject(new Error('The session failed.')));
    });
  const box = (): HTMLElement => document.body.appendChild(document.createElement('div'));
  const follow = (stream: SdkStream): string[] => {
    const seen: string[] = [];
    for (const status of statuses) stream.on(status, () => void seen.push(status));
    return seen;
  };

  await Flashphoner.init({ preferredMediaProviders: ['WebRTC'], collectClientInfo: false });
  const session = await established();
  const publisher = session.createStream({ name: 'camera', display: box(), constraints: { audio: true, video: true } });
  const published = follow(publisher);
  publisher.publish();
  await until('PUBLISHING', () => published.includes('PUBLISHING'));
  const player = session.createStream({ name: 'camera', display: box() });
  const played = follow(player);
  player.play();
  await until('PLAYING', () => played.includes('PLAYING'));
  const absent = session.createStream({ name: 'nothing', display: box() });
  const unknown = follow(absent);
  absent.play();
  await until('the refusal', () => unknown.includes('FAILED'));

  const received = (): Promise<{ frames: number; audioPackets: number }> =>
    new Promise((resolve) => {
      player.getStats((stats) => {
        const { inboundStream } = stats as {
          inboundStream: Readonly<Record<string, Readonly<Record<string, number>>>>;
        };
        const frames = document.querySelectorAll('video')[1]?.getVideoPlaybackQuality().totalVideoFrames ?? 0;
        resolve({ frames, audioPackets: inboundStream['audio']?.['packetsReceived'] ?? 0 });
      }, false);
    });
  await until('pictures and sound', async () => {
    const { frames, audioPackets } = await received();
    return frames > 20 && audioPackets > 20;
  });

  const rest = FlashphonerRestApi.instance(at.rest, at.rest);
  const tester = FlashphonerRestApi.instance(at.testerRest, at.testerRest);
  const call = async (of: typeof rest, group: string, method: string, ...given: unknown[]): Promise<unknown> => {
    try {
      return await of[group]?.[method]?.(...given);
    } catch {
      // Its client rejects without a reason.
      throw new Error(`${group}.${method} of the SDK's REST client failed.`);
    }
  };
  const list = async (of: typeof rest, group: string, method: string, ...given: unknown[]): Promise<unknown[]> =>
    ((await call(of, group, method, ...given).catch(() => [])) ?? []) as unknown[];
  // A batch of sessions and one of pulls, as the vendor's console makes them.
  const sessions = await Promise.all([established(), established(), established()]);
  const connections = (await list(rest, 'connection', 'findAll')).length;
  for (let number = 5; number > 0; number -= 1) await call(tester, 'pull', 'pull', at.ws, `copy${number}`, 'camera');
  const pulled = async (): Promise<unknown[]> => list(tester, 'pull', 'findAll');
  await until('five pulls', async () => {
    const all = (await pulled()) as Array<{ status: string }>;
    return all.filter(({ status }) => status === 'PROCESSED_REMOTE').length === 5;
  });
  const pulls = (await pulled()).length;
  const [own] = (await list(rest, 'stream', 'find', null, 'camera', true, true)) as Array<{
    metrics: Record<string, number>;
  }>;
  await call(rest, 'api', 'createSession', { sipLogin: '1000', appKey: 'defaultApp' });
  const agents = ((await list(rest, 'api', 'findAll')) as Array<{ id: unknown }>).map(({ id }) => id);
  const statistics = (await call(rest, 'stat', 'poll')) as SdkResult['statistics'];
  for (let number = 5; number > 0; number -= 1) await call(tester, 'pull', 'terminate', `copy${number}`, 'camera');
  const left = (await pulled()).length;
  for (const session of sessions) session.disconnect();

  await call(rest, 'pull', 'push', at.testerWs, 'camera', 'pushed');
  await until('the push', async () => {
    const [pushed] = (await list(tester, 'stream', 'find', null, 'pushed', true)) as Array<{ status: string }>;
    return pushed?.status === 'PUBLISHING';
  });
  await call(rest, 'pull', 'terminate', 'camera', 'pushed');

  const { frames, audioPackets } = await received();
  const players = async (): Promise<unknown[]> => list(rest, 'stream', 'find', null, 'camera', false);
  await until('the end of the pulls at the origin', async () => (await players()).length === 1);
  for (const own of (await players()) as Array<{ mediaSessionId: string }>)
    await call(rest, 'stream', 'terminate', own.mediaSessionId);
  await until('the end of the player', () => played.includes('STOPPED'));
  const endedBy = player.getInfo();
  publisher.stop();
  await until('the end of the publisher', () => published.includes('UNPUBLISHED'));
  session.disconnect();
  return {
    ...{ published, played, unknown, endedBy, frames, audioPackets, connections, pulls, left, agents, statistics },
    metrics: own?.metrics ?? {},
  };
}
