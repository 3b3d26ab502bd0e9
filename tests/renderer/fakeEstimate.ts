import type { Estimate } from '../../src/domain/estimate/estimate';
import { estimateRun } from '../../src/domain/estimate/estimateRun';
import type { SeriesId } from '../../src/domain/series/series';
import type { Scenario } from '../scenario';
import { runOf } from './fakeRun';

/** The engine's estimate of a fake run. */
export function estimateOfScenario(scenario: Scenario): Estimate {
  const { keys, key, timeMs, value } = scenario.samples(0, scenario.lengthMs + 1);
  const columns = new Map<string, { timeMs: number[]; value: number[] }>();
  const of = (node: string, series: SeriesId): { timeMs: number[]; value: number[] } => {
    const name = `${node}\n${series}`;
    const column = columns.get(name) ?? { timeMs: [], value: [] };
    columns.set(name, column);
    return column;
  };
  key.forEach((place, i) => {
    const { node, series } = keys[place] ?? { node: '', series: 'cpuPercent' };
    const column = of(node, series);
    column.timeMs.push(timeMs[i] ?? 0);
    column.value.push(value[i] ?? 0);
  });
  return estimateRun({ view: runOf(scenario), values: of });
}
