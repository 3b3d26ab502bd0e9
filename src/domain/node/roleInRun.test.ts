import { expect, it } from 'vitest';
import { compareRuns } from '../compare/comparison';
import { describeRun, originOf, testersOf } from '../compare/describeRun';
import { measureRun } from '../compare/measureRun';
import { measuredOf, viewOf } from '../../../tests/support/measured';
import type { NodeView } from '../model/node';
import type { RunView } from '../model/run';
import { nodesInRole, roleInRun } from './observedNodes';

const story = { id: 'r', viewers: [10, 10, 10, 10, 10, 10] };
const base = viewOf(story);
const like = (of: 'origin' | 'tester', id: string): NodeView => ({
  ...base.nodes.find(({ role }) => role === of)!,
  id,
  name: id,
});
/** Before the nodes in use, as in a real fleet. */
const view: RunView = {
  ...base,
  nodes: [like('origin', 'idle-srs'), like('tester', 'idle-tester'), ...base.nodes],
};

it('a node that a run only observes is neither its origin nor its tester', () => {
  expect(view.nodes.map((node) => roleInRun(view.plan, node))).toEqual(['observed', 'observed', 'origin', 'tester']);
  expect(describeRun(view)).toMatchObject({ origin: 'atom', testers: ['tester-1'] });
  expect(originOf(view)?.name).toBe('atom');
  expect(testersOf(view).map(({ name }) => name)).toEqual(['tester-1']);
  const candidate = (id: string, of: RunView) => ({
    ...{ id, name: id, isBaseline: false, repeatKey: id, others: [] },
    measure: measureRun({ ...measuredOf(story), view: { ...of, id } }),
  });
  const { differs } = compareRuns([candidate('a', view), candidate('b', base)]);
  expect(differs).toEqual([]);
});

it('an imported run has no plan, so its nodes have their assigned roles', () => {
  const imported = {
    prometheus: 'http://192.0.2.9',
    nodes: [],
    fromMs: 0,
    toMs: 1,
  } as unknown as RunView['imported'];
  expect(nodesInRole({ ...view, imported }, 'origin').map(({ name }) => name)).toEqual(['idle-srs', 'atom']);
});
