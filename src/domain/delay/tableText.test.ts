import { describe, expect, it } from 'vitest';
import { usualMedia } from '../model/publishMedia';
import { judgeDelays, parsePathExpectation, type PathExpectation } from './expectation';
import type { DelayFigures } from './figures';
import { summaryOf } from './spread';
import { delayFormat, delayTable, type DelayRepeat, type DelayTable } from './table';
import { delayLines, delayMarkdown } from './tableText';

const figures = (p50Ms: number, more: Partial<DelayFigures> = {}): DelayRepeat => ({
  delay: {
    ...{ p50Ms, p95Ms: p50Ms + 10, p99Ms: p50Ms + 1000, jitterMs: 3.14, uncertaintyMs: 9, count: 500 },
    ...more,
  },
});

const table: DelayTable = {
  ...{
    fullhouseDelay: delayFormat,
    id: '2026-11-28-lab-abcdef',
    name: 'Delay of lab',
    node: 'lab',
    software: 'lab 0.1',
  },
  ...{ startedMs: 1, endedMs: 2, decoder: 'Chromium', measuredMs: 10_000 },
  rows: [
    {
      path: { id: 'vp8', title: 'WebRTC, VP8', publish: 'whip', play: 'whep', media: usualMedia, isUnderLoad: false },
      repeats: [
        figures(50, { rttMs: 8 }),
        figures(60, { rttMs: 10 }),
        { failed: 'No | picture.' },
        figures(56, { rttMs: 9 }),
      ],
    },
    {
      path: { id: 'hls', title: 'HLS', publish: 'rtmp', play: 'hls', media: usualMedia, isUnderLoad: false },
      repeats: [{ failed: 'No picture.' }],
    },
    {
      path: { id: 'rtmp', title: 'RTMP', publish: 'rtmp', play: 'rtmp', media: usualMedia, isUnderLoad: false },
      repeats: [],
    },
  ],
};

describe('a delay table', () => {
  it('has the median of the repeats, their spread, and why others failed', () => {
    expect(delayTable.safeParse(table).success).toBe(true);
    expect(delayLines(table)).toEqual([
      'Path         p50  p95    p99  Jitter  RTT  Pipeline  A/V  Spread  ±  Remark',
      'WebRTC, VP8   56   66  1,056     3.1  9.0        47    –     5.0  9  1 of 4 repeats failed · No | picture.',
      'HLS            –    –      –       –    –         –    –       –  –  No picture.',
      'RTMP           –    –      –       –    –         –    –       –  –  not measured',
    ]);
  });

  it('counts both middle repeats of an even number', () => {
    const [row] = table.rows;
    expect(row && summaryOf({ ...row, repeats: [figures(50), figures(60)] })?.p50).toEqual({
      value: 55,
      least: 50,
      most: 60,
    });
  });

  it('as Markdown can be pasted into a ticket, whatever a server says', () => {
    expect(delayMarkdown(table)).toContain(
      '| 1 | WebRTC, VP8 | 56 | 66 | 1,056 | 3.1 | 9.0 | 47 | – | 5.0 | 9 | 1 of 4 repeats failed · No \\| picture. |',
    );
  });
});

describe('expectations of delays', () => {
  it.each([
    ['p95 <= 500ms', { percentile: 'p95', mostMs: 500 }],
    ['p50<=0.2s', { percentile: 'p50', mostMs: 200 }],
    ['vp8 simulcast: p99 <= 1s', { path: 'vp8 simulcast', percentile: 'p99', mostMs: 1000 }],
  ])('are read: %s', (text, read) => expect(parsePathExpectation(text)).toEqual(read));

  it.each(['p95 <= 500', 'p95 < 500ms', 'max <= 1s', 'p95 >= 1s', ''])('are refused: %s', (text) =>
    expect(parsePathExpectation(text)).toEqual(expect.any(String)),
  );

  it('hold, do not hold, or can not be judged', () => {
    const judge = (text: string): string[] =>
      judgeDelays(table, [parsePathExpectation(text) as PathExpectation]).map(
        ({ verdict, sentence }) => `${verdict}: ${sentence}`,
      );
    expect(judge('vp8: p50 <= 56ms')).toEqual(['pass: WebRTC, VP8: p50 56 ms is within 56 ms.']);
    expect(judge('p95 <= 50ms')).toEqual([
      'fail: WebRTC, VP8: p95 66 ms is above 50 ms.',
      'inconclusive: HLS: p95 was not measured.',
      'inconclusive: RTMP: p95 was not measured.',
    ]);
    expect(judge('av1: p50 <= 1s')).toEqual(['inconclusive: av1: there is no such path.']);
  });
});
