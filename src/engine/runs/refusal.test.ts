import { expect, it } from 'vitest';
import { FullhouseError } from '../../contract/calls';
import type { FleetNode } from '../fleet/node';
import { Pull } from './pull';
import { RefusedShare, refusedJobs, refusedShare } from './refusal';

function tester(viewerLimit: number, openFilesLimit: number, code = 'too-many-viewers'): FleetNode {
  const driver = { start: () => Promise.reject(new FullhouseError(code, 'Limit reached.')) };
  return { driver, view: () => ({ viewerLimit, machine: { openFilesLimit } }) } as unknown as FleetNode;
}

it('a tester that refuses its share is at its lowest limit', () => {
  const of = (viewerLimit: number, files: number) =>
    refusedShare(new RefusedShare({ name: 'a', node: tester(viewerLimit, files), share: 60 }, 'No.'), 5000);
  expect(of(44, 300)).toEqual([
    {
      node: 'a',
      kind: 'open-files',
      fromMs: 5000,
      viewers: 0,
      sentence: 'a was at its own limit: it can run at most 44 viewers; 60 viewers were requested.',
      expected: 'each viewer needs an open file of its tester',
    },
  ]);
  expect(of(0, 90)[0]?.kind).toBe('open-files');
  expect(of(28_232, 1_048_576)[0]).toMatchObject({
    kind: 'ports',
    expected: 'each viewer needs a local port of its tester',
  });
  expect(of(28_232, 0)[0]?.kind).toBe('ports');
});

it('other failures of a preparation are not limits', () => {
  expect(refusedShare(new FullhouseError('no-stream', 'No stream.'), 5000)).toEqual([]);
});

it('some refusals of a tester are not limits', async () => {
  const plan = {
    stream: 'cam',
    from: 'o',
    by: ['a', 'b'],
    protocol: 'whep',
    viewers: 100,
    ratePerSecond: 50,
    holdMs: 1000,
  } as const;
  const testers = [
    { name: 'a', node: tester(1000, 1256) },
    { name: 'b', node: tester(1000, 1256, 'shutting-down') },
  ];
  const pull = new Pull(plan, testers, () => 'pull-1');
  await pull.start(0, { url: 'http://o/whep/cam' });
  // It may run viewers for another console, which reduces its capacity.
  expect(refusedJobs(pull, 5000)).toMatchObject([
    { node: 'a', kind: 'open-files', sentence: 'a was at its own limit: Limit reached.' },
  ]);
});
