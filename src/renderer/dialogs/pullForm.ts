import type { NodeView, StreamView } from '../../domain/node';
import { expectationIds, expectationRules } from '../../domain/expectationText';
import { defaultExpectations, type Expectation, type ExpectationId, type Plan } from '../../domain/plan';
import { formatDuration } from '../../domain/timeFormat';
import type { Settings } from '../../contract/shell';

/** What the Pull dialog's fields hold, as typed. */
export interface PullForm {
  /** `ORIGIN STREAM`, the key of a target. */
  readonly target: string;
  readonly viewers: string;
  readonly rate: string;
  readonly hold: string;
  readonly expect: Readonly<Record<ExpectationId, string>>;
}

/** A stream to pull: served now, or the lab's sample that this job publishes first. */
export interface PullTarget {
  readonly key: string;
  readonly origin: NodeView;
  readonly stream: string;
  readonly served?: StreamView;
}

/** A field that can't be used as it is, with the value that would mend it. */
export interface FieldProblem {
  /** Path in the plan, e.g. `pull.viewers`. */
  readonly path: string;
  readonly sentence: string;
  readonly mend?: string;
}

/** Origin and audience on one machine leave less room than the field's rule of thumb. */
const sharedMachineCpuPercent = 95;
export const sampleStream = 'cam';
/** A pull without an end of its own; it is a hold of 0 ms in a plan. */
export const untilStopped = 'until stopped';
const firstPull = { viewers: 100, ratePerSecond: 50, holdMs: 30_000 };

export const targetKey = (origin: string, stream: string): string => `${origin} ${stream}`;

/** Every stream that an origin serves; for a lab without one the sample that would be published. */
export function pullTargets(nodes: readonly NodeView[]): readonly PullTarget[] {
  return nodes
    .filter((node) => node.role === 'origin')
    .flatMap((origin): PullTarget[] => {
      const served = origin.streams.map((stream) => ({
        key: targetKey(origin.id, stream.stream),
        origin,
        stream: stream.stream,
        served: stream,
      }));
      if (served.length > 0) return served;
      return [{ key: targetKey(origin.id, sampleStream), origin, stream: sampleStream }];
    });
}

function sharesMachine(target: PullTarget | undefined, testers: readonly NodeView[]): boolean {
  return target !== undefined && testers.some((tester) => tester.host === target.origin.host);
}

/** The form as it opens: the last values, or a first pull that any machine can do. */
export function initialForm(
  targets: readonly PullTarget[],
  testers: readonly NodeView[],
  last: Settings['lastPull'],
): PullForm {
  const target = targets.find((each) => each.stream === last?.stream) ?? targets[0];
  const values = last ?? firstPull;
  const cpu = sharesMachine(target, testers) ? sharedMachineCpuPercent : defaultExpectations.cpu.value;
  return {
    target: target?.key ?? '',
    viewers: String(values.viewers),
    rate: String(values.ratePerSecond),
    hold: values.holdMs === 0 ? untilStopped : formatDuration(values.holdMs),
    expect: {
      connected: String(defaultExpectations.connected.value),
      degraded: String(defaultExpectations.degraded.value),
      cpu: String(cpu),
      gcPause: String(defaultExpectations.gcPause.value),
    },
  };
}

const numberPattern = /^\d+(\.\d+)?$/;

function readNumber(text: string): number | undefined {
  const plain = text.replaceAll(',', '').trim();
  return numberPattern.test(plain) ? Number(plain) : undefined;
}

const unitMs: Readonly<Record<string, number>> = { s: 1000, min: 60_000, m: 60_000, h: 3_600_000 };

/** Reads `90 s`, `2 min`, `1 h 30 min`; undefined when a number has no unit or something else is in it. */
export function readDuration(text: string): number | undefined {
  const trimmed = text.trim().toLowerCase();
  if (!/^(\d+(\.\d+)?\s*(s|min|m|h)\s*)+$/.test(trimmed)) return undefined;
  let sum = 0;
  for (const [, amount, unit] of trimmed.matchAll(/(\d+(?:\.\d+)?)\s*(s|min|m|h)/g))
    sum += Number(amount) * (unitMs[unit ?? 's'] ?? 0);
  return Math.round(sum);
}

function readHold(text: string): { readonly ms: number; readonly problem?: FieldProblem } {
  if (text.trim().toLowerCase().replace('-', ' ') === untilStopped) return { ms: 0 };
  const ms = readDuration(text);
  if (ms) return { ms };
  const problem = (sentence: string, mend?: string) => ({
    ms: 0,
    problem: { path: 'pull.hold', sentence, mend },
  });
  if (ms === 0)
    return problem('A hold of 0 s would have no end of its own; say so if it is meant.', untilStopped);
  const seconds = readNumber(text);
  return problem(
    'How long to hold needs a unit: 60 s, 2 min or 1 h.',
    seconds === undefined ? undefined : `${seconds} s`,
  );
}

function readField(path: string, text: string, what: string, isGood: (value: number) => boolean) {
  const value = readNumber(text);
  return value !== undefined && isGood(value)
    ? { value, problem: undefined }
    : { value: 0, problem: { path, sentence: what } satisfies FieldProblem };
}

/** The plan that the form describes, or what is wrong with its fields. */
export function readForm(
  form: PullForm,
  targets: readonly PullTarget[],
  testers: readonly NodeView[],
): { readonly plan?: Plan; readonly problems: readonly FieldProblem[] } {
  const target = targets.find((each) => each.key === form.target);
  const problems: FieldProblem[] = [];
  const take = (field: { value: number; problem: FieldProblem | undefined }): number => {
    if (field.problem) problems.push(field.problem);
    return field.value;
  };
  const viewers = take(
    readField(
      'pull.viewers',
      form.viewers,
      'Viewers is a whole number above 0.',
      (n) => n > 0 && Number.isInteger(n),
    ),
  );
  const rate = take(
    readField('pull.rate', form.rate, 'The rate is a number of arrivals per second above 0.', (n) => n > 0),
  );
  const hold = readHold(form.hold);
  if (hold.problem) problems.push(hold.problem);
  const expect: Partial<Record<ExpectationId, Expectation>> = {};
  for (const id of expectationIds) {
    // An emptied field expects nothing.
    if (form.expect[id].trim() === '') continue;
    const value = take(
      readField(`expect.${id}`, form.expect[id], 'A number, or empty to expect nothing.', (n) => n >= 0),
    );
    expect[id] = { comparison: expectationRules[id].comparison, value };
  }
  if (!target)
    problems.push({ path: 'pull.stream', sentence: 'Choose a stream; publish one first if there is none.' });
  if (testers.length === 0)
    problems.push({
      path: 'pull.by',
      sentence: 'No tester is there to play the audience; restart Fullhouse.',
    });
  if (!target || problems.length > 0) return { problems };
  return {
    problems,
    plan: planOf(target, testers, { viewers, ratePerSecond: rate, holdMs: hold.ms }, expect),
  };
}

function planOf(
  target: PullTarget,
  testers: readonly NodeView[],
  pull: Pick<Plan['pull'], 'viewers' | 'ratePerSecond' | 'holdMs'>,
  expect: Plan['expect'],
): Plan {
  const origin = target.origin.id;
  const isSample = !target.served || target.served.source === 'sample-240p';
  return {
    name: `Pull ${pull.viewers}`,
    nodes: {
      [origin]: { server: 'lab' },
      ...Object.fromEntries(testers.map((tester) => [tester.id, { tester: 'local' as const }])),
    },
    publish: [{ stream: target.stream, node: origin, source: isSample ? 'sample-240p' : 'external' }],
    pull: { stream: target.stream, from: origin, by: testers.map(({ id }) => id), protocol: 'whep', ...pull },
    expect,
  };
}

/** The first thing that a newcomer starts: the lab, its sample, 100 viewers for half a minute. */
export function firstPlan(nodes: readonly NodeView[]): Plan | undefined {
  const targets = pullTargets(nodes);
  const testers = nodes.filter((node) => node.role === 'tester');
  return readForm(initialForm(targets, testers, undefined), targets, testers).plan;
}

/** From the first arrival to the end of the hold; undefined when it has no end of its own. */
export function lengthMs(
  pull: Pick<Plan['pull'], 'viewers' | 'ratePerSecond' | 'holdMs'>,
): number | undefined {
  return pull.holdMs === 0 ? undefined : arrivalMs(pull) + pull.holdMs;
}

/** From the first arrival to the last, at the rate asked for. */
export function arrivalMs(pull: Pick<Plan['pull'], 'viewers' | 'ratePerSecond'>): number {
  return (1000 * pull.viewers) / pull.ratePerSecond;
}
