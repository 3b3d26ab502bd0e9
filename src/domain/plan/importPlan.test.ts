import { describe, expect, it } from 'vitest';
import type { ExporterFamily } from '../model/imported';
import {
  expectedSamples,
  maxSamples,
  nodesOf,
  stepThatFits,
  suggestedStepMs,
  volumeProblem,
  type FoundTarget,
} from './importPlan';

const target = (family: ExporterFamily, instance: string, more: Partial<FoundTarget> = {}): FoundTarget => ({
  target: { family, labels: { instance, job: 'j' } },
  ...{ role: 'origin', firstMs: 0, lastMs: 3_600_000, series: { load1: 1 }, scrapeMs: 15_000 },
  ...more,
});

describe('grouping targets into nodes', () => {
  it('makes one node per target, or of a host and its only server, with valid names', () => {
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

  it('keeps them separate if a host has several servers', () => {
    const nodes = nodesOf([target('node_exporter', 'h:9100'), target('srs', 'h:9972'), target('livekit', 'h:6789')]);
    expect(nodes.map(({ name }) => name)).toEqual(['h-9100', 'h-9972', 'h-6789']);
  });

  it('splits a Fullhouse run into its nodes, with unique names', () => {
    const of = (node: string, run: string): FoundTarget => ({
      ...target('fullhouse', 'h:9464'),
      target: { family: 'fullhouse', labels: { instance: 'h:9464', node, run } },
    });
    expect(nodesOf([of('origin', 'a'), of('origin', 'b')]).map(({ name }) => name)).toEqual(['origin', 'origin-2']);
  });
});

describe('the size of a range', () => {
  it('counts each series only while its target existed', () => {
    const nodes = nodesOf([target('node_exporter', 'h:9100', { series: { 'cpuCorePercent:{cpu}': 16, load1: 1 } })]);
    const range = { fromMs: 1_800_000, toMs: 7_200_000, stepMs: 15_000 };
    expect(expectedSamples(nodes, range)).toBe(17 * 121);
    expect(expectedSamples(nodes, range, 2)).toBe(19 * 121);
    expect(expectedSamples(nodes, { ...range, fromMs: 4_000_000 })).toBe(0);
  });

  it('suggests the scrape interval as the step, or a wider one for long ranges', () => {
    expect(suggestedStepMs({ fromMs: 0, toMs: 3_600_000 }, 15_000)).toBe(15_000);
    expect(suggestedStepMs({ fromMs: 0, toMs: 7 * 86_400_000 }, 15_000)).toBe(300_000);
  });

  it('refuses too many samples and names the step that fits', () => {
    expect(volumeProblem(maxSamples, 1000)).toBeUndefined();
    expect(stepThatFits(maxSamples * 8, maxSamples, 1000)).toBe(10_000);
    expect(volumeProblem(maxSamples * 8, 1000)).toBe(
      'This range has 160 million samples; the maximum is 20 million. Use a step of 10s or more, a shorter range, or fewer instances.',
    );
  });
});
