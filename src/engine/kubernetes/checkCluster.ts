import { neededPermissions, permissionText, type NeededPermission } from '../../domain/kubernetes/access';
import type { ClusterCheck } from '../../domain/kubernetes/clusterCheck';
import type { Cluster } from './cluster';

/** Asks the cluster for each needed permission (SelfSubjectAccessReview), grouped by what it is needed for. */
export async function checkCluster(cluster: Cluster): Promise<ClusterCheck> {
  const version = await cluster.version();
  const answers = await Promise.all(
    neededPermissions.map(async (permission) => ({
      permission,
      ...(await cluster.isAllowed(permission, permission.ofCluster)),
    })),
  );
  const rows = [...new Set(neededPermissions.map(({ purpose }) => purpose))].map((purpose) => {
    const ownAnswers = answers.filter(({ permission }) => permission.purpose === purpose);
    const missing = ownAnswers.filter(({ allowed }) => !allowed).map(({ permission }) => permission);
    return {
      purpose,
      isAllowed: isEnough(purpose, missing),
      isOptional: ownAnswers.every(({ permission }) => permission.isOptional === true),
      missing: missing.map(permissionText),
    };
  });
  return {
    cluster: cluster.context,
    namespace: cluster.namespace,
    version,
    rows,
    canRun: rows.every(({ isAllowed, isOptional }) => isAllowed || isOptional),
  };
}

/** Either permission forwards ports, depending on the version. */
function isEnough(purpose: string, missing: readonly NeededPermission[]): boolean {
  const forwards = neededPermissions.filter(
    (permission) => permission.purpose === purpose && permission.subresource === 'portforward',
  );
  return forwards.length > 0 ? missing.length < forwards.length : missing.length === 0;
}
