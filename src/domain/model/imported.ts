import type { NodeRole } from './node';

/**
 * Programs whose metrics in a Prometheus become series of a run. `fullhouse` is what a live run exposes
 * (`metricNames.ts`).
 */
const exporters = {
  node_exporter: { name: 'node_exporter', isServer: false },
  wcs: { name: 'WCS', isServer: true },
  srs: { name: 'SRS', isServer: true },
  livekit: { name: 'LiveKit', isServer: true },
  fullhouse: { name: 'Fullhouse', isServer: false },
} as const;
export type ExporterFamily = keyof typeof exporters;
export const exporterFamilies = Object.keys(exporters) as readonly ExporterFamily[];

/** The program's name in texts. */
export const exporterName = (family: ExporterFamily): string => exporters[family].name;
/** Whether the metrics are those of a media server. */
export const isServerExporter = (family: ExporterFamily): boolean => exporters[family].isServer;

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
