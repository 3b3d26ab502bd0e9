import { describe, expect, it } from 'vitest';
import { delayPaths, type DelayPath } from '../../domain/delay/paths';
import { VirtualTime } from '../../../tests/support/virtualTime';
import { DecoderLink } from './decoderLink';
import { wantedPaths } from './testPaths';

const all = delayPaths({ publish: ['whip'], play: ['whep', 'hls'], encodes: ['vp8', 'h264'] });
const ids = (
  paths: readonly DelayPath[],
  order: { readonly viewers?: number; readonly paths?: string[] },
  hasPlan: boolean,
): string[] => wantedPaths(paths, { node: 'lab', ...order }, hasPlan).map(({ id }) => id);

describe('paths of an order', () => {
  it('are those without load, unless viewers were asked for', () => {
    expect(ids(all, {}, false)).toEqual(['window', 'vp8 simulcast', 'vp8', 'vp8 short', 'h264', 'hls']);
    expect(ids(all, { viewers: 10 }, false)).toEqual(all.map(({ id }) => id));
    expect(ids(all, { viewers: 10, paths: ['vp8 load', 'hls'] }, false)).toEqual(['vp8 load', 'hls']);
    expect(ids(all, { viewers: 10, paths: ['vp8'] }, false)).toEqual(['vp8', 'vp8 load']);
  });

  it('are measured again while a plan runs, after all that is measured without it', () => {
    expect(ids(all, { paths: ['vp8 load'] }, true)).toEqual(['vp8 load']);
    expect(ids(all, { paths: ['window', 'vp8', 'hls'] }, true)).toEqual([
      'window',
      'vp8',
      'hls',
      'vp8 load',
      'hls load',
    ]);
  });
});

describe('paths of an order that a server does not have', () => {
  it('are named, and those that need a load', () => {
    expect(() => ids(all, { paths: ['vp8', 'nosuch'] }, false)).toThrow(
      /^lab has no path "nosuch"; it has "window", "vp8/,
    );
    expect(() => ids(all, { paths: ['vp8 load'] }, false)).toThrow('lab has no path "vp8 load" without load');
    expect(() => ids(all, { paths: ['window'] }, false)).toThrow('no path that can be measured');
  });
});

describe('the link to a decoder', () => {
  const publish = { kind: 'unpublish' } as const;

  it('gives each order to the next request, and its result to the one that waits', async () => {
    const time = new VirtualTime();
    const steps: string[] = [];
    const link = new DecoderLink(time.clock, (step) => steps.push(step));
    const first = link.next(['vp8'], undefined);
    expect(await link.ready).toEqual(['vp8']);
    const done = link.do(publish, 1000);
    expect(await first).toEqual(publish);
    expect(link.progress('measuring', 0.5)).toBe(true);
    const second = link.next(['vp8'], { remark: 'done' });
    expect(await done).toEqual({ remark: 'done' });
    // Nothing is wanted between two orders.
    expect(link.progress('measuring', 1)).toBe(false);
    link.end('Over.');
    expect(await second).toBeNull();
    expect(await link.next(['vp8'], undefined)).toBeNull();
    expect(steps).toEqual(['measuring']);
  });

  it('rejects what failed, what takes too long, and everything without a decoder', async () => {
    const time = new VirtualTime();
    const link = new DecoderLink(time.clock, () => undefined);
    void link.next(['vp8'], undefined);
    const failed = link.do(publish, 1000);
    void link.next(['vp8'], { failed: 'No picture.' });
    await expect(failed).rejects.toThrow('No picture.');
    const late = expect(link.do(publish, 1000)).rejects.toThrow('has not finished within 1 s');
    await time.pass(1500);
    await late;
    await expect(link.do(publish, 1000)).rejects.toMatchObject({ code: 'no-decoder' });
    const alone = new DecoderLink(time.clock, () => undefined);
    const missing = expect(alone.ready).rejects.toThrow('within a minute');
    await time.pass(61_000);
    await missing;
  });
});
