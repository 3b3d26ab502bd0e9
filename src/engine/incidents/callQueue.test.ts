import { expect, it } from 'vitest';
import { CallQueue, type QueuedCall } from './callQueue';

const begin = (action: string, incident: number | string): QueuedCall => ({
  ...{ action, incident: String(incident), isEnd: false },
});
const end = (action: string, incident: number | string): QueuedCall => ({ ...begin(action, incident), isEnd: true });
const shown = ({ action, incident, isEnd }: QueuedCall): string => `${action} ${isEnd ? 'end' : 'begin'} ${incident}`;

/** A queue whose calls run until they are ended. */
function queueOf() {
  const [started, dropped]: [string[], string[]] = [[], []];
  const ends = new Map<string, () => void>();
  const queue = new CallQueue<QueuedCall>(
    (call) => {
      started.push(shown(call));
      return new Promise((done) => ends.set(shown(call), done));
    },
    (call, isFirst) => dropped.push(`${shown(call)}${isFirst ? ', first' : ''}`),
  );
  const finish = async (text: string): Promise<void> => {
    ends.get(text)?.();
    await new Promise((done) => setImmediate(done));
  };
  return { queue, started, dropped, finish };
}

it('a receiver that does not answer holds no other up', async () => {
  const { queue, started, finish } = queueOf();
  for (const dead of ['dead', 'gone']) for (let place = 0; place < 10; place += 1) queue.add(begin(dead, place));
  expect(started).toEqual(['dead begin 0', 'dead begin 1', 'gone begin 0', 'gone begin 1']);
  queue.add(begin('good', 1));
  await finish('dead begin 0');
  expect(started.at(-1)).toBe('good begin 1');
});

it('an end is sent after its begin', async () => {
  const { queue, started, finish } = queueOf();
  queue.add(begin('a', 1));
  queue.add(end('a', 1));
  queue.add(begin('a', 2));
  expect(started).toEqual(['a begin 1', 'a begin 2']);
  await finish('a begin 1');
  expect(started.at(-1)).toBe('a end 1');
});

it('of what is too much the oldest of the same action is dropped, never the last end of an incident', () => {
  const { queue, dropped } = queueOf();
  queue.add(begin('other', 'first'));
  queue.add(begin('other', 'second'));
  queue.add(begin('other', 'waits'));
  for (let place = 0; place < 102; place += 1) queue.add(begin('a', place));
  for (let place = 0; place < 102; place += 1) queue.add(end('a', place));
  expect(dropped).toEqual(['a begin 2, first', 'a begin 3']);
  for (let place = 0; place < 300; place += 1) queue.add(end('a', `other ${place}`));
  queue.add(end('a', 5));
  const left = queue.close().map(shown);
  expect(left).toContain('other begin waits');
  expect(left.filter((each) => each.startsWith('a end'))).toHaveLength(402);
  expect(left.filter((each) => each === 'a end 5')).toHaveLength(1);
});

it('says so once for each row of drops', async () => {
  const { queue, dropped, finish } = queueOf();
  const fill = (): void => {
    for (let place = 0; place < 210; place += 1) queue.add(begin('a', place));
  };
  fill();
  for (let place = 0; place < 210; place += 1) await finish(`a begin ${place}`);
  fill();
  expect(dropped.filter((each) => each.endsWith('first'))).toHaveLength(2);
  expect(dropped).toHaveLength(16);
});
