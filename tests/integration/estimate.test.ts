import { afterEach, describe, expect, it } from 'vitest';
import { estimatePlan } from '../../src/domain/estimate/estimatePlan';
import { whatIf } from '../../src/domain/estimate/whatIf';
import { estimate as estimateSchema } from '../../src/domain/estimate/estimate';
import { openRunLibrary } from '../../src/engine/store';
import { estimateOf } from '../../src/engine/estimate/estimateOf';
import { reportHtml } from '../../src/engine/report/html';
import { cleanUp, ended, engineInTemporaryFolder, planOf } from './support';
import { pullPlan } from '../support/pullPlan';

afterEach(cleanUp);

const stream = 'cam';
/** Each viewer needs 2 ms of CPU a second, and half a core is available: 250 viewers. */
const made = { cpuPerViewerMicros: 2000, cpuBudgetMicros: 500_000 };
const truth = made.cpuBudgetMicros / made.cpuPerViewerMicros;

describe('an estimate of the lab', () => {
  it('predicts its artificial limit from less than a tenth of it', async () => {
    const engine = engineInTemporaryFolder();
    await engine.client.call('publish.start', { node: 'lab', stream, source: 'sample-240p' });
    await engine.client.call('lab.conditions', { stream, ...made });
    const done = ended(engine);
    // Other load of the machine must not stop it.
    const base = planOf(
      { viewers: 1000 },
      { publish: [], stopWhen: [{ what: 'failed', comparison: '>', value: 50, forMs: 5000 }] },
    );
    const plan = estimatePlan(pullPlan(base), { maxViewers: 24, sizes: 3, holdMs: 13_000 });
    const { run } = await engine.client.call('runs.start', { plan });
    const view = await done;
    expect(view.figures.connectedPeak).toBe(24);

    const estimate = await engine.client.call('estimate.of', { run });
    expect(estimateSchema.parse(estimate)).toEqual(estimate);
    const budget = estimate.resources.find(({ id }) => id === 'ownBudget')?.ceiling;
    // Where other programs leave the lab too little of the machine, there is no answer: their share instead of one.
    if (estimate.otherPrograms && budget === undefined) {
      expect(estimate.sentence).toMatch(/ was busy: .* used \d+ % of its CPU/);
      return;
    }
    expect(estimate.sizes.map(({ viewers }) => viewers)).toEqual([8, 16, 24]);
    expect(Math.abs((budget?.value ?? 0) / truth - 1)).toBeLessThan(0.2);
    expect(budget?.low).toBeLessThanOrEqual(truth);
    expect(budget?.high ?? Infinity).toBeGreaterThanOrEqual(truth);
    expect(budget).toMatchObject({ mark: 'extrapolated' });
    const bandwidth = estimate.resources.find(({ id }) => id === 'bandwidth');
    // A viewer of the sample receives about 130 kbit/s.
    expect(bandwidth?.perViewer.value).toBeGreaterThan(0.08);
    expect(bandwidth?.perViewer.value).toBeLessThan(0.25);
    expect(estimate.machine.sharedWith).toEqual(['audience']);
    expect(whatIf(estimate, { viewers: 1000 }).needs.map(({ id }) => id)).toContain('bandwidth');

    const reader = openRunLibrary(engine.folder).open(run);
    try {
      expect(estimateOf(reader)).toEqual(estimate);
      const html = reportHtml(reader);
      expect(html).toContain('<h2>Estimate');
      expect(html).toContain('extrapolated');
    } finally {
      reader.close();
    }
  });
});
