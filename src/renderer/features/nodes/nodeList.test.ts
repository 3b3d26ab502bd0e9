import { describe, expect, it } from 'vitest';
import type { NodeView } from '../../../domain/model/node';
import { matchingNodes, nextSort, sortedNodes, type ListedNode } from './nodeList';
import type { RowFigures } from './rowFigures';

const node = (id: string, of: Partial<NodeView> = {}): NodeView => ({
  id,
  name: id,
  role: 'tester',
  colourSlot: 1,
  state: 'live',
  reach: '',
  host: id,
  streams: [],
  ...of,
});
const row = (id: string, cpu?: number, of: Partial<NodeView> = {}): ListedNode => ({
  node: node(id, of),
  figures: {
    cpu: { value: cpu, figure: { text: '', unit: '' }, tone: 'plain' },
    memory: { value: undefined, figure: { text: '', unit: '' }, tone: 'plain' },
    hasHost: cpu !== undefined,
  } satisfies RowFigures,
});
const names = (rows: readonly ListedNode[]): string[] => rows.map(({ node: { name } }) => name);

describe('the order of nodes', () => {
  const rows = [row('tester-10', 3), row('tester-2', 80), row('dead'), row('tester-1', 12)];

  it('is the order of adding until a column is chosen', () => {
    expect(names(sortedNodes(rows, undefined))).toEqual(['tester-10', 'tester-2', 'dead', 'tester-1']);
  });

  it('sorts numbers in names numerically', () => {
    expect(names(sortedNodes(rows, { by: 'node', isDescending: false }))).toEqual([
      'dead',
      'tester-1',
      'tester-2',
      'tester-10',
    ]);
  });

  it('has missing values last, both ways', () => {
    expect(names(sortedNodes(rows, { by: 'cpu', isDescending: true }))).toEqual([
      'tester-2',
      'tester-1',
      'tester-10',
      'dead',
    ]);
    expect(names(sortedNodes(rows, { by: 'cpu', isDescending: false })).at(-1)).toBe('dead');
  });

  it('by state puts failed nodes first', () => {
    const states = [row('a'), row('b', 1, { state: 'failed' }), row('c', 1, { state: 'stale' })];
    expect(names(sortedNodes(states, { by: 'state', isDescending: false }))).toEqual(['b', 'c', 'a']);
  });

  it('reverses with the second click, and is the order of adding again with the third', () => {
    const first = nextSort(undefined, 'cpu');
    expect(first).toEqual({ by: 'cpu', isDescending: true });
    const second = nextSort(first, 'cpu');
    expect(second).toEqual({ by: 'cpu', isDescending: false });
    expect(nextSort(second, 'cpu')).toBeUndefined();
    expect(nextSort(second, 'node')).toEqual({ by: 'node', isDescending: false });
  });
});

describe('the filter of nodes', () => {
  const fleet = [
    node('origin', { role: 'origin', server: 'srs', software: 'SRS 7.0.24' }),
    node('tester-1', { settings: { tester: 'ssh', ssh: 'qa@10.20.0.11' } }),
    node('tester-2', { state: 'failed', problem: 'SSH to 10.20.0.12 timed out after 10 s.' }),
  ];
  const found = (filter: string): string[] => matchingNodes(fleet, filter, 0).map(({ id }) => id);

  it('searches name, address, role, server, state and problem', () => {
    expect(found('')).toHaveLength(3);
    expect(found('srs')).toEqual(['origin']);
    expect(found('10.20.0.11')).toEqual(['tester-1']);
    expect(found('failed')).toEqual(['tester-2']);
    expect(found('timed out')).toEqual(['tester-2']);
    expect(found('TESTER')).toEqual(['tester-1', 'tester-2']);
  });

  it('requires each word', () => {
    expect(found('tester live')).toEqual(['tester-1']);
    expect(found('origin failed')).toEqual([]);
  });
});
