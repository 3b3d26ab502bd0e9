import { expect, it } from 'vitest';
import { emptyAddForm } from './addForm';
import {
  atLeastProblem,
  emptyGroupForm,
  groupAddition,
  linesAsList,
  suggestedGroupName,
  typedHosts,
} from './groupForm';

it('takes hosts by commas or lines, and one address for no group', () => {
  expect(typedHosts('load-1, qa@10.0.0.2:2222\nload-3')).toEqual({ hosts: ['load-1', 'qa@10.0.0.2:2222', 'load-3'] });
  expect(typedHosts('load-1')).toBeUndefined();
  expect(typedHosts('load-1,')).toBeUndefined();
  expect(typedHosts('http://10.0.0.9/a, load-1')?.problem).toMatch(/"http:\/\/10.0.0.9\/a" is not an SSH address/);
  expect(typedHosts('a, b, a')?.problem).toBe('a is listed twice.');
});

it('makes a list of pasted lines', () => {
  expect(linesAsList('load-1\r\n  load-2 \n\nload-3\n')).toBe('load-1, load-2, load-3');
  expect(linesAsList('qa@10.0.0.9')).toBe('qa@10.0.0.9');
});

it('adds a tester group under a free name', () => {
  const typed = typedHosts('a, b') ?? { hosts: [] };
  // Other fields of the form are not of a group.
  const reach = { ...emptyAddForm, user: 'qa', jump: ' gate ' };
  expect(groupAddition({ atLeast: '1', isMeasured: true }, typed, reach, ['load'])).toEqual({
    name: 'load-2',
    role: 'tester',
    nodes: [
      {
        name: 'load-2',
        secrets: {},
        settings: { tester: 'ssh', hosts: ['a', 'b'], user: 'qa', jump: 'gate', atLeast: 1, weights: 'measured' },
      },
    ],
  });
  expect(groupAddition({ ...emptyGroupForm, name: 'load' }, typed, {}, ['load'])).toMatchObject({
    nodes: [],
    problem: 'A node "load" already exists.',
  });
  expect(suggestedGroupName(['load', 'load-2'])).toBe('load-3');
});

it('starts with as many members as there are', () => {
  expect(atLeastProblem({ ...emptyGroupForm, atLeast: '3' }, 2)).toBe(
    'Enter a number from 1 to 2, or nothing for all.',
  );
  expect(atLeastProblem({ ...emptyGroupForm, atLeast: ' 2 ' }, 2)).toBeUndefined();
});
