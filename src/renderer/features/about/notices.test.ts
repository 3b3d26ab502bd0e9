import { expect, it } from 'vitest';
import { noticesText } from '../../../../scripts/notices/document.mjs';
import { findNotices, parseNotices } from './notices';

const mit = 'MIT License\n\nPermission is hereby granted';
/** Has rules of its own, one of them around a line that is no component. */
const ruled = `${'='.repeat(80)}\nTerms\n${'='.repeat(80)}\nUse it.`;
const document = noticesText('Fullhouse 1.2.3', [
  {
    title: 'In the app',
    components: [
      { name: 'zod', version: '4.6.7', licence: 'MIT', texts: [mit] },
      { name: 'zod', version: '4.6.7', licence: 'MIT', texts: [mit] },
      { name: 'Inter (font)', licence: 'OFL-1.1', texts: ['Open Font License'] },
    ],
  },
  {
    title: 'In the agent',
    components: [
      { name: 'example.org/plain', version: 'v1.0.0', texts: [mit] },
      { name: 'example.org/ruled', version: 'v2.0.0', texts: [ruled] },
    ],
  },
]);

it('reads what scripts/notices writes', () => {
  expect(parseNotices(document)).toEqual([
    { label: 'zod 4.6.7', licence: 'MIT', group: 'In the app', text: mit },
    { label: 'Inter (font)', licence: 'OFL-1.1', group: 'In the app', text: 'Open Font License' },
    { label: 'example.org/plain v1.0.0', licence: '', group: 'In the agent', text: mit },
    { label: 'example.org/ruled v2.0.0', licence: '', group: 'In the agent', text: ruled },
  ]);
});

it('finds by name, licence and text', () => {
  const found = (words: string): readonly string[] =>
    findNotices(parseNotices(document), words).map(({ label }) => label);
  expect(found('ofl')).toEqual(['Inter (font)']);
  expect(found('agent PERMISSION')).toEqual(['example.org/plain v1.0.0']);
  expect(found('none of them')).toEqual([]);
  expect(found(' ')).toHaveLength(4);
});
