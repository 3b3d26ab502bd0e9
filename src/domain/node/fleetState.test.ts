import { describe, expect, it } from 'vitest';
import type { NodeView } from '../model/node';
import { byTrouble, groupsOf, readingOf, summaryOf, type NodeFigures, type NodeReading } from './fleetState';

const gib = 2 ** 30;
const node = (name: string, of: Partial<NodeView> = {}): NodeView => ({
  ...{ id: name, name, role: 'origin', colourSlot: 1, state: 'live', reach: 'test', host: name, streams: [] },
  ...of,
});
const reading = (name: string, figures: NodeFigures = {}, of: Partial<NodeView> = {}): NodeReading =>
  readingOf(node(name, of), figures, undefined);
const names = (readings: readonly NodeReading[]): readonly string[] => readings.map(({ node: { name } }) => name);

describe('the trouble of a node', () => {
  it('is lost without a response, whatever else it has', () => {
    expect(reading('a', { cpuPercent: 99 }, { state: 'stale', problem: 'late' }).trouble).toBe('lost');
    expect(reading('a', {}, { state: 'failed' }).trouble).toBe('lost');
    expect(reading('a', {}, { state: 'idle' }).trouble).toBe('idle');
  });

  it('is a warning with a problem, a lost link, slow responses or missing members', () => {
    expect(reading('a', {}, { problem: 'The disk is full.' }).trouble).toBe('warning');
    expect(reading('a', {}, { links: [{ kind: 'ssh', label: 'SSH', state: 'lost' }] }).trouble).toBe('warning');
    expect(reading('a', {}, { isSlow: true }).trouble).toBe('warning');
    const group = { size: 3, ready: 2, members: ['1', '2', '3'], missing: [] };
    expect(reading('a', {}, { group }).trouble).toBe('warning');
  });

  it('is high CPU, until it has fallen well below the limit', () => {
    const at = (cpuPercent: number, before?: NodeReading['trouble']) =>
      readingOf(node('a'), { cpuPercent }, before).trouble;
    expect(at(84)).toBe('none');
    expect(at(85)).toBe('busy');
    expect(at(80, 'busy')).toBe('busy');
    expect(at(74, 'busy')).toBe('none');
  });
});

describe('a fleet', () => {
  const fleet = [
    reading('fra-10'),
    reading('fra-2', { cpuPercent: 20 }),
    reading('ams-1', { cpuPercent: 91 }),
    reading('ams-2', {}, { state: 'failed' }),
    reading('iad-1', {}, { problem: 'late' }),
  ];

  it('is sorted by trouble, then by name with its numbers', () => {
    expect(names(byTrouble(fleet))).toEqual(['ams-2', 'iad-1', 'ams-1', 'fra-2', 'fra-10']);
  });

  it('is grouped by what is before the first dash, the worst group first', () => {
    const groups = groupsOf(fleet, 'name');
    expect(groups.map(({ name }) => name)).toEqual(['ams', 'iad', 'fra']);
    expect(groups[0]?.counts).toMatchObject({ lost: 1, busy: 1, none: 0 });
    expect(groupsOf(fleet, 'none')).toHaveLength(1);
    expect(groupsOf([...fleet, reading('t', {}, { role: 'tester' })], 'role').map(({ name }) => name)).toEqual([
      'origin',
      'tester',
    ]);
  });

  it('has its worst figures with their nodes, and none that nobody reports', () => {
    const machine = { ...{ system: '', kernel: '', cpuModel: '', cores: 4 }, memoryBytes: 8 * gib, versions: {} };
    const small = reading('small', { memoryBytes: 6 * gib, viewers: 4 }, { machine, streamCount: 412 });
    // More bytes, but of a larger memory.
    const large = reading(
      'large',
      { memoryBytes: 7 * gib, viewers: 5 },
      { machine: { ...machine, memoryBytes: 64 * gib } },
    );
    expect(summaryOf([...fleet, small, large])).toMatchObject({
      ...{ nodes: 7, up: 6, streams: 412, viewers: 9 },
      cpu: { node: 'ams-1', value: 91 },
      memory: { node: 'small', value: 75 },
    });
    expect(summaryOf(fleet)).toMatchObject({ viewers: undefined, memory: undefined });
  });
});
