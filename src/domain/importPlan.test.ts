import { describe, expect, it } from 'vitest';
import type { ExporterFamily } from './imported';
import {
  expectedSamples,
  mostSamples,
  nodesOf,
  stepThatFits,
  suggestedStepMs,
  tooMuch,
  type FoundTarget,
} from './importPlan';

const target = (family: ExporterFamily, instance: string, more: Partial<FoundTarget> = {}): FoundTarget => ({
  target: { family, labels: { instance, job: 'j' } },
  ...{ role: 'origin', firstMs: 0, lastMs: 3_600_000, series: { load1: 1 }, scrapeMs: 15_000 },
  ...more,
});

describe('targets become nodes', () => {
  it('one each, a host and its only server together, under names that a node can have', () => {
    const nodes = nodesOf([
      target('node_exporter', '10.0.0.5:9100'),
      target('wcs', '10.0.0.5:8081'),
      target('node_exporter', 'edge [1]:9100'),
    ]);
    expect(nodes.map(({ name, targets }) => [name, targets.map(({ family }) => family)])).toEqual([
      ['10.0.0.5', ['wcs', 'node_exporter']],
      ['edge-1-9100', ['node_exporter']],
    ]);
  });

  it('apart where it is not certain which server a host belongs to', () => {
    const nodes = nodesOf([
      target('node_exporter', 'h:9100'),
      target('srs', 'h:9972'),
      target('livekit', 'h:6789'),
    ]);
    expect(nodes.map(({ name }) => name)).toEqual(['h-9100', 'h-9972', 'h-6789']);
  });

  it('a run of Fullhouse by its nodes, two of a name told apart', () => {
    const of = (node: string, run: string): FoundTarget => ({
      ...target('fullhouse', 'h:9464'),
      target: { family: 'fullhouse', labels: { instance: 'h:9464', node, run } },
    });
    expect(nodesOf([of('origin', 'a'), of('origin', 'b')]).map(({ name }) => name)).toEqual([
      'origin',
      'origin-2',
    ]);
  });
});

describe('what a range comes to', () => {
  it('counts each series only while its target was there', () => {
    const nodes = nodesOf([
      target('node_exporter', 'h:9100', { series: { 'cpuCorePercent:{cpu}': 16, load1: 1 } }),
    ]);
    const range = { fromMs: 1_800_000, toMs: 7_200_000, stepMs: 15_000 };
    expect(expectedSamples(nodes, range)).toBe(17 * 121);
    expect(expectedSamples(nodes, range, 2)).toBe(19 * 121);
    expect(expectedSamples(nodes, { ...range, fromMs: 4_000_000 })).toBe(0);
  });

  it('suggests the step that was scraped at, wider where nobody would see the difference', () => {
    expect(suggestedStepMs({ fromMs: 0, toMs: 3_600_000 }, 15_000)).toBe(15_000);
    expect(suggestedStepMs({ fromMs: 0, toMs: 7 * 86_400_000 }, 15_000)).toBe(300_000);
  });

  it('refuses too much with the step that mends it', () => {
    expect(tooMuch(mostSamples, 1000)).toBeUndefined();
    expect(stepThatFits(mostSamples * 8, mostSamples, 1000)).toBe(10_000);
    expect(tooMuch(mostSamples * 8, 1000)).toBe(
      'That would be 160 million samples, and a run takes 20 million: make the step 10s or longer, the range shorter, or choose fewer instances.',
    );
  });
});
