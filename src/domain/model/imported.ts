import type { NodeRole } from './node';

/**
 * Programs whose metrics in a Prometheus become series of a run. `fullhouse` is what a live run exposes
 * (`metricNames.ts`).
 */
export const exporterFamilies = ['node_exporter', 'wcs', 'srs', 'livekit', 'fullhouse'] as const;
export type ExporterFamily = (typeof exporterFamilies)[number];

/** One source of metrics in a Prometheus: the family defines the series, the labels the instance. */
export interface ImportedTarget {
  readonly family: ExporterFamily;
  /** Labels that all of its series share, including `instance`. */
  readonly labels: Readonly<Record<string, string>>;
}

/** A node of an imported run: usually one instance, or a host and its server if they match. */
export interface ImportedNode {
  readonly name: string;
  readonly role: NodeRole;
  readonly targets: readonly ImportedTarget[];
}

/** Unix ms; both ends included. */
export interface TimeSpan {
  readonly fromMs: number;
  readonly toMs: number;
}

/** Origin of an imported run: a range of a Prometheus. Contains everything needed to query it again. */
export interface ImportedRange extends TimeSpan {
  /** Address of the Prometheus, without a user. */
  readonly prometheus: string;
  /** For HTTP basic; the password is stored elsewhere. */
  readonly user?: string;
  readonly selfSigned?: boolean;
  /** Between two samples of a series. */
  readonly stepMs: number;
  readonly nodes: readonly ImportedNode[];
  /** PromQL by series; `$instance` is replaced by the instance of each node. */
  readonly queries?: Readonly<Record<string, string>>;
  /** Parts without a response from Prometheus; empty if complete. */
  readonly missing: readonly TimeSpan[];
}
