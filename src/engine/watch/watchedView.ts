import type { NodeView } from '../../domain/model/node';
import type { RunView } from '../../domain/model/run';
import type { WatchedRange } from '../../domain/model/watched';
import { planWithoutLoad } from '../../domain/run/planWithoutLoad';
import { emptyFigures } from '../runs/figures';

interface Watched {
  readonly id: string;
  readonly name: string;
  readonly range: WatchedRange;
  readonly nodes: readonly NodeView[];
  /** It is still written. */
  readonly isActive: boolean;
}

/** The view of a file with watched data: a run of the nodes that were watched, without load. */
export function watchedView({ id, name, range, nodes, isActive }: Watched): RunView {
  return {
    id,
    name,
    state: isActive ? 'running' : 'ended',
    plan: planWithoutLoad(
      name,
      nodes.map(({ name: node, role, server }) => ({
        name: node,
        role,
        settings: role === 'tester' ? { tester: 'local' } : { server: server ?? 'generic' },
      })),
    ),
    // Their streams of this moment say nothing about the range.
    nodes: nodes.map((node) => ({ ...node, streams: [] })),
    startedMs: range.fromMs,
    ...(isActive ? {} : { endedMs: range.toMs }),
    phases: [],
    figures: emptyFigures(range.fromMs, 0),
    failures: [],
    ...(isActive
      ? {}
      : {
          verdict: {
            verdict: 'inconclusive',
            sentence: 'Saved from monitoring: no load was requested, so there is no verdict.',
            reasons: [],
            headroom: [],
          },
        }),
    watched: range,
    readOnly: true,
  };
}
