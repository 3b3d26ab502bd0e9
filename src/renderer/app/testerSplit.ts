import type { NodeView } from '../../domain/model/node';
import type { RunView } from '../../domain/model/run';
import { cpuBurden } from '../../domain/tester/testerCost';
import { splitOf as splitByBurden, type TesterSplit } from '../../domain/tester/testerSplit';
import type { SampleStore } from '../charts/sampleStore';

/** The tester split suggested for a run, by the load that its viewers were to the testers. */
export function splitOf(run: RunView, fleet: readonly NodeView[], samples: SampleStore): TesterSplit | undefined {
  return splitByBurden(run, fleet, (tester) => {
    const viewers = samples.column(tester.id, 'viewersConnected');
    const { series, factor } = cpuBurden(tester, run.nodes);
    const viewersPerTester = [
      { what: 'cpu', series, factor },
      { what: 'reader', series: 'testerReaderBusyPercent', factor: 1 },
    ] as const;
    return viewersPerTester.flatMap((each) => {
      const burden = samples.column(tester.id, each.series);
      return burden && viewers ? [{ what: each.what, factor: each.factor, burden, viewers }] : [];
    });
  });
}
