import { describe, expect, it } from 'vitest';
import { between, healthy, judge, node, valuesOf, viewOf } from '../../../tests/support/verdictRun';
import type { NodeView } from '../model/node';
import { unmeasuredLimits } from './unmeasuredLimits';

const tester: NodeView = {
  ...node('tester', 'tester', 'b'),
  machine: {
    ...{ system: 'darwin arm64', kernel: '', cpuModel: '', cores: 8, memoryBytes: 8e9, versions: {} },
    unmeasured: ['cpu', 'socket-buffers', 'memory', 'network'],
  },
};
const sentence = (resources: string): string =>
  `Not measured on the system of tester (darwin arm64): ${resources}. Whether a lack of these limits its viewers stays unknown.`;

describe('limits that the system of a tester does not report', () => {
  it('are listed, but for a CPU that the console measures itself', () => {
    expect(unmeasuredLimits(tester)).toBe(sentence('CPU, socket buffers, memory, network'));
    const measured = { nodes: [tester], values: valuesOf(healthy) };
    expect(unmeasuredLimits(tester, measured)).toBe(sentence('socket buffers, memory, network'));
    expect(unmeasuredLimits({ ...tester, machine: undefined })).toBeUndefined();
    expect(unmeasuredLimits({ ...tester, role: 'origin' })).toBeUndefined();
  });

  it('are a note of a verdict that depends on them', () => {
    const view = viewOf({ nodes: [node('origin', 'origin', 'a'), tester] });
    const note = { node: 'tester', sentence: sentence('socket buffers, memory, network') };
    const degraded = judge({ 'tester viewersDegraded': between(40, 50, 38, 0) }, view);
    expect(degraded).toMatchObject({ verdict: 'fail', notes: [note] });
    const connected = judge({ 'tester viewersConnected': () => 500 }, view);
    expect(connected.notes).toContainEqual(expect.objectContaining(note));
    // Limits only make figures worse, and the CPU of an origin does not depend on them.
    expect(judge({}, view).notes).toBeUndefined();
    expect(judge({ 'origin cpuPercent': () => 97 }, view).notes).toBeUndefined();
  });
});
