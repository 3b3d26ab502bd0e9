import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { until } from '../e2e/app';
import { agentOf, root, type Agent } from './agents';

const clips = join(root, 'agent', 'internal', 'media', 'testdata');

/** Streams that Chromium decodes, with the file that the lab plays. */
export const streams = {
  H264: 'sample-240p',
  VP8: join(clips, 'vp8.ivf'),
  VP9: join(clips, 'vp9.ivf'),
  AV1: join(clips, 'av1.ivf'),
} as const;

export interface CodecFrames {
  readonly codec: string;
  /** Of Chromium's getStats, of a viewer of an agent, and what the lab sent to each. */
  readonly chromium: { readonly frames: number; readonly fps: number; readonly sent: number };
  readonly viewer: { readonly frames: number; readonly fps: number; readonly sent: number };
}

/**
 * Chromium and a viewer of an agent watch the same stream of each codec at the same time; then the lab stops sending, so
 * that all counts are final.
 */
export async function framesOfCodecs(page: Page): Promise<CodecFrames[]> {
  const lab = await agentOf('lab', ['--samples', join(root, 'assets', 'lab')]);
  const audience = await agentOf('audience');
  try {
    // The page may connect to nothing, so its offers are posted here.
    const postOffer = async (url: string, body: string): Promise<{ answer: string; location: string }> => {
      const response = await fetch(url, { method: 'POST', headers: { 'Content-Type': 'application/sdp' }, body });
      return { answer: await response.text(), location: response.headers.get('Location') ?? '' };
    };
    if (!(await page.evaluate(() => 'postOffer' in window))) await page.exposeFunction('postOffer', postOffer);
    return await Promise.all(
      Object.entries(streams).map(([codec, file]) => framesOf(codec, file, page, lab, audience)),
    );
  } finally {
    await Promise.all([lab.end(), audience.end()]);
  }
}

async function framesOf(
  codec: string,
  file: string,
  page: Page,
  { link: lab }: Agent,
  { link: audience }: Agent,
): Promise<CodecFrames> {
  const { whepUrl } = await lab.request('lab.publish-sample', { stream: codec, sample: file });
  await lab.request('lab.conditions', { stream: codec, seed: 1 }); // from here on the lab records what it sends
  const pull = { protocol: 'whep', url: whepUrl, viewers: 1, ratePerSecond: 100, holdMs: 0 } as const;
  await audience.request('audience.start', { job: codec, ...pull });
  const session = await page.evaluate(watch, [codec, whepUrl] as const);
  const read = async (): Promise<{ chromium: Received; viewer: Received }> => {
    const [chromium, viewer] = await Promise.all([
      page.evaluate(received, codec),
      audience
        .request('audience.viewers', { job: codec, offset: 0, limit: 1 })
        .then(({ viewers }) => ({ frames: viewers[0]?.frames ?? 0, atMs: performance.now() })),
    ]);
    return { chromium, viewer };
  };
  const from = await until(`frames of ${codec}`, async () => {
    const reading = await read();
    return reading.chromium.frames > 0 && reading.viewer.frames > 0 && reading;
  });
  const to = await until(`more frames of ${codec}`, async () => {
    const reading = await read();
    return reading.viewer.atMs - from.viewer.atMs > 4000 && reading;
  });
  await lab.request('lab.conditions', { stream: codec, pauseMs: 9000 });
  let before = '';
  const last = await until(`the last frames of ${codec}`, async () => {
    const reading = await read();
    const counts = JSON.stringify([reading.chromium.frames, reading.viewer.frames]);
    const isStill = counts === before;
    before = counts;
    return isStill && reading;
  });
  const { viewers } = await lab.request('lab.viewers', { stream: codec, offset: 0, limit: 10 });
  const sentTo = (isChromium: boolean): number =>
    viewers.find((viewer) => session.endsWith(viewer.session) === isChromium)?.framesComplete ?? NaN;
  const counts = (of: 'chromium' | 'viewer'): CodecFrames['viewer'] => ({
    frames: last[of].frames,
    fps: ((to[of].frames - from[of].frames) * 1000) / (to[of].atMs - from[of].atMs),
    sent: sentTo(of === 'chromium'),
  });
  return { codec, chromium: counts('chromium'), viewer: counts('viewer') };
}

/* The rest runs in the page. */

interface Received {
  readonly frames: number;
  readonly atMs: number;
}

interface WatchingPage {
  postOffer(url: string, offer: string): Promise<{ answer: string; location: string }>;
  watching?: Record<string, RTCPeerConnection>;
}

async function watch([codec, url]: readonly [string, string]): Promise<string> {
  const here = window as unknown as WatchingPage;
  const connection = new RTCPeerConnection();
  const video = document.createElement('video');
  Object.assign(video, { autoplay: true, muted: true });
  connection.addTransceiver('video', { direction: 'recvonly' });
  connection.ontrack = ({ track }) => (video.srcObject = new MediaStream([track]));
  document.body.append(video);
  await connection.setLocalDescription();
  const { answer, location } = await here.postOffer(url, connection.localDescription?.sdp ?? '');
  await connection.setRemoteDescription({ type: 'answer', sdp: answer });
  (here.watching ??= {})[codec] = connection;
  return location;
}

async function received(codec: string): Promise<Received> {
  const connection = (window as unknown as WatchingPage).watching?.[codec];
  for (const report of ((await connection?.getStats()) ?? new Map<string, RTCStats>()).values()) {
    const { type, timestamp, framesReceived } = report as RTCInboundRtpStreamStats;
    if (type === 'inbound-rtp') return { frames: framesReceived ?? 0, atMs: timestamp };
  }
  return { frames: 0, atMs: 0 };
}
