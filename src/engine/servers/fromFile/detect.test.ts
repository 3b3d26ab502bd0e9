import { expect, it } from 'vitest';
import type { BuiltInFamily } from '../../../domain/model/serverFamilies';
import { builtInRules } from '../families';
import { streamOf } from './detect';

it.each<[BuiltInFamily, string, string | undefined]>([
  ['broadcast-box', 'http://host:8080/publish/cam', 'cam'],
  ['broadcast-box', 'http://host:8080/cam', 'cam'],
  ['broadcast-box', 'http://host:8080/api/whep', undefined],
  ['broadcast-box', 'http://host:8080/', undefined],
])('in %s, %s names the stream %s', (family, address, stream) => {
  expect(streamOf(builtInRules(family), new URL(address))).toBe(stream);
});
