import { expect, it } from 'vitest';
import { parsePlan } from '../plan/planYaml';
import { head } from '../../../tests/support/plans';
import type { NodeView } from '../model/node';
import { withAudienceLabels } from './audienceLabels';

const audience = (tester: string, label: string): string =>
  `{ stream: cam, from: origin, by: [${tester}], viewers: 1, rate: 1/s, hold: 1s${label} }`;
const nodes = [{ name: 'origin' }, { name: 'tester-1' }, { name: 'tester-2' }] as unknown as readonly NodeView[];
const names = (pulls: string): string[] =>
  withAudienceLabels(nodes, parsePlan(`${head}pull: ${pulls}\n`).plan).map(({ name }) => name);

it('legends name the testers of a labelled audience with its label', () => {
  const labelled = audience('tester-1', ', label: mobile');
  expect(names(`[${labelled}, ${audience('tester-2', '')}]`)).toEqual(['origin', 'tester-1 (mobile)', 'tester-2']);
  expect(names(`[${labelled}, ${audience('tester-1', ', label: desktop')}]`)[1]).toBe('tester-1 (mobile, desktop)');
});

it('legends without labels keep the names', () => {
  expect(names(audience('tester-1', ''))).toEqual(['origin', 'tester-1', 'tester-2']);
});
