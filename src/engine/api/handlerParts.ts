import type { JobView } from '../../domain/model/run';
import type { NodeView } from '../../domain/model/node';
import type { FleetNode } from '../fleet/node';
import type { EngineParts } from '../parts';
import type { Imports } from '../prometheus/import/imports';
import type { MetricsServer } from '../prometheus/metrics/metricsServer';
import type { ConsentGrants } from '../consent/consentGrants';

/** What the handlers of the engine's calls use. */
export interface HandlerParts extends EngineParts {
  readonly imports: Imports;
  readonly metrics: MetricsServer;
  readonly consentGrants: ConsentGrants;
  readonly presetsFolder: string;
  readonly nodes: () => NodeView[];
  readonly jobs: () => JobView[];
  /** Measures in the background what this machine can do, unless that is known. */
  readonly testThisMachine: () => void;
  readonly runsChanged: () => void;
  readonly nodesChanged: () => void;
  readonly shutdown: () => Promise<void>;
}

/** A node by its name in the active run, or by its id; undefined if none exists. */
export function findNode({ runManager, fleet }: HandlerParts, name: string): FleetNode | undefined {
  return runManager.activeRun?.boundNodes.get(name) ?? fleet.find(name);
}

/** The node of this name; throws a sentence if none exists. */
export function nodeOf({ runManager, fleet }: HandlerParts, name: string): FleetNode {
  return runManager.activeRun?.boundNodes.get(name) ?? fleet.node(name);
}
