/** One permission in a cluster, as in a rule of RBAC. */
export interface ClusterPermission {
  readonly group: '' | 'batch' | 'networking.k8s.io';
  readonly resource: string;
  readonly subresource?: string;
  readonly verb: string;
}

export interface NeededPermission extends ClusterPermission {
  /** What it is needed for. */
  readonly purpose: string;
  /** Only for the preflight. */
  readonly isOptional?: true;
  /** Whether it is of the whole cluster, not of a namespace. */
  readonly ofCluster?: true;
}

const several = ({
  verbs,
  ...rest
}: Omit<NeededPermission, 'verb'> & { readonly verbs: readonly string[] }): readonly NeededPermission[] =>
  verbs.map((verb) => ({ ...rest, verb }));

/** All that a console does in a cluster, and nothing else. */
export const neededPermissions: readonly NeededPermission[] = [
  ...several({
    group: 'batch',
    resource: 'jobs',
    verbs: ['create', 'get', 'list', 'patch', 'delete'],
    purpose: 'start, renew and delete the testers',
  }),
  ...several({ group: '', resource: 'secrets', verbs: ['create', 'delete'], purpose: 'the token of the agents' }),
  ...several({ group: '', resource: 'pods', verbs: ['list', 'watch'], purpose: 'state of each tester' }),
  // Over WebSocket a port is forwarded by `get` in older clusters, by `create` in newer ones.
  ...several({
    group: '',
    resource: 'pods',
    subresource: 'portforward',
    verbs: ['get', 'create'],
    purpose: 'connect to the agents',
  }),
  ...several({ group: '', resource: 'pods', subresource: 'log', verbs: ['get'], purpose: 'why a tester has ended' }),
  ...several({ group: '', resource: 'events', verbs: ['list'], purpose: 'why a tester does not start' }),
  ...several({
    group: '',
    resource: 'resourcequotas',
    verbs: ['list'],
    purpose: 'preflight: quotas',
    isOptional: true,
  }),
  ...several({
    group: 'networking.k8s.io',
    resource: 'networkpolicies',
    verbs: ['list'],
    purpose: 'preflight: network policies',
    isOptional: true,
  }),
  ...several({
    group: '',
    resource: 'nodes',
    verbs: ['list'],
    purpose: 'preflight: CPU of the nodes',
    isOptional: true,
    ofCluster: true,
  }),
];

/** `create jobs`, `get pods/log`. */
export function permissionText({ verb, resource, subresource }: ClusterPermission): string {
  return `${verb} ${resource}${subresource === undefined ? '' : `/${subresource}`}`;
}

const roleName = 'fullhouse-tester';

/** The rules of a role with these permissions. */
function rulesOf(permissions: readonly NeededPermission[]) {
  const rules = new Map<string, { apiGroups: string[]; resources: string[]; verbs: string[] }>();
  for (const { group, resource, subresource, verb } of permissions) {
    const full = subresource === undefined ? resource : `${resource}/${subresource}`;
    const rule = rules.get(`${group} ${full}`) ?? { apiGroups: [group], resources: [full], verbs: [] };
    rule.verbs.push(verb);
    rules.set(`${group} ${full}`, rule);
  }
  return [...rules.values()];
}

/** The Role of exactly what is needed in a namespace. */
export function roleManifest(namespace: string) {
  return {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'Role',
    metadata: { name: roleName, namespace },
    rules: rulesOf(neededPermissions.filter(({ ofCluster }) => ofCluster === undefined)),
  };
}

/** Binds it to a user, who has to be replaced. */
export function roleBindingManifest(namespace: string) {
  return {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'RoleBinding',
    metadata: { name: roleName, namespace },
    subjects: [{ kind: 'User', name: 'USER', apiGroup: 'rbac.authorization.k8s.io' }],
    roleRef: { kind: 'Role', name: roleName, apiGroup: 'rbac.authorization.k8s.io' },
  };
}
