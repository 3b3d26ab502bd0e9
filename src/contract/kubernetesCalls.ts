import { z } from 'zod';
import { clusterCheck, kubeContexts } from '../domain/kubernetes/clusterCheck';
import { kubernetesFields } from '../domain/plan/fields/kubernetes';
import { only } from '../domain/plan/fields/fields';
import { shapeOf } from './fieldSchemas';

/** What the window asks of a cluster before testers are added; see `domain/kubernetes`. */
export const kubernetesCalls = {
  /** The contexts of a kubeconfig; without a path, of the one that kubectl would use. */
  'kubernetes.contexts': {
    input: z.strictObject(shapeOf(only(kubernetesFields, ['kubeconfig']))),
    output: kubeContexts,
  },
  /** What its user may do in a namespace. Changes nothing. */
  'kubernetes.check': {
    input: z.strictObject(shapeOf(only(kubernetesFields, ['kubeconfig', 'context', 'namespace']))),
    output: clusterCheck,
  },
} as const;
