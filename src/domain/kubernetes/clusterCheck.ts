import { z } from 'zod';

/** What a user may do in a namespace of a cluster; crosses processes. */
export const clusterCheck = z.object({
  /** Context of the kubeconfig. */
  cluster: z.string(),
  namespace: z.string(),
  /** Version of Kubernetes. */
  version: z.string(),
  rows: z.array(
    z.object({
      purpose: z.string(),
      isAllowed: z.boolean(),
      /** Only for the preflight. */
      isOptional: z.boolean(),
      /** Permissions that are missing, e.g. `create jobs`. */
      missing: z.array(z.string()),
    }),
  ),
  /** Testers can run there. */
  canRun: z.boolean(),
});
export type ClusterCheck = z.infer<typeof clusterCheck>;
export type ClusterCheckRow = ClusterCheck['rows'][number];

/** The contexts of a kubeconfig. */
export const kubeContexts = z.object({
  current: z.string().optional(),
  contexts: z.array(z.object({ name: z.string(), cluster: z.string(), namespace: z.string() })),
});
export type KubeContexts = z.infer<typeof kubeContexts>;

/** What is missing for a purpose: `may not create jobs`. */
export function missingText({ isAllowed, missing }: ClusterCheckRow): string {
  return isAllowed ? '' : `may not ${missing.join(', ')}`;
}
