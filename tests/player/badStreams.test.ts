import { afterAll, beforeAll, expect, it } from 'vitest';
import { until } from '../e2e/app';
import { cleanUp, later, temporaryFolder } from '../integration/support';
import { startBadStreams } from './badStreams';
import { RealPlayer } from './realPlayer';

/** Players side by side, all but one of them on streams with a fault: each reports its own, and the others play on. */
let player: RealPlayer;

const streams = ['good', 'silent', 'pictureless', 'resized', 'page', 'noise', 'refused', 'absent'];

beforeAll(async () => {
  const server = await startBadStreams(temporaryFolder());
  later(() => server.close());
  player = await RealPlayer.open();
  await player.addNode('edge', { server: 'generic', hls: `${server.url}/{stream}/index.m3u8` });
});
afterAll(cleanUp);

it('each player says what is wrong with its stream, and the others play on', async () => {
  await player.page.evaluate(
    (names) => window.playerPage.multiview(names.map((stream) => ({ node: 'edge', stream }))),
    streams,
  );
  const tile = (stream: string) => player.page.getByTestId('player-tile').nth(streams.indexOf(stream));
  const sentences: Readonly<Record<string, string>> = {
    silent: 'The stream has no audio',
    pictureless: 'The stream has no video',
    page: 'edge responds with something other than a playlist for page.',
    noise: 'The segments of noise on edge are neither MPEG-TS nor fragmented MP4.',
    refused: 'edge responded HTTP 403 for the playlist of refused.',
    absent: 'edge has no playlist of absent.',
  };
  for (const [stream, sentence] of Object.entries(sentences))
    await until(`the sentence of ${stream}`, async () => (await tile(stream).innerText()).includes(sentence));
  const size = (stream: string) =>
    tile(stream)
      .locator('video')
      .evaluate((video: HTMLVideoElement) => video.videoWidth);
  await until('the larger picture', async () => (await size('resized')) === 640);
  for (const stream of ['good', 'silent', 'resized']) {
    const text = await tile(stream).innerText();
    expect(await tile(stream).getAttribute('data-state'), text).toBe('playing');
    expect(text).not.toContain('reconnect');
  }
});

it('works under the strict content security policy', () => {
  expect(player.errors).toEqual([]);
});
