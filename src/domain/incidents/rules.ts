import { z } from 'zod';
import { immutable, seriesId } from '../model/schema';
import { postFault } from '../node/postAddress';
import { masked } from '../redaction/patterns';
import { seriesDefinition } from '../series/series';

/** Rules by which what happens to the nodes becomes incidents. */

export const severities = ['info', 'warning', 'critical'] as const;
export type Severity = (typeof severities)[number];

/** The name of a rule, also its key. */
const ruleName = z
  .string()
  .regex(/^[a-z0-9][a-z0-9-]{0,59}$/, 'The name of a rule has small letters, digits and hyphens, 60 at most.');

/** The nodes that a rule is for: one by its name, or all of a role; without both all nodes. */
const ruleNodes = z
  .strictObject({ node: z.string().min(1).max(200).optional(), role: z.enum(['origin', 'tester']).optional() })
  .refine(({ node, role }) => node === undefined || role === undefined, 'Name either a node or a role, not both.');

const timeSentence = 'Enter a time from 0 s to 30 days, such as 30 s or 5 min.';
const ms = z
  .number(timeSentence)
  .int(timeSentence)
  .min(0, timeSentence)
  .max(30 * 86_400_000, timeSentence);
const percentSentence = 'Enter a number from 0 to 100.';
const percent = z.number(percentSentence).min(0, percentSentence).max(100, percentSentence);
const limit = z.number('Enter a number.');

/**
 * Called with the incident as JSON. A secret in it is a reference, as in a plan; one that is written out leaves the engine
 * masked, and comes back so.
 */
const webhook = z
  .string()
  .max(2000, 'An address has 2,000 characters at most.')
  .superRefine((text, context) => {
    const message = postFault(text, 'a rule', 'Write it like https://example.org/incidents.');
    if (message !== undefined) context.addIssue({ code: 'custom', message });
  });

/** A program and its arguments: never a shell command line, in which a name could become a command. */
const maxWord = 4000;
const wordSentence = 'A word of the command has 4,000 characters at most.';
const command = z
  .tuple(
    [
      z
        .string()
        .min(1, 'The program is missing. Write it and its arguments, e.g. [notify, done].')
        .max(maxWord, wordSentence),
    ],
    z.string().max(maxWord, wordSentence),
  )
  .refine((words) => words.length <= 100, 'A command has 100 words at most.');

const common = {
  name: ruleName,
  severity: z.enum(severities),
  nodes: ruleNodes.optional(),
  /** Switched off: nothing is watched by it. */
  isOff: z.boolean().optional(),
  /** A notification of the system when an incident begins and when it ends. */
  notifies: z.boolean().optional(),
  /** Called when an incident begins and when it ends, once that is allowed. */
  webhook: webhook.optional(),
  /** Started likewise. */
  command: command.optional(),
};

/** A limit of a series. It is broken after `forMs` beyond it, and kept again beyond `clear…` (default 10 % within it). */
const levelRule = z
  .strictObject({
    ...common,
    kind: z.literal('level'),
    series: seriesId,
    above: limit.optional(),
    below: limit.optional(),
    forMs: ms,
    clearBelow: limit.optional(),
    clearAbove: limit.optional(),
  })
  .refine(({ above, below }) => (above === undefined) !== (below === undefined), 'A limit is either above or below.')
  .refine(
    ({ above, below, clearBelow, clearAbove }) =>
      (clearBelow === undefined || (above !== undefined && clearBelow <= above)) &&
      (clearAbove === undefined || (below !== undefined && clearAbove >= below)),
    'clearBelow belongs to above and is not higher; clearAbove belongs to below and is not lower.',
  );

const withTime = <Kind extends string>(kind: Kind) => z.strictObject({ ...common, kind: z.literal(kind), forMs: ms });
const withLead = <Kind extends string>(kind: Kind) =>
  z.strictObject({ ...common, kind: z.literal(kind), withinMs: ms });
const withLimit = <Kind extends string>(kind: Kind) =>
  z.strictObject({ ...common, kind: z.literal(kind), aboveMs: ms });
const plain = <Kind extends string>(kind: Kind) => z.strictObject({ ...common, kind: z.literal(kind) });

export const alertRule = immutable(
  z.discriminatedUnion('kind', [
    levelRule,
    /** Memory used, in percent of the machine's. */
    z
      .strictObject({
        ...common,
        kind: z.literal('memory'),
        abovePercent: percent,
        forMs: ms,
        clearBelowPercent: percent.optional(),
      })
      .refine(
        ({ abovePercent, clearBelowPercent = 0 }) => clearBelowPercent <= abovePercent,
        'clearBelowPercent is not higher than abovePercent.',
      ),
    withTime('node-lost'),
    withTime('publisher-gone'),
    withLimit('gc-pause'),
    withLimit('clock-stepped'),
    /** By its trend over the last minutes, the memory is used up within this time. */
    withLead('memory-running-out'),
    /** The free space of the disk, in the same way. */
    withLead('disk-running-out'),
    withLead('certificate-expiring'),
    plain('process-restarted'),
    plain('host-rebooted'),
    plain('stream-appeared'),
    plain('version-changed'),
    /** What the control player finds when it rotates through streams. */
    plain('picture-fault'),
  ]),
);
export type AlertRule = z.infer<typeof alertRule>;
export type RuleKind = AlertRule['kind'];
export type RuleOf<Kind extends RuleKind> = Extract<AlertRule, { readonly kind: Kind }>;

export const sameName = 'Two rules have the same name; each needs its own.';

/** More would be a mistake. */
const maxRules = 200;

export const alertRules = immutable(
  z
    .array(alertRule)
    .max(maxRules)
    .refine((rules) => new Set(rules.map(({ name }) => name)).size === rules.length, sameName),
);

/** Why rules can't be used whose secrets are masked, one sentence; undefined if none is. */
export function maskedRuleFault(rules: readonly AlertRule[]): string | undefined {
  for (const { name, webhook: address = '', command: words = [] } of rules) {
    const what = address.includes(masked) ? 'address' : words.some((word) => word.includes(masked)) ? 'command' : '';
    if (what !== '')
      return (
        `The ${what} of ${name} has ${masked} in place of a secret. ` +
        'Enter it again, or a reference such as $secret:NAME.'
      );
  }
  return undefined;
}

const minuteMs = 60_000;
const dayMs = 86_400_000;

/** Those of a new console. */
export const defaultRules: readonly AlertRule[] = [
  { name: 'node-lost', kind: 'node-lost', forMs: 5000, severity: 'critical', notifies: true },
  { name: 'host-rebooted', kind: 'host-rebooted', severity: 'warning' },
  { name: 'process-restarted', kind: 'process-restarted', severity: 'warning' },
  { name: 'version-changed', kind: 'version-changed', severity: 'info' },
  { name: 'cpu-high', kind: 'level', series: 'cpuPercent', above: 90, forMs: minuteMs, severity: 'warning' },
  { name: 'memory-high', kind: 'memory', abovePercent: 95, forMs: minuteMs, severity: 'critical', notifies: true },
  { name: 'memory-running-out', kind: 'memory-running-out', withinMs: 30 * minuteMs, severity: 'warning' },
  { name: 'disk-running-out', kind: 'disk-running-out', withinMs: 60 * minuteMs, severity: 'warning' },
  { name: 'gc-pause', kind: 'gc-pause', aboveMs: 500, severity: 'warning' },
  { name: 'publisher-gone', kind: 'publisher-gone', forMs: 10_000, severity: 'warning' },
  { name: 'stream-appeared', kind: 'stream-appeared', severity: 'info' },
  { name: 'picture-fault', kind: 'picture-fault', severity: 'warning' },
  { name: 'clock-stepped', kind: 'clock-stepped', aboveMs: 1000, severity: 'warning' },
  { name: 'certificate-expiring', kind: 'certificate-expiring', withinMs: 14 * dayMs, severity: 'warning' },
];

/** A limit with its hysteresis, whatever the rule calls it. */
export interface Level {
  readonly limit: number;
  readonly isUpper: boolean;
  /** Back within the limit from here on. */
  readonly clear: number;
  readonly forMs: number;
}

/** Share of a limit by which a value has to be back within it. */
const hysteresis = 0.1;

export function levelOf(rule: RuleOf<'level'> | RuleOf<'memory'>): Level {
  const { forMs } = rule;
  // 10 % of a memory limit would be a gigabyte or more: full memory that is freed in part is still nearly full.
  if (rule.kind === 'memory') {
    const { abovePercent: limit, clearBelowPercent: clear = limit - 2 } = rule;
    return { limit, isUpper: true, clear, forMs };
  }
  const { above, below = 0, clearBelow, clearAbove } = rule;
  if (above !== undefined)
    return { limit: above, isUpper: true, clear: clearBelow ?? above - Math.abs(above) * hysteresis, forMs };
  return { limit: below, isUpper: false, clear: clearAbove ?? below + Math.abs(below) * hysteresis, forMs };
}

/** Whether a rule is on and for this node. */
export function appliesTo(rule: AlertRule, { id, role }: { readonly id: string; readonly role: string }): boolean {
  if (rule.isOff) return false;
  const { node = id, role: wanted = role } = rule.nodes ?? {};
  return node === id && wanted === role;
}

/** Whether all nodes of a host report the same value of this series. */
export const isOfHost = (series: string): boolean => seriesDefinition(series)?.source === 'host';
