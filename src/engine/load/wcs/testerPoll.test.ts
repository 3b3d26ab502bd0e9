import { expect, it } from 'vitest';
import { pullObject, streamObject } from '../../servers/wcs/restSchemas';
import type { StreamFilter, WcsRest } from '../../servers/wcs/wcsRest';
import { TesterPoll } from './testerPoll';

const names = Array.from({ length: 500 }, (_, index) => `viewer-${index + 1}`);
const pulls = names.map((localStreamName) => pullObject.parse({ localStreamName, status: 'PROCESSED_REMOTE' }));
const streams = names.map((name) => streamObject.parse({ name, published: true, sdp: 'x'.repeat(4300) }));

/** A tester with 500 pulls, each with a description of 4.3 kB, and the requests for its streams. */
function tester({ filters = true } = {}): { rest: WcsRest; lists: () => number; singles: string[] } {
  const singles: string[] = [];
  let lists = 0;
  const rest = {
    statistics: () => Promise.reject(new Error('none')),
    pull: { findAll: () => Promise.resolve(pulls) },
    stream: {
      find: ({ name }: StreamFilter) => {
        if (name === undefined) lists += 1;
        else singles.push(name);
        return Promise.resolve(
          name === undefined || !filters ? streams : streams.filter((stream) => stream.name === name),
        );
      },
    },
  };
  return { rest: rest as unknown as WcsRest, lists: () => lists, singles };
}

it('lists 500 streams at 1 MB/s, and asks for single ones between', async () => {
  const { rest, lists, singles } = tester();
  let nowMs = 0;
  const poll = new TesterPoll(rest, () => nowMs);
  const asked: Array<number | undefined> = [];
  for (; nowMs < 12_000; nowMs += 1000) {
    const { asked: some } = await poll.look({ byRtmp: false, connecting: ['viewer-500'], others: names.slice(0, 499) });
    asked.push(some?.size);
  }
  // 2.9 MB each.
  expect(lists()).toBe(4);
  expect(asked).toEqual([undefined, 1, 1, undefined, 1, 1, undefined, 1, 1, undefined, 1, 1]);
  expect(new Set(singles)).toEqual(new Set(['viewer-500']));
});

it('asks for what a list of pulls lacks, and for all streams when that is much', async () => {
  const { rest, lists, singles } = tester();
  const poll = new TesterPoll(rest, () => 0);
  await poll.look({ byRtmp: false, connecting: [], others: names });
  const { streams: found } = await poll.look({ byRtmp: false, connecting: [], others: [...names, 'gone'] });
  expect(singles).toEqual(['gone']);
  expect(found.size).toBe(0);
  await poll.look({ byRtmp: false, connecting: names.slice(0, 21), others: [] });
  expect(lists()).toBe(2);
});

it('lists all streams of a version that does not filter by name', async () => {
  const { rest, lists, singles } = tester({ filters: false });
  const poll = new TesterPoll(rest, () => 0);
  for (let tick = 0; tick < 4; tick += 1) await poll.look({ byRtmp: false, connecting: ['viewer-1'], others: [] });
  expect(singles).toHaveLength(1);
  expect(lists()).toBe(3);
});
