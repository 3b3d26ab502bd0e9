import { describe, expect, it, onTestFinished } from 'vitest';
import { stages, testParts } from './parts.mjs';
import { chooseParts, gateParts } from './rings.mjs';

const choose = (asked, change = { since: 'abc', paths: [] }, isRoot = true) =>
  chooseParts(asked, { changeSince: () => Promise.resolve(change), isRoot });
const beyondGate = ({ parts }) => parts.filter((part) => !gateParts.includes(part));

describe('the parts of a test run', () => {
  it('are in exactly one stage each', () => {
    expect(stages.flatMap(({ parts }) => parts).sort()).toEqual(Object.keys(testParts).sort());
  });

  it('are the gate without arguments, everything with "all"', async () => {
    expect((await choose([])).parts).toEqual(gateParts);
    expect(gateParts).toEqual(expect.arrayContaining(['types', 'lint', 'unit', 'agent', 'window', 'servers', 'e2e']));
    expect((await choose(['all'])).parts).toEqual(Object.keys(testParts));
  });

  it('are those that are named; an unknown name is refused', async () => {
    expect((await choose(['e2e', 'unit'])).parts).toEqual(['unit', 'e2e']);
    await expect(choose(['unit', 'units'])).rejects.toThrow('Unknown test part "units"');
    await expect(choose(['all', 'unit'])).rejects.toThrow('Unknown test part "all"');
    await expect(choose(['changed', 'HEAD~1', 'unit'])).rejects.toThrow('Unknown test part "changed"');
  });

  it('with "changed" are the gate and what the change touches, with the reason', async () => {
    const chosen = await choose(['changed'], { since: 'abc of a day', paths: ['src/engine/iperf/localRunner.ts'] });
    expect(beyondGate(chosen)).toEqual(['iperf3']);
    expect(chosen.lines[0]).toBe('Changed since abc of a day: 1 paths.');
    expect(chosen.lines).toContain('  iperf3       src/engine/iperf/localRunner.ts');
    expect(chosen.lines.at(-1)).toMatch(/^Not touched: livekit, .*kubernetes\.$/);
  });

  it('with "changed" have the given base', async () => {
    const bases = [];
    const changeSince = (base) => {
      bases.push(base);
      return Promise.resolve({ since: 'x', paths: [] });
    };
    await chooseParts(['changed', 'HEAD~3'], { changeSince, isRoot: true });
    expect(bases).toEqual(['HEAD~3']);
  });

  it('with "changed" leave out what needs root or a long build where that is missing, and say so', async () => {
    const change = { since: 'x', paths: ['src/engine/kubernetes/cluster.ts'] };
    const { isBuilt } = testParts.kubernetes;
    onTestFinished(() => void (testParts.kubernetes.isBuilt = isBuilt));
    testParts.kubernetes.isBuilt = () => true;
    expect(beyondGate(await choose(['changed'], change))).toEqual(['kubernetes']);
    const withoutRoot = await choose(['changed'], change, false);
    expect(withoutRoot.parts).toEqual(gateParts);
    expect(withoutRoot.lines).toContain('Left out: kubernetes (src/engine/kubernetes/cluster.ts): it needs root.');
    testParts.kubernetes.isBuilt = () => false;
    const unbuilt = await choose(['changed'], change);
    expect(unbuilt.parts).toEqual(gateParts);
    expect(unbuilt.lines.join('\n')).toContain(
      'Left out: kubernetes (src/engine/kubernetes/cluster.ts): its programs are not built here',
    );
  });

  it('with an unknown change are all that a change can add, but for Kubernetes and the drills', async () => {
    const chosen = await choose(['changed'], { unknown: 'This clone is shallow.' });
    expect(chosen.lines[0]).toContain('This clone is shallow.');
    const missing = Object.keys(testParts).filter((part) => !chosen.parts.includes(part));
    expect(missing).toEqual(['kubernetes', 'drills']);
  });
});
