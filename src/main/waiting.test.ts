import { expect, it } from 'vitest';
import { Waiting } from './waiting';

it('passes each item on once and in order, also what came before the listener', () => {
  const waiting = new Waiting(['a']);
  waiting.add('b');
  const first: string[] = [];
  waiting.listen((item) => first.push(item));
  waiting.add('c');
  const second: string[] = [];
  waiting.listen((item) => second.push(item));
  waiting.add('d');
  expect([first, second]).toEqual([['a', 'b', 'c'], ['d']]);
});
