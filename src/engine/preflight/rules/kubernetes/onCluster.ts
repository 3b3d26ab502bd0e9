import type { KubernetesSettings } from '../../../../domain/model/kubernetesSettings';
import { unread, type CheckContext, type Judged } from '../../rule';

/** Testers in a cluster. */
export const onCluster = ({ pods }: CheckContext): boolean => pods !== undefined;

/** Judges the pods of a context, which `onCluster` has checked. */
export const ofPods =
  (judge: (pods: KubernetesSettings & { readonly replicas: number }, context: CheckContext) => Judged) =>
  (context: CheckContext): Judged =>
    context.pods
      ? judge({ ...context.pods, replicas: context.pods.replicas ?? 1 }, context)
      : unread(`${context.node} has no pods.`);
