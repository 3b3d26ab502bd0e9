import { describe, expect, it } from 'vitest';
import type { StreamView } from '../../../domain/model/node';
import { columnsOf, columnWithLimits, streamColumns } from './streamColumns';
import { ageText, bitrateFigure, codecText } from './streamText';

const cam: StreamView = {
  stream: 'cam-240p',
  source: 'WHIP · publisher-1',
  viewers: 742,
  degraded: 23,
  videoCodec: 'H264',
  audioCodec: 'opus',
  width: 426,
  height: 240,
  fps: 25,
  bitrateKbps: 380,
  ageMs: 761_000,
};
const shown = (stream: StreamView): string[] =>
  Object.values(streamColumns).map((column) => {
    const { text, unit } = column.figure(stream);
    return unit ? `${text} ${unit}` : text;
  });

describe('a row of streams', () => {
  it('is formatted as designed', () => {
    expect(shown(cam)).toEqual([
      'cam-240p',
      'WHIP · publisher-1',
      '742',
      '23',
      'H.264 · Opus',
      '426 × 240',
      '0.38 Mbit/s',
      '25.0 fps',
      '–',
      '–',
      '00:12:41',
    ]);
  });

  it('shows unreported values as an en dash, never as 0', () => {
    expect(shown({ stream: 'a', source: '' }).slice(2)).toEqual(new Array(9).fill('–'));
    expect(streamColumns.viewers.figure({ stream: 'a', source: '' }).tone).toBe('quiet');
    expect(streamColumns.viewers.figure({ ...cam, viewers: 0 })).toMatchObject({ text: '0', tone: 'strong' });
  });

  it('warns of degraded viewers only if there are any', () => {
    expect(streamColumns.degraded.figure(cam).tone).toBe('warning');
    expect(streamColumns.degraded.figure({ ...cam, degraded: 0 }).tone).toBe('quiet');
  });

  it('warns of B-frames, which WebRTC viewers do not show in order', () => {
    const { figure, hint } = streamColumns.codec;
    expect(figure(cam).tone).toBe('strong');
    expect(figure({ ...cam, bFrames: 1200 })).toMatchObject({ text: 'H.264 · Opus', tone: 'warning' });
    expect(hint?.({ ...cam, bFrames: 1200 })).toMatch(/^H\.264 · Opus, with B-frames \(1,200\)/);
  });

  it('keeps the decimals of an audio-only stream', () => {
    expect(bitrateFigure(48).text).toBe('0.048');
    expect(bitrateFigure(0).text).toBe('0.00');
    expect(bitrateFigure(3960).text).toBe('3.96');
    expect(codecText({ stream: 'a', source: '', audioCodec: 'OPUS' })).toBe('Opus');
  });

  it('shows days separately', () => {
    const day = 86_400_000;
    expect([0, 8_048_000, day - 1, 5 * day + 11_520_000, -1].map(ageText)).toEqual([
      '00:00:00',
      '02:14:08',
      '23:59:59',
      '5 d 03:12',
      '–',
    ]);
  });
});

describe('limits of streams', () => {
  const bad = { ...cam, fps: 0, nacksPerSecond: 30, lostPerSecond: 0 };

  it('make figures outside them warnings, and the name of the stream', () => {
    const shown = (column: 'stream' | 'fps' | 'nack' | 'lost') => {
      const { figure, hint } = columnWithLimits(column, {});
      return [figure(bad).tone, hint?.(bad)];
    };
    expect(shown('fps')).toEqual(['warning', '0.0 fps, limit >= 1 fps']);
    expect(shown('nack')).toEqual(['warning', '30.0 /s, limit <= 10 /s']);
    expect(shown('lost')).toEqual(['plain', undefined]);
    expect(shown('stream')[0]).toBe('warning');
    expect(shown('stream')[1]).toContain('cam-240p: Frame rate: 0.0 fps');
    expect(columnWithLimits('nack', { nack: 30 }).figure(bad).tone).toBe('plain');
  });

  it('show what only a WCS reports for a WCS only', () => {
    expect(columnsOf('srs', ['stream', 'nack', 'lost'])).toEqual(['stream']);
    expect(columnsOf('wcs', ['stream', 'nack'])).toEqual(['stream', 'nack']);
  });
});

it('has the viewers of each protocol as a hint where the server reports them', () => {
  const stream = { stream: 'cam', source: 'RTMP', viewers: 1203 };
  expect(streamColumns.viewers.hint?.(stream)).toBeUndefined();
  expect(streamColumns.viewers.hint?.({ ...stream, viewersBy: { rtmp: 3, whep: 1200 } })).toBe('WHEP 1,200, RTMP 3');
});
