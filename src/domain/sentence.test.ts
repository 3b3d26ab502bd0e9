import { expect, it } from 'vitest';
import { asSentence } from './sentence';

it.each([
  ['nothing is known yet', 'Nothing is known yet'],
  ["can't be read", "Can't be read"],
  ['über alles', 'Über alles'],
  ['http://10.0.0.7:9090 refuses', 'http://10.0.0.7:9090 refuses'],
  ['10 viewers held', '10 viewers held'],
  ['srs-1 refuses', 'srs-1 refuses'],
  ['node_exporter does not answer', 'node_exporter does not answer'],
  ['/etc/x is missing', '/etc/x is missing'],
  ['qa@box: refused', 'qa@box: refused'],
  ['', ''],
])('begins %j as %j', (text, sentence) => expect(asSentence(text)).toBe(sentence));

it('leaves names of nodes as they are', () => {
  expect(asSentence('origin refuses', ['origin'])).toBe('origin refuses');
  expect(asSentence('original text', ['origin'])).toBe('Original text');
});
