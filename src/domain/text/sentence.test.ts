import { expect, it } from 'vitest';
import { asSentence } from './sentence';

it.each([
  ['no result yet', 'No result yet'],
  ["can't be read", "Can't be read"],
  ['über alles', 'Über alles'],
  ['http://10.0.0.7:9090 refuses', 'http://10.0.0.7:9090 refuses'],
  ['10 viewers held', '10 viewers held'],
  ['srs-1 refuses', 'srs-1 refuses'],
  ['node_exporter does not respond', 'node_exporter does not respond'],
  ['/etc/x is missing', '/etc/x is missing'],
  ['qa@box: refused', 'qa@box: refused'],
  ['', ''],
])('starts %j as %j', (text, sentence) => expect(asSentence(text)).toBe(sentence));

it('leaves names of nodes unchanged', () => {
  expect(asSentence('origin refuses', ['origin'])).toBe('origin refuses');
  expect(asSentence('original text', ['origin'])).toBe('Original text');
});
