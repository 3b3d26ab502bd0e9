import { asciiName } from '../text/asciiName';

/** Labels of everything that is created in a cluster. */
export const clusterLabels = {
  name: 'app.kubernetes.io/name',
  managedBy: 'app.kubernetes.io/managed-by',
  version: 'app.kubernetes.io/version',
  /** The object's own name, which selects its pods. */
  instance: 'app.kubernetes.io/instance',
  /** Id of the console that created it. */
  owner: 'fullhouse.owner',
  /** The console's user, to find what a crashed one has left. */
  user: 'fullhouse.user',
} as const;

/** Annotations of a Job: which process created it. */
export const ownerAnnotations = {
  user: 'fullhouse/user',
  host: 'fullhouse/host',
  pid: 'fullhouse/pid',
  node: 'fullhouse/node',
} as const;

export const appName = 'fullhouse-tester';
export const managedBy = 'fullhouse';
export const defaultNamespace = 'default';
/** Name of the agent's container. */
export const agentContainer = 'agent';
/** On the loopback of each pod. With `hostNetwork` it is the node's, so a node runs one pod only. */
export const agentPort = 27_517;
export const completionIndexAnnotation = 'batch.kubernetes.io/job-completion-index';

/** A text as the value of a label: max 63 characters of letters, digits, dash, underscore and dot. */
export function labelValue(text: string): string {
  return asciiName(text)
    .replace(/[^A-Za-z0-9_.-]+/g, '-')
    .slice(0, 63)
    .replace(/^[^A-Za-z0-9]+|[^A-Za-z0-9]+$/g, '');
}

/** Name of a group's Job and Secret: of the node, and unique by `suffix`. */
export function objectName(node: string, suffix: string): string {
  const stem = asciiName(node)
    .toLowerCase()
    .replace(/[^a-z0-9-]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 30)
    .replace(/-+$/, '');
  return ['fullhouse', stem, suffix].filter((part) => part !== '').join('-');
}
