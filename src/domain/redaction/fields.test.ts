import { expect, it } from 'vitest';
import { fieldKind } from './fields';

it('the fix of a node is one of our actions, that of a preflight finding a text of the site', () => {
  expect(fieldKind(['view', 'nodes', 'fix'], {})).toBe('fixed');
  expect(fieldKind(['view', 'preflight', 'findings', 'fix'], {})).toBe('text');
});

it('the headers of viewers are secrets', () => {
  expect(fieldKind(['plan', 'pull', 'headers', 'X-Viewer'], {})).toBe('secret');
});

it('the members of a tester group are hosts, wherever they are named', () => {
  expect(fieldKind(['view', 'nodes', 'settings', 'hosts'], {})).toBe('login');
  expect(fieldKind(['view', 'nodes', 'settings', 'inventory'], {})).toBe('file');
  expect(fieldKind(['view', 'nodes', 'group', 'members'], {})).toBe('host');
  expect(fieldKind(['view', 'nodes', 'group', 'missing', 'name'], {})).toBe('host');
});
