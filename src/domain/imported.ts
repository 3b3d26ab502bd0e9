import type { NodeRole } from './node';

/** Programs whose figures in a Prometheus become series of a run. `fullhouse` is what a live run tells one (`metricNames.ts`). */
export const exporterFamilies = ['node_exporter', 'wcs', 'srs', 'livekit', 'fullhouse'] as const;
export type ExporterFamily = (typeof exporterFamilies)[number];

/** One source of figures in a Prometheus: the family says which series, the labels whose. */
export interface ImportedTarget {
  readonly family: ExporterFamily;
  /** Labels that all of its series have, `instance` among them. */
  readonly labels: Readonly<Record<string, string>>;
}

/** A node of the run that a range becomes: usually one instance, a host and its server together where that is certain. */
export interface ImportedNode {
  readonly name: string;
  readonly role: NodeRole;
  readonly targets: readonly ImportedTarget[];
}

/** Unix ms; both ends were asked for. */
export interface Stretch {
  readonly fromMs: number;
  readonly toMs: number;
}

/** Where a run comes from that nobody made: what a Prometheus kept of a time. All that is needed to ask again. */
export interface ImportedRange extends Stretch {
  /** Address of the Prometheus, without a user. */
  readonly prometheus: string;
  /** For HTTP basic; the password is kept elsewhere. */
  readonly user?: string;
  readonly selfSigned?: boolean;
  /** Between two samples of a series. */
  readonly stepMs: number;
  readonly nodes: readonly ImportedNode[];
  /** PromQL by series; `$instance` stands for the instance of each node. */
  readonly queries?: Readonly<Record<string, string>>;
  /** What did not come, because the Prometheus gave no answer; empty when all was answered. */
  readonly missing: readonly Stretch[];
}
