import type { NodeView } from '../../domain/model/node';
import type { Plan } from '../../domain/model/plan';
import { loadSize } from '../../domain/model/publisherGroup';
import type { PreflightReport } from '../../domain/model/preflightReport';
import type { RunView } from '../../domain/model/run';
import type { Clock } from '../base/clock';
import type { HostLoadWatch } from '../fleet/hostLoadWatch';
import type { FleetNode, RemoteNode } from '../fleet/node';
import type { Publications } from '../fleet/publications';
import type { SecretBox } from '../secrets/secretBox';
import type { SavedRuns } from '../savedRuns/savedRuns';
import type { RunRecording } from '../store';
import { emptyFigures } from './figures';

/** Dependencies of a run. */
export interface RunDeps {
  readonly clock: Clock;
  readonly publications: Publications;
  readonly players: (node: FleetNode) => number;
  readonly secrets: SecretBox;
  readonly saved: SavedRuns;
  readonly writer: RunRecording;
  readonly nextJob: () => string;
  /** Results of a recent preflight. */
  readonly preflight?: PreflightReport | undefined;
  readonly browsers?: BrowserHosts;
  /** CPU used by other programs on the hosts. */
  readonly hostLoads?: HostLoadWatch;
  /** How long hosts are measured before the first viewer. */
  readonly baselineMs?: number;
  /** Folder of the runs with which it is compared at its end; default: that of the run. */
  readonly baselinesFolder?: string | undefined;
}

/** Who can run the browser viewers of a run. */
export interface BrowserHosts {
  /** A window of the app does, in its own page. */
  readonly hasWindow: boolean;
  /**
   * Starts a browser without a window for a run that names `by`, on a tester or on this machine. Rejects with a sentence.
   */
  start(scope: { readonly run: string; readonly by: string }, tester?: RemoteNode): Promise<() => void>;
}

/** The nodes of a run by the plan's names. */
export type Nodes = ReadonlyMap<string, FleetNode>;

/** The nodes of an active run, to which a pull may add more. */
export class RunNodes {
  constructor(public all: Nodes) {}

  get(name: string): FleetNode | undefined {
    return this.all.get(name);
  }

  /** The names of a node in this run; empty for a node that is not part of it. */
  namesOf(node: FleetNode): string[] {
    return [...this.all].flatMap(([name, bound]) => (bound === node ? [name] : []));
  }

  views(): NodeView[] {
    return viewsOf(this.all);
  }
}

/** A run before its start, as written first to its file. */
export function firstView(id: string, plan: Plan, nodes: Nodes, startedMs: number): RunView {
  return {
    id,
    name: plan.name,
    state: 'preparing',
    plan,
    nodes: viewsOf(nodes),
    startedMs,
    phases: [],
    figures: emptyFigures(startedMs, plan.pull?.viewers ?? loadSize(plan)),
    failures: [],
    readOnly: false,
  };
}

/** The current nodes, each under its name in the run. */
export function viewsOf(nodes: Nodes): NodeView[] {
  return [...nodes].map(([name, node]) => (name === node.id ? node.view() : { ...node.view(name), id: name }));
}
