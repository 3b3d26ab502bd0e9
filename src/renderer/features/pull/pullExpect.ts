import type { DefaultThresholds } from '../../../contract/shell';
import type { NodeView } from '../../../domain/model/node';
import { type ServerFamily, traitsOf } from '../../../domain/model/serverFamilies';
import { defaultExpectations, type ExpectationId } from '../../../domain/model/plan';

/** Default expectations of a verdict, and why some are omitted. */
export interface ExpectationsOfOrigin {
  /** Field values; empty where nothing is expected. */
  readonly texts: Readonly<Record<ExpectationId, string>>;
  /** One sentence per field that is empty because its metric is not measured. */
  readonly why: readonly { readonly id: ExpectationId; readonly sentence: string }[];
}

/** Origin and tester on one machine: the rule of thumb allows more CPU. */
const sharedMachineCpuPercent = 95;

/** An expectation on a missing metric would make every run inconclusive; by default it is omitted. */
export function defaultExpectationsFor(
  origin: NodeView | undefined,
  testers: readonly NodeView[],
  /** The user's defaults, from the settings. */
  userDefaults: DefaultThresholds = {},
): ExpectationsOfOrigin {
  const shares = origin !== undefined && testers.some((tester) => tester.host === origin.host);
  const missesCpu = !measures(origin, 'CPU');
  // Servers without a garbage collector pass without a measurement.
  const missesGc = !measures(origin, 'GC') && !traitsOf(origin?.server).hasNoCollector;
  const name = origin?.name ?? '';
  return {
    texts: {
      connected: String(userDefaults.connected ?? defaultExpectations.connected.value),
      outages: String(userDefaults.outages ?? defaultExpectations.outages.value),
      degraded: String(userDefaults.degraded ?? defaultExpectations.degraded.value),
      cpu: missesCpu
        ? ''
        : String(userDefaults.cpu ?? (shares ? sharedMachineCpuPercent : defaultExpectations.cpu.value)),
      gcPause: missesGc ? '' : String(userDefaults.gcPause ?? defaultExpectations.gcPause.value),
    },
    why: [
      ...(missesCpu
        ? [
            {
              id: 'cpu',
              sentence: `No CPU data from ${name}: add SSH or node_exporter.`,
            } as const,
          ]
        : []),
      ...(missesGc
        ? [
            {
              id: 'gcPause',
              sentence: `No GC pause data from ${name}: ${gcRemedy(origin?.server)}.`,
            } as const,
          ]
        : []),
    ],
  };
}

/** LiveKit reports its pauses; for other servers they come from the JVM's GC log. */
function gcRemedy(server: ServerFamily | undefined): string {
  return server === 'livekit' ? 'set its metrics address' : 'set its GC log path';
}

/** While it is unknown what can be measured, everything is expected. The lab always reports its metrics. */
function measures(node: NodeView | undefined, what: string): boolean {
  return !node?.can || node.server === 'lab' || node.can.measure.includes(what);
}
