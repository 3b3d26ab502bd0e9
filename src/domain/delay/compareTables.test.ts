import { describe, expect, it } from 'vitest';
import { usualMedia } from '../model/publishMedia';
import { compareDelays, comparisonLines, comparisonMarkdown } from './compareTables';
import type { DelayRepeat, DelayRow, DelayTable } from './table';

const path = (id: string, title: string): DelayRow['path'] => ({
  ...{ id, title, publish: 'whip', play: 'whep', media: usualMedia },
  isUnderLoad: id.endsWith('load'),
});

/** A repeat whose p95 is 20 ms above its p50. */
const repeat = (p50Ms: number, p95Ms = p50Ms + 20, rttMs?: number): DelayRepeat => ({
  delay: {
    ...{ p50Ms, p95Ms, p99Ms: p95Ms + 10, jitterMs: 3, uncertaintyMs: 4, count: 500 },
    ...(rttMs === undefined ? {} : { rttMs }),
  },
});

const row = (id: string, title: string, ...repeats: readonly DelayRepeat[]): DelayRow => ({
  path: path(id, title),
  repeats: [...repeats],
});

const table = (id: string, rows: readonly DelayRow[], change: Partial<DelayTable> = {}): DelayTable => ({
  ...{ fullhouseDelay: 1, id, name: `Delay of ${id}`, node: 'lab', startedMs: 0, endedMs: 60_000 },
  ...{ decoder: 'this window', measuredMs: 20_000, rows: [...rows], ...change },
});

const vp8 = row('vp8', 'WebRTC, VP8', repeat(60, 110), repeat(61, 112), repeat(62, 111), repeat(60, 113));

describe('two delay tables', () => {
  it('are compared path by path: which figures changed, and by how much', () => {
    const { rows, sentence } = compareDelays(
      table('before', [vp8, row('h264', 'WebRTC, H.264', repeat(60), repeat(61), repeat(62))]),
      table('after', [
        row('vp8', 'WebRTC, VP8', repeat(61, 74), repeat(60, 76), repeat(61, 75), repeat(62, 73)),
        row('h264', 'WebRTC, H.264', repeat(62), repeat(60), repeat(61)),
      ]),
    );
    expect(rows.map((each) => each.sentence)).toEqual([
      'WebRTC, VP8: p50 unchanged, p95 -37 ms, p99 -37 ms, 4 repeats.',
      'WebRTC, H.264: unchanged, 3 repeats.',
    ]);
    expect(rows[0]?.figures.p95).toMatchObject({
      ...{ before: { value: 111.5 }, after: { value: 74.5 }, change: 'lower' },
    });
    expect(sentence).toBe('Delay of 2 paths: 1 lower, 1 unchanged.');
  });

  it('compare the pipeline where both sides have a round trip', () => {
    const measured = (p50Ms: number, rttMs: number): DelayRow =>
      row('vp8', 'WebRTC, VP8', ...[0, 1, 2].map((more) => repeat(p50Ms + more, p50Ms + 20 + more, rttMs)));
    const [found] = compareDelays(table('a', [measured(60, 10)]), table('b', [measured(100, 12)])).rows;
    expect(found?.figures.pipeline).toMatchObject({ differenceMs: 38, change: 'higher' });
    const [other] = compareDelays(table('a', [measured(60, 10)]), table('b', [vp8])).rows;
    expect(other?.figures.pipeline).toBeUndefined();
  });

  it('say that the noise of a single repeat is unknown', () => {
    const [found] = compareDelays(
      table('a', [row('vp8', 'WebRTC, VP8', repeat(60))]),
      table('b', [row('vp8', 'WebRTC, VP8', repeat(40), repeat(41), repeat(42))]),
    ).rows;
    expect(found?.sentence).toBe('WebRTC, VP8: no clear change, 1 and 3 repeats, so that the noise is unknown.');
    const [large] = compareDelays(
      table('a', [row('vp8', 'WebRTC, VP8', repeat(400))]),
      table('b', [row('vp8', 'WebRTC, VP8', repeat(60))]),
    ).rows;
    expect(large?.sentence).toMatch(/^WebRTC, VP8: p50 -340 ms, .*measured once each, so that the noise is unknown\.$/);
  });

  it('name paths of one table only, and why a path was not measured', () => {
    const failed = { failed: 'No picture.' };
    const both = compareDelays(table('a', [row('hls', 'HLS', failed)]), table('b', [row('hls', 'HLS', failed)]));
    expect(both.rows[0]?.sentence).toBe('HLS: not measured before and after: No picture.');
    const { rows, onlyBefore, onlyAfter, sentence } = compareDelays(
      table('a', [
        vp8,
        row('hls', 'HLS', { failed: 'No picture of delay-1 within 45 s.' }),
        row('flv', 'FLV', repeat(900)),
      ]),
      table('b', [row('hls', 'HLS', repeat(5000)), row('dash', 'DASH', repeat(6000)), vp8]),
    );
    expect(rows.map(({ id }) => id)).toEqual(['vp8', 'hls']);
    expect(rows[1]?.sentence).toBe('HLS: not measured before: No picture of delay-1 within 45 s.');
    expect([onlyBefore, onlyAfter]).toEqual([['FLV'], ['DASH']]);
    expect(sentence).toBe('Delay of 2 paths: 1 unchanged, 1 not measured in one or both tables.');
    expect(compareDelays(table('a', [vp8]), table('b', [row('flv', 'FLV', repeat(900))])).sentence).toBe(
      'The tables have no path in common.',
    );
  });

  it('warn of what else may explain a difference', () => {
    const under = row('vp8 load', 'WebRTC, VP8, under load', repeat(60));
    const { warnings, notes } = compareDelays(
      table('a', [under], { load: '100 viewers', software: 'SRS 5.0', isCancelled: true }),
      table('b', [{ ...under, path: { ...under.path, media: { ...usualMedia, layers: 3 } } }], {
        ...{ load: '200 viewers', decoder: 'Chromium 156', measuredMs: 60_000, software: 'SRS 6.0', node: 'srs-2' },
      }),
    );
    expect(warnings).toEqual([
      'Played by this window before and by Chromium 156 after: a difference may be that of the decoders.',
      'Measured for 20 s per path before and for 60 s after: p99 depends on it.',
      'Under load: 100 viewers before, 200 viewers after: these paths are not comparable.',
      'Sent or played differently before and after: WebRTC, VP8, under load.',
      'The test before was cancelled: paths have fewer repeats.',
    ]);
    expect(notes).toEqual(['Server: lab before, srs-2 after.', 'Software: SRS 5.0 before, SRS 6.0 after.']);
    expect(compareDelays(table('a', [vp8]), table('b', [vp8])).warnings).toEqual([]);
    expect(compareDelays(table('a', [vp8]), table('a', [vp8])).warnings).toEqual(['Both are the same table.']);
  });

  it('are printed as Markdown and as lines of a terminal', () => {
    const comparison = compareDelays(
      table('a', [vp8]),
      table('b', [row('vp8', 'WebRTC, VP8', repeat(160, 210), repeat(161, 212), repeat(162, 211), repeat(160, 213))], {
        node: 'a|b',
      }),
    );
    const markdown = comparisonMarkdown(comparison);
    expect(markdown).toContain('| Path | p50 | p95 | p99 | Pipeline | Result |');
    expect(markdown).toContain(
      '| WebRTC, VP8 | 61 → 161 | 112 → 212 | 122 → 222 | – | p50 +100 ms, p95 +100 ms, p99 +100 ms, 4 repeats |',
    );
    expect(markdown).not.toContain('a|b');
    expect(comparisonLines(comparison)).toEqual([
      'Delay of a → Delay of b, in ms',
      '',
      'Path              p50        p95        p99  Pipeline  Result',
      'WebRTC, VP8  61 → 161  112 → 212  122 → 222         –  p50 +100 ms, p95 +100 ms, p99 +100 ms, 4 repeats',
      'Server: lab before, a|b after.',
      'Delay of 1 path: 1 higher.',
    ]);
  });
});
