import { expect, it } from 'vitest';
import { fieldKind } from './fields';

it('the fix of a node is one of our actions, that of a preflight finding a text of the site', () => {
  expect(fieldKind(['view', 'nodes', 'fix'], {})).toBe('fixed');
  expect(fieldKind(['view', 'preflight', 'findings', 'fix'], {})).toBe('text');
});

it('the headers of viewers are secrets', () => {
  expect(fieldKind(['plan', 'pull', 'headers', 'X-Viewer'], {})).toBe('secret');
});
