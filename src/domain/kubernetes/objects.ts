import { z } from 'zod';

/** What is read of the objects of a cluster besides pods. */

const optional = <T extends z.ZodType>(schema: T) => schema.nullish().transform((value) => value ?? undefined);
const time = z.coerce.date().transform((date) => date.getTime());
const texts = z.record(z.string(), z.string());

export const job = z.object({
  metadata: z.object({
    name: z.string(),
    uid: z.string(),
    creationTimestamp: optional(time),
    deletionTimestamp: optional(time),
    labels: optional(texts),
    annotations: optional(texts),
  }),
  spec: optional(z.object({ completions: optional(z.number()) })),
  status: optional(
    z.object({
      active: optional(z.number()),
      startTime: optional(time),
      /** As in `1,3-5`. */
      failedIndexes: optional(z.string()),
      completedIndexes: optional(z.string()),
      conditions: optional(
        z.array(
          z.object({
            type: z.string(),
            status: z.string(),
            reason: optional(z.string()),
            message: optional(z.string()),
          }),
        ),
      ),
    }),
  ),
});
export type Job = z.infer<typeof job>;

export const quota = z.object({
  metadata: z.object({ name: z.string() }),
  status: optional(z.object({ hard: optional(texts), used: optional(texts) })),
});
export type Quota = z.infer<typeof quota>;

const selector = z.object({
  matchLabels: optional(texts),
  matchExpressions: optional(
    z.array(z.object({ key: z.string(), operator: z.string(), values: optional(z.array(z.string())) })),
  ),
});
export type LabelSelector = z.infer<typeof selector>;

export const networkPolicy = z.object({
  metadata: z.object({ name: z.string() }),
  spec: optional(
    z.object({
      podSelector: optional(selector),
      policyTypes: optional(z.array(z.string())),
      egress: optional(z.array(z.unknown())),
    }),
  ),
});
export type NetworkPolicy = z.infer<typeof networkPolicy>;

export const clusterNode = z.object({
  metadata: z.object({ name: z.string(), labels: optional(texts) }),
  spec: optional(
    z.object({
      unschedulable: optional(z.boolean()),
      taints: optional(z.array(z.object({ key: z.string(), value: optional(z.string()), effect: z.string() }))),
    }),
  ),
  status: optional(z.object({ allocatable: optional(texts) })),
});
export type ClusterNode = z.infer<typeof clusterNode>;

/** The condition with which a Job has ended; undefined while it runs. */
export function endOf({
  status,
}: Job): { readonly type: string; readonly reason?: string; readonly message?: string } | undefined {
  return status?.conditions?.find(
    ({ type, status: is }) => (type === 'Complete' || type === 'Failed') && is === 'True',
  );
}

/** Whether an index is in a list such as `1,3-5`. */
export function includesIndex(list: string | undefined, index: number): boolean {
  return (list ?? '').split(',').some((part) => {
    const [first, last = first] = part.split('-').map(Number);
    return part !== '' && first !== undefined && last !== undefined && index >= first && index <= last;
  });
}

/** Whether a selector selects an object with these labels. */
export function selects(of: LabelSelector | undefined, labels: Readonly<Record<string, string>>): boolean {
  const exact = Object.entries(of?.matchLabels ?? {}).every(([key, value]) => labels[key] === value);
  return (
    exact &&
    (of?.matchExpressions ?? []).every(({ key, operator, values = [] }) => {
      const value = labels[key];
      if (operator === 'Exists') return value !== undefined;
      if (operator === 'DoesNotExist') return value === undefined;
      const isIn = value !== undefined && values.includes(value);
      return operator === 'NotIn' ? !isIn : isIn;
    })
  );
}
