import { expect, it } from 'vitest';
import { pulledNameFault, streamNameFault } from './streamName';

it.each(['cam', 'Übung 1/камера', '教室 – 3', '#1 100% "live"', 'a?b&c=d', '_x', '-x', '😀', 'live/cam'])(
  'takes %s',
  (name) => expect(streamNameFault(name)).toBeUndefined(),
);

it.each([
  ['', 'Name the stream.'],
  ['a\nb', 'U+000A'],
  ['a\u0000', 'U+0000'],
  ['a\u0085b', 'U+0085'],
  ['a\u202eb', 'U+202E'],
  ['a\ud800', 'U+D800'],
  [' cam', 'start or end with a space'],
  ['/cam', 'start with "/"'],
  ['a/../b', '"." or ".."'],
  ['ü'.repeat(129), '128 characters or fewer; this one has 129'],
])('refuses %j with a sentence', (name, why) => expect(streamNameFault(name)).toContain(why));

it('counts characters, not code units', () => {
  expect(streamNameFault('😀'.repeat(128))).toBeUndefined();
});

it('rejects what RTMP servers read as parameters', () => {
  expect(pulledNameFault('a?b', 'rtmp')).toContain('"?"');
  expect(pulledNameFault('a?b', 'whep')).toBeUndefined();
  expect(pulledNameFault('app/cam?vhost=x', 'rtmp')).toBeUndefined();
});
