import { z } from 'zod';
import { count, immutable, seriesId, timeMs } from '../model/schema';
import { severities } from './rules';

/** A time in which nothing was watched: the console was closed, or its machine slept. */
const unwatched = z.object({ fromMs: timeMs, toMs: timeMs });

/**
 * What happened to one or several nodes, with its begin and its end. All that has one cause is one incident, also when it
 * happens again and again.
 */
export const incident = immutable(
  z.object({
    id: z.string().max(40),
    /** Name of the rule that began it. */
    rule: z.string(),
    kind: z.string(),
    severity: z.enum(severities),
    /** The first node. */
    node: z.string(),
    /** All nodes, in order. */
    nodes: z.array(z.string()),
    /** What the sentence lists: names of nodes or streams. */
    subjects: z.array(z.string()),
    /** Keys of what it is about: rule, node and subject. */
    causes: z.array(z.string()),
    /** Those that have not ended. */
    firing: z.array(z.string()),
    /** Where another rule finds that it is about the same thing. */
    places: z.array(z.string()),
    beganMs: timeMs,
    /** Absent while it lasts. Equal to `beganMs` for what has no length, such as a restart. */
    endedMs: timeMs.optional(),
    /** The latest begin or end. */
    lastMs: timeMs,
    /** How often it has begun. */
    count: count,
    /** The worst value, in the unit of the series. */
    worst: z.number().optional(),
    series: seriesId.optional(),
    began: z.string(),
    ended: z.string().optional(),
    acknowledgedMs: timeMs.optional(),
    mutedUntilMs: timeMs.optional(),
    /** What a person has to know about its webhook or command: not allowed, or failed. */
    remark: z.object({ result: z.enum(['not-allowed', 'failed']), sentence: z.string().max(1000) }).optional(),
    unwatched: z.array(unwatched),
  }),
);
export type Incident = z.infer<typeof incident>;
export type IncidentRemark = NonNullable<Incident['remark']>;

/** Fields for a change of an incident. */
export type IncidentPatch = { readonly [Key in keyof Incident]?: Incident[Key] | undefined };

/** `updated`: it lasts, or has happened again, or a person has handled it. */
export interface IncidentChange {
  readonly change: 'opened' | 'updated' | 'resolved';
  /** Names of the rules by which something has begun, or happened; absent for any other change. */
  readonly by?: readonly string[];
  readonly incident: Incident;
}

/** Muted without an end. */
export const untilUnmutedMs = 8_640_000_000_000_000;

export const isFiring = ({ endedMs }: Incident): boolean => endedMs === undefined;

export const isMuted = ({ mutedUntilMs = 0 }: Incident, nowMs: number): boolean => mutedUntilMs > nowMs;

/** Its begin, also again, is not announced. */
export const isSilent = (incident: Incident, nowMs: number): boolean =>
  isMuted(incident, nowMs) || incident.acknowledgedMs !== undefined;

/** How long it has lasted, in ms; 0 for what has no length. */
export const lengthMs = ({ beganMs, endedMs }: Incident, nowMs: number): number =>
  Math.max(0, (endedMs ?? nowMs) - beganMs);

/** Firing ones first, then the newest. */
export const inOrder = (incidents: readonly Incident[]): readonly Incident[] =>
  [...incidents].sort(
    (a, b) => Number(isFiring(b)) - Number(isFiring(a)) || b.lastMs - a.lastMs || b.id.localeCompare(a.id),
  );

/** `origin`, `origin and tester-1`, `origin, tester-1 and 3 more`. */
export function listed(names: readonly string[]): string {
  const [first = '', second, ...more] = names;
  if (second === undefined) return first;
  return more.length === 0 ? `${first} and ${second}` : `${first}, ${second} and ${more.length} more`;
}
