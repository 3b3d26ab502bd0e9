import type { DefaultThresholds } from '../../contract/shell';
import type { NodeView, ServerFamily } from '../../domain/node';
import { defaultExpectations, type ExpectationId } from '../../domain/plan/plan';

/** What a verdict expects unless somebody types otherwise, and why some of it is left out. */
export interface UsualExpectations {
  /** As a field holds it; empty where nothing is expected. */
  readonly texts: Readonly<Record<ExpectationId, string>>;
  /** One sentence per field that is empty because nobody could judge it. */
  readonly why: readonly { readonly id: ExpectationId; readonly sentence: string }[];
}

/** Origin and audience on one machine leave less room than the field's rule of thumb. */
const sharedMachineCpuPercent = 95;

/** Servers without a garbage collector: their pauses need no measuring, they pass. */
const withoutCollector: ReadonlySet<ServerFamily> = new Set(['srs', 'nginx-rtmp']);

/** An expectation of what nobody measures would end every run without a verdict; it starts as left out. */
export function usualExpectations(
  origin: NodeView | undefined,
  testers: readonly NodeView[],
  /** A person's own defaults, from the settings. */
  own: DefaultThresholds = {},
): UsualExpectations {
  const shares = origin !== undefined && testers.some((tester) => tester.host === origin.host);
  const missesCpu = !measures(origin, 'CPU');
  const missesGc =
    !measures(origin, 'GC') && !(origin?.server !== undefined && withoutCollector.has(origin.server));
  const name = origin?.name ?? '';
  return {
    texts: {
      connected: String(own.connected ?? defaultExpectations.connected.value),
      degraded: String(own.degraded ?? defaultExpectations.degraded.value),
      cpu: missesCpu
        ? ''
        : String(own.cpu ?? (shares ? sharedMachineCpuPercent : defaultExpectations.cpu.value)),
      gcPause: missesGc ? '' : String(own.gcPause ?? defaultExpectations.gcPause.value),
    },
    why: [
      ...(missesCpu
        ? [
            {
              id: 'cpu',
              sentence: `Nobody measures the CPU of ${name}: give it SSH or a node_exporter.`,
            } as const,
          ]
        : []),
      ...(missesGc
        ? [
            {
              id: 'gcPause',
              sentence: `Nobody measures GC pauses on ${name}: ${gcRemedy(origin?.server)}.`,
            } as const,
          ]
        : []),
    ],
  };
}

/** A LiveKit tells its own pauses; of any other server a JVM's log does. */
function gcRemedy(server: ServerFamily | undefined): string {
  return server === 'livekit' ? 'give it the address of its metrics' : 'name its GC log to judge them';
}

/** While it is not known what can be measured, everything is expected. The lab always tells its own. */
function measures(node: NodeView | undefined, what: string): boolean {
  return !node?.can || node.server === 'lab' || node.can.measure.includes(what);
}
