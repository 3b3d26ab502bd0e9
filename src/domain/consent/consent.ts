import type { ConsentKind } from '../model/consentKind';
import type { SecretKind } from '../model/nodeSettings';

/** One thing that a plan does with this machine, its secrets or a cluster, and that the person has to allow. */
export interface ConsentItem {
  readonly kind: ConsentKind;
  /** The field of the plan, e.g. `nodes.load.kubeconfig`. */
  readonly path: string;
  /** One complete line, in which nothing can hide. */
  readonly text: string;
}

/**
 * An item as a person reads it: without secrets, but with the whole of each program and its arguments. What looks like a
 * secret in them may be a part that does something (`?token=$(…)`), and every user of the machine can read arguments.
 */
export const shownItem = (item: ConsentItem, mask: (text: string) => string): ConsentItem =>
  item.kind === 'program' ? item : { ...item, text: mask(item.text) };

/** A node, or another party of a plan, that the person did not add. */
export interface NewNode {
  readonly name: string;
  /** Where it is contacted: `http://10.0.0.9:8081`, `ssh://qa@10.0.0.9`. */
  readonly addresses: readonly string[];
  /** Secrets that are stored under its name, and sent there. */
  readonly secrets?: readonly SecretKind[];
}

/** What a person has to allow before a plan may start or contact anything. */
export interface PlanConsent {
  readonly items: readonly ConsentItem[];
  readonly newNodes: readonly NewNode[];
}

/** Whether a plan starts, or its nodes are only inspected: that runs no hook and makes no token. */
export type ConsentScope = 'run' | 'nodes';
