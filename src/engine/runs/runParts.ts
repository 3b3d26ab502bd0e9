import type { NodeView } from '../../domain/node';
import type { Plan } from '../../domain/plan/plan';
import type { PreflightReport } from '../../domain/preflight/report';
import type { RunEvent, RunView } from '../../domain/run';
import type { Sample } from '../../domain/series';
import type { HostLoadWatch } from '../fleet/hostLoadWatch';
import type { FleetNode } from '../fleet/node';
import type { Publications } from '../fleet/publications';
import type { SecretBox } from '../fleet/secretBox';
import type { SavedRuns } from '../savedRuns/savedRuns';
import type { RunLibrary, RunWriter } from '../store';
import { emptyFigures } from './figures';

/** What a run is given to work with. */
export interface RunDeps {
  readonly now: () => number;
  readonly publications: Publications;
  readonly secrets: SecretBox;
  readonly library: RunLibrary;
  readonly saved: SavedRuns;
  readonly writer: RunWriter;
  readonly nextJob: () => string;
  readonly samples: (samples: readonly Sample[]) => void;
  readonly event: (event: RunEvent) => void;
  /** The view or the jobs are not what they were. */
  readonly changed: () => void;
  /** Takes a sentence about what could not be kept. */
  readonly problem: (sentence: string) => void;
  /** What was looked at shortly before. */
  readonly preflight?: PreflightReport | undefined;
  /** What other programs take of the hosts. */
  readonly hostLoads?: HostLoadWatch;
  /** How long hosts are measured before the first viewer. */
  readonly baselineMs?: number;
}

/** The nodes of a run by the plan's names. */
export type Nodes = ReadonlyMap<string, FleetNode>;

/** A run as it is before anything has happened, to begin its file with. */
export function firstView(id: string, plan: Plan, nodes: Nodes, startedMs: number): RunView {
  return {
    id,
    name: plan.name,
    state: 'preparing',
    plan,
    nodes: viewsOf(nodes),
    startedMs,
    phases: [],
    figures: emptyFigures(startedMs, plan.pull.viewers),
    failures: [],
    readOnly: false,
  };
}

/** The nodes as they are now, each under its name in the run. */
export function viewsOf(nodes: Nodes): NodeView[] {
  return [...nodes].map(([name, node]) =>
    name === node.id ? node.view() : { ...node.view(name), id: name },
  );
}
