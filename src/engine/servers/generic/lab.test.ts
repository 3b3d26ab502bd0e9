import { expect, it } from 'vitest';
import { isLab, labStreams } from './lab';

const page = `This is Fullhouse's lab: a WHIP/WHEP origin for trials and tests, on loopback only.
It is not a media server: it forwards H.264 and Opus unchanged, and loops a sample.

Publish: POST http://127.0.0.1:1/whip/STREAM   Pull: POST http://127.0.0.1:1/whep/STREAM   Media: UDP 127.0.0.1:2

Streams:
  cam  from sample-240p, 426x240, 25 fps, 212 kbit/s, 12 viewers, on for 1h2m3s
  cam-2  from WHIP, 0x0, 0 fps, 0 kbit/s, 0 viewers, on for 0s
`;

it("reads the lab's list of streams", () => {
  expect(isLab(page)).toBe(true);
  expect(labStreams(page)).toEqual([
    {
      stream: 'cam',
      source: 'sample-240p',
      viewers: 12,
      width: 426,
      height: 240,
      fps: 25,
      bitrateKbps: 212,
      ageMs: 3_723_000,
    },
    { stream: 'cam-2', source: 'WHIP', viewers: 0, ageMs: 0 },
  ]);
  expect(labStreams('Streams:\n  none\n')).toEqual([]);
  expect(isLab('<html>')).toBe(false);
});
