import { describe, expect, it } from 'vitest';
import type { ViewerRow } from '../../../contract/viewerSchemas';
import { counterRows, layerRows, routeRows, ssrcText, timelineRows } from './viewerDetailText';

const row: ViewerRow = {
  ...{ tester: 'one', job: 'pull-1', viewer: 12, state: 'failed', arrivedMs: 1000, connectMs: 14.2 },
  ...{
    packets: 4210,
    bytes: 2_210_400,
    lost: 3,
    lossPercent: 0.07,
    frames: 90,
    stalls: 1,
    stalledMs: 1712,
    freezeCount: 3,
    freezeDurationMs: 2240,
  },
  ...{ degraded: false, degradedMs: 5012 },
  failure: { stage: 'media', cause: 'silent', detail: 'No media packet for 10 s.' },
};

it('lists the layers from the largest, with the current one', () => {
  const layers = [
    { width: 320, height: 180, ms: 9000 },
    { width: 640, height: 360, ms: 3000 },
  ];
  expect(layerRows({ kind: 'video', packets: 1, bytes: 1, width: 320, height: 180, layers })).toEqual([
    { size: '640×360', time: '3.0 s, 25.0 %', isCurrent: false },
    { size: '320×180', time: '9.0 s, 75.0 %', isCurrent: true },
  ]);
  expect(layerRows({ kind: 'audio', packets: 1, bytes: 1 })).toEqual([]);
});

describe('the details of a viewer', () => {
  it('have a timeline with causes and durations', () => {
    const rows = timelineRows(row, {
      timeline: [
        { atMs: 0, name: 'arrived' },
        { atMs: 3.4, name: 'dns' },
        { atMs: 4.4, name: 'offer' },
        { atMs: 8.62, name: 'answer' },
        { atMs: 11.62, name: 'dtls' },
        { atMs: 40_211, name: 'stall', forMs: 712 },
        { atMs: 41_003, name: 'degraded', reason: 'stall' },
        { atMs: 46_015, name: 'recovered', forMs: 5012 },
        { atMs: 50_000, name: 'failed' },
        { atMs: 50_001, name: 'rebooted' },
      ],
    });
    expect(rows.map(({ at, title, note }) => `${at} ${title} ${note}`.trim())).toEqual([
      '+0.0 ms Started',
      '+3.4 ms Name resolved took 3.4 ms',
      '+4.4 ms Offer sent',
      '+8.6 ms Answer received took 5.2 ms',
      '+11.6 ms DTLS connected took 3.0 ms',
      '+40.2 s Stall for 712.0 ms',
      '+41.0 s Degraded: stall',
      '+46.0 s Recovered after 5.0 s',
      '+50.0 s Failed: media stopped during playback',
      '+50.0 s rebooted',
    ]);
    expect(rows.map(({ tone }) => tone)).toEqual([
      ...['plain', 'plain', 'plain', 'plain', 'plain', 'warning', 'warning', 'good', 'failure', 'plain'],
    ]);
  });

  it('come from the row if the tester has no more', () => {
    expect(timelineRows(row, undefined).map(({ title }) => title)).toEqual(['Started', 'First packet']);
    expect(timelineRows({ ...row, arrivedMs: undefined }, undefined)).toEqual([]);
  });

  it('have both ends of the candidate pair, and a dash for unknown values', () => {
    expect(routeRows({ protocol: 'udp', local: '10.0.0.11:40112', localType: 'host', remoteType: 'relay' })).toEqual([
      { name: 'Protocol', text: 'UDP' },
      { name: 'Local', text: '10.0.0.11:40112, host' },
      { name: 'Remote', text: 'relay' },
    ]);
    expect(routeRows({ protocol: 'tcp' })[1]?.text).toBe('–');
  });

  it('have counters by title, and a dash for loss over TCP', () => {
    const names = counterRows(row, { timeline: [], counters: { brokenFrames: 2, newCounter: 7 } });
    expect(names.find(({ name }) => name === 'Incomplete frames')?.figure.text).toBe('2');
    expect(names.find(({ name }) => name === 'newCounter')?.figure.text).toBe('7');
    expect(names.find(({ name }) => name === 'Stalled')?.figure).toEqual({ text: '1.7', unit: 's' });
    expect(names.find(({ name }) => name === 'Freezes (W3C)')?.figure.text).toBe('3');
    expect(names.find(({ name }) => name === 'Freeze time (W3C)')?.figure).toEqual({ text: '2.2', unit: 's' });
    const byRtmp = counterRows({ ...row, lossPercent: undefined }, undefined);
    expect(byRtmp.find(({ name }) => name === 'Packets lost')?.figure.text).toBe('–');
  });

  it('have the delay with its method, and a dash where it is not measured', () => {
    const delayOf = (over: Partial<ViewerRow>) =>
      counterRows({ ...row, ...over }, undefined).find(({ name }) => name.startsWith('One-way delay'));
    expect(delayOf({ delayMs: 41.26, delayMethod: 'sender-report' })).toEqual({
      name: 'One-way delay, sender reports',
      figure: { text: '41.3', unit: 'ms' },
    });
    expect(delayOf({ delayMs: 300, delayMethod: 'capture-time' })?.name).toBe('One-way delay, capture time');
    expect(delayOf({ delayMs: 300, delayMethod: 'another' })?.name).toBe('One-way delay');
    expect(delayOf({})?.figure.text).toBe('–');
  });

  it('have the SSRC in hex', () => {
    expect([ssrcText(0xabcd), ssrcText(undefined)]).toEqual(['0x0000abcd', '–']);
  });
});
