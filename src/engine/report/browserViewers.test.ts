import { expect, it } from 'vitest';
import type { BrowserViewersResult } from '../../domain/model/browserViewers';
import type { RunView } from '../../domain/model/run';
import { browserViewersSection, browserViewersTable } from './browserViewers';

const result: BrowserViewersResult = {
  ...{ planned: 2, by: 'window', playing: 0, watched: 0, failed: 0, freezes: 0, frozenMs: 0 },
  browsers: {},
  audience: { firstFrameP50Ms: 200 },
};
const of = (over: Partial<BrowserViewersResult>): RunView =>
  ({ browserViewers: { ...result, ...over } }) as unknown as RunView;

it('leaves out the section of a run in which no browser viewer has played or failed', () => {
  expect(browserViewersSection({} as RunView)).toBeUndefined();
  expect(browserViewersSection(of({}))).toBeUndefined();
});

it('states why all of them failed, without a table of dashes', () => {
  const failed = of({ failed: 2, problem: 'no codec' });
  expect(browserViewersTable(failed)).toMatchObject({
    rows: [],
    about: 'no picture was displayed, 2 failed (no codec)',
  });
  expect(browserViewersSection(failed)?.html).not.toContain('<td');
});

it('has a row for each figure of one of both', () => {
  const table = browserViewersTable(
    of({ watched: 1, browsers: { frameRate: 25 }, audience: { frameRate: 24 }, agreementPercent: 96 }),
  );
  expect(table?.about).toBe('1 real browser, 20 s each');
  expect(table?.rows.map(([name]) => name)).toEqual(['Frame rate, fps', 'Agreement']);
});
