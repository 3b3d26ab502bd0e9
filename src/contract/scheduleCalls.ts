import { z } from 'zod';
import type { ScheduleView } from '../domain/plan/schedule';
import { plan, runId } from './schemas';
import { consentInput } from './consentCalls';
import { exactly } from './exactly';

const scheduleView = exactly<ScheduleView>()(
  z.object({
    id: z.string(),
    name: z.string(),
    runs: z.number().int().positive(),
    done: z.number().int().nonnegative(),
    state: z.enum(['waiting', 'running']),
    nextMs: z.number().optional(),
    lastRun: runId.optional(),
  }),
);

/** Scheduled plans. */
export const scheduleCalls = {
  'schedules.list': { input: z.strictObject({}), output: z.array(scheduleView) },
  /** The plan's `schedule` defines when and how often it runs; `allowHooks` and `allowNodes` as for `runs.start`. */
  'schedules.add': {
    input: z.strictObject({ plan, ...consentInput }),
    output: scheduleView,
  },
  'schedules.remove': {
    input: z.strictObject({ schedule: z.string() }),
    output: z.object({ done: z.literal(true) }),
  },
} as const;

export const scheduleEvents = { schedules: z.array(scheduleView) } as const;
