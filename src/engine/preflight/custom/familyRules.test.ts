import { expect, it } from 'vitest';
import type { CheckContext } from '../rule';
import { familyRules } from './familyRules';

it('the families have valid rules, named after them', () => {
  expect(familyRules().map(({ id }) => id)).toContain('mediamtx.udp-read-buffer');
});

it('a rule of a family is for its servers only', () => {
  const rule = familyRules().find(({ id }) => id === 'mediamtx.udp-read-buffer');
  const applies = (server: 'mediamtx' | 'srs'): boolean | undefined =>
    rule?.applies({
      ...{ node: 'origin', role: 'origin', server, viewers: 1, viewersOfOneStream: 1, publishers: 0, protocols: [] },
    } as unknown as CheckContext);
  expect(['mediamtx', 'srs'].map((server) => applies(server as 'mediamtx' | 'srs'))).toEqual([true, false]);
});
