import { expect, it } from 'vitest';
import { nameFault, normalText, noteFault } from './humanText';

it.each([
  'Pull 1000',
  'Zürich',
  'Zu\u0308rich',
  '東京 3',
  'שלום',
  'می\u200cخواهم',
  'ශ්\u200dරී',
  '👩\u200d💻 ❤\ufe0f',
  'a–b "c" #1 @x',
  '٣٤٥',
])('takes %j', (name) => expect(nameFault(name, 'A name')).toBeUndefined());

it.each([
  ['a\u202eb', 'U+202E (it changes the direction of text); it is character 2'],
  ['abc\u200f', 'U+200F (it changes the direction of text); it is character 4'],
  ['🎬\u0000', 'U+0000 (a control character or line end); it is character 2'],
  ['a\nb', 'U+000A (a control character or line end); it is character 2'],
  ['a\u2028b', 'U+2028 (a control character or line end); it is character 2'],
  ['a\u009bb', 'U+009B (a control character or line end); it is character 2'],
  ['a\u200bb', 'U+200B (it is invisible); it is character 2'],
  ['a\ufeffb', 'U+FEFF (it is invisible); it is character 2'],
  ['so\u00adft', 'U+00AD (it is invisible); it is character 3'],
  ['a\u3164', 'U+3164 (it is invisible); it is character 2'],
  ['a\u034fb', 'U+034F (it is invisible); it is character 2'],
  ['1\u200d2', 'U+200D (it is invisible); it is character 2'],
  ['a\u200d', 'U+200D (it is invisible); it is character 2'],
  ['\ufe0fa', 'U+FE0F (it is invisible); it is character 1'],
  ['x\u{e0041}', 'U+E0041 (it is invisible); it is character 2'],
  ['x\ud800', 'U+D800 (half of a character); it is character 2'],
  ['x\ue000', 'U+E000 (each system shows another sign for it, or none); it is character 2'],
  ['x\u0378', 'U+0378 (Unicode has no character there); it is character 2'],
])('refuses %j', (name, why) => {
  expect(nameFault(name, 'A plan name')).toBe(`A plan name can't contain ${why} of this one. Remove it.`);
});

it('lets a note have lines, and nothing else of the kind', () => {
  expect(noteFault('one\r\n\ttwo')).toBeUndefined();
  expect(noteFault('one\u202e')).toMatch(/^A note can't contain U\+202E/);
});

it('has one form for equal texts', () => {
  expect(normalText(' Zu\u0308rich ')).toBe('Z\u00fcrich');
});
