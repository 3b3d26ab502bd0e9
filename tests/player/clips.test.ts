import { writeFileSync } from 'node:fs';
import { afterAll, expect, it } from 'vitest';
import { WebmRing } from '../../src/renderer/player/clips/webmRing';
import { cleanUp, later } from '../integration/support';
import { openPlayerPage } from './playerPage';

afterAll(cleanUp);

/** Writes `<codec>.webm` there, the fixtures of the ring's unit tests. */
const fixtures = process.env['FULLHOUSE_RECORDINGS'];

it.each([
  ['VP8', 'V_VP8'],
  ['H264', 'V_MPEG4/ISO/AVC'],
] as const)('reads what the recorder of this runtime writes of received %s, without encoding it', async (codec, id) => {
  const { page, errors, close } = await openPlayerPage();
  later(close);
  const base64 = await page.evaluate((name) => window.playerPage.recordPattern(name, 2500), codec);
  const recorded = new Uint8Array(Buffer.from(base64, 'base64'));
  if (fixtures) writeFileSync(`${fixtures}/pattern-${codec.toLowerCase()}.webm`, recorded);
  const ring = new WebmRing({ keepMs: 10_000, maxBytes: 24_000_000 });
  ring.begin().push(recorded, 10_000);
  const clip = ring.clip({ fromMs: 0, toMs: 10_000 }, 16_000_000);
  expect(Buffer.from(clip?.data ?? []).includes(id)).toBe(true);
  expect((clip?.endMs ?? 0) - (clip?.startMs ?? 0)).toBeGreaterThan(1500);
  expect(errors).toEqual([]);
});
