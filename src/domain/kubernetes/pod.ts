import { z } from 'zod';
import { agentContainer, completionIndexAnnotation } from './names';

/** What is read of a pod. Times are ms of the cluster's clocks. */

const time = z.coerce.date().transform((date) => date.getTime());
const optional = <T extends z.ZodType>(schema: T) => schema.nullish().transform((value) => value ?? undefined);

const containerState = z.object({
  waiting: optional(z.object({ reason: optional(z.string()), message: optional(z.string()) })),
  running: optional(z.object({})),
  terminated: optional(
    z.object({
      exitCode: z.number(),
      reason: optional(z.string()),
      message: optional(z.string()),
      finishedAt: optional(time),
    }),
  ),
});

export const pod = z.object({
  metadata: z.object({
    name: z.string(),
    uid: z.string(),
    creationTimestamp: optional(time),
    deletionTimestamp: optional(time),
    annotations: optional(z.record(z.string(), z.string())),
  }),
  spec: optional(z.object({ nodeName: optional(z.string()) })),
  status: optional(
    z.object({
      phase: optional(z.string()),
      reason: optional(z.string()),
      message: optional(z.string()),
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
      containerStatuses: optional(z.array(z.object({ name: z.string(), state: optional(containerState) }))),
    }),
  ),
});
export type Pod = z.infer<typeof pod>;

/** An event about a Job or pod. */
export const clusterEvent = z.object({
  reason: optional(z.string()),
  message: optional(z.string()),
  involvedObject: z.object({ kind: optional(z.string()), name: optional(z.string()) }),
  lastTimestamp: optional(time),
  eventTime: optional(time),
});
export type ClusterEvent = z.infer<typeof clusterEvent>;

/** Its index within its Job; undefined for pods of something else. */
export function indexOf({ metadata }: Pod): number | undefined {
  const text = metadata.annotations?.[completionIndexAnnotation];
  return text !== undefined && /^\d{1,6}$/.test(text) ? Number(text) : undefined;
}

/** The state of the agent's container. */
export function agentState({ status }: Pod) {
  return status?.containerStatuses?.find(({ name }) => name === agentContainer)?.state;
}

/** Whether it has ended or is being deleted. */
export function isEnded({ metadata, status }: Pod): boolean {
  return metadata.deletionTimestamp !== undefined || status?.phase === 'Failed' || status?.phase === 'Succeeded';
}

export function isRunning(pod: Pod): boolean {
  return !isEnded(pod) && agentState(pod)?.running !== undefined;
}
