import { hostValuesOf } from '../node/hostValues';
import type { NodeView } from '../model/node';
import type { SeriesId } from '../series/series';
import type { Values } from '../series/windows';

const resources = {
  cpu: 'CPU',
  'socket-buffers': 'socket buffers',
  memory: 'memory',
  network: 'network',
} as const;

interface Measured {
  readonly nodes: readonly NodeView[];
  readonly values: (node: string, series: SeriesId) => Values;
}

/**
 * The resources of a tester that its system does not report, as a sentence: macOS and Windows report few, and a
 * container may hide any. `measured`: the samples of a run, since the console may measure a host itself.
 */
export function unmeasuredLimits(tester: NodeView, measured?: Measured): string | undefined {
  const { machine, name, role } = tester;
  const isMeasured = (resource: keyof typeof resources): boolean =>
    resource === 'cpu' && measured !== undefined && hostValuesOf(measured, tester, 'cpuPercent').timeMs.length > 0;
  const missing = (machine?.unmeasured ?? []).filter((resource) => !isMeasured(resource));
  if (role !== 'tester' || missing.length === 0) return undefined;
  const names = missing.map((resource) => resources[resource]).join(', ');
  return `Not measured on the system of ${name} (${machine?.system ?? 'unknown'}): ${names}. Whether a lack of these limits its viewers stays unknown.`;
}
