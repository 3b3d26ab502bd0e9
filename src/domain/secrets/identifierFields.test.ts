import { expect, it } from 'vitest';
import { isIdentifier } from './identifierFields';

it.each([
  [['view', 'nodes', 'fix'], true],
  [['view', 'preflight', 'findings', 'fix'], false],
  [['plan', 'pull', 'headers', 'X-Viewer'], false],
  [['plan', 'pull', 'headers', 'from'], false],
  [['view', 'nodes', 'group', 'missing', 'name'], false],
  [['view', 'nodes', 'name'], true],
  [['view', 'nodes', 'machine', 'versions', 'node'], false],
  [['event', 'node'], true],
  [['event', 'sentence'], false],
] as const)('%j: names something else: %s', (path, expected) => {
  expect(isIdentifier(path)).toBe(expected);
});
