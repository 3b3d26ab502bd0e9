import type { NodeView } from '../../domain/node';
import { expectationIds, expectationRules } from '../../domain/expectationText';
import type { Expectation, ExpectationId, Plan, PullProtocol, Realism } from '../../domain/plan';
import { formatDuration } from '../../domain/timeFormat';
import type { Settings } from '../../contract/shell';
import { planNodeName, settingsOf } from '../../domain/planNodes';
import { isBuiltIn } from '../nodes/rowText';
import { usualExpectations } from './pullExpect';
import {
  protocolsFor,
  pullOrigins,
  pullTargets,
  targetOf,
  testersOf,
  watchedOf,
  type PullTarget,
} from './pullNodes';

/** What the Pull dialog's fields hold, as typed. */
export interface PullForm {
  /** Id of the node to pull from. */
  readonly origin: string;
  readonly stream: string;
  /** Ids of the testers; absent until somebody chooses, then the usual ones of the origin. */
  readonly testers?: readonly string[];
  /** Absent until somebody chooses: then the first that origin and testers have in common. */
  readonly protocol?: PullProtocol;
  /** Of viewers by WHEP; others know no such choice. */
  readonly realism: Realism;
  readonly viewers: string;
  readonly rate: string;
  readonly hold: string;
  /** Each absent until somebody types: then the usual one of origin and testers. */
  readonly expect: Readonly<Partial<Record<ExpectationId, string>>>;
  /** Ids of nodes that are not to be watched beside origin and testers. */
  readonly unwatched: readonly string[];
}

/** What the dialog is opened for. */
export interface PullWish {
  readonly origin: string;
  readonly stream: string;
}

/** A field that can't be used as it is, with the value that would mend it. */
export interface FieldProblem {
  /** Path in the plan, e.g. `pull.viewers`. */
  readonly path: string;
  readonly sentence: string;
  readonly mend?: string;
}

/** A pull without an end of its own; it is a hold of 0 ms in a plan. */
export const untilStopped = 'until stopped';
const firstPull = { viewers: 100, ratePerSecond: 50, holdMs: 30_000 };

/** The form as it opens: what it was opened for, else the last values, else a first pull that any machine can do. */
export function initialForm(
  nodes: readonly NodeView[],
  last: Settings['lastPull'],
  wish?: PullWish,
): PullForm {
  const origins = pullOrigins(nodes);
  const serves = (node: NodeView): boolean => node.streams.some(({ stream }) => stream === last?.stream);
  const origin =
    origins.find(({ id }) => id === wish?.origin) ??
    origins.find(({ id }) => id === last?.origin) ??
    origins.find(serves) ??
    origins.find((node) => node.streams.length > 0) ??
    origins[0];
  const streams = origin ? pullTargets(origin).map(({ stream }) => stream) : [];
  const stream =
    (wish && wish.origin === origin?.id ? wish.stream : undefined) ??
    streams.find((each) => each === last?.stream) ??
    streams[0] ??
    (last && last.origin === origin?.id ? last.stream : '');
  const testers = last?.testers?.filter((id) =>
    nodes.some((node) => node.id === id && node.role === 'tester'),
  );
  const isSameOrigin = last?.origin !== undefined && last.origin === origin?.id;
  const values = last ?? firstPull;
  return {
    origin: origin?.id ?? '',
    stream,
    testers: isSameOrigin && testers && testers.length > 0 ? testers : undefined,
    viewers: String(values.viewers),
    rate: String(values.ratePerSecond),
    hold: values.holdMs === 0 ? untilStopped : formatDuration(values.holdMs),
    realism: 'lean',
    expect: {},
    unwatched: [],
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
  nodes: readonly NodeView[],
): { readonly plan?: Plan; readonly problems: readonly FieldProblem[] } {
  const target = targetOf(form, nodes);
  const testers = testersOf(form, nodes);
  const protocols = protocolsFor(target?.origin, testers);
  const protocol = protocols.find((each) => each === form.protocol) ?? protocols[0];
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
  const texts = expectTexts(form, nodes);
  for (const id of expectationIds) {
    // An empty field expects nothing.
    if (texts[id].trim() === '') continue;
    const value = take(
      readField(`expect.${id}`, texts[id], 'A number, or empty to expect nothing.', (n) => n >= 0),
    );
    expect[id] = { comparison: expectationRules[id].comparison, value };
  }
  if (!target)
    problems.push({
      path: 'pull.stream',
      sentence: pullOrigins(nodes).some(({ id }) => id === form.origin)
        ? 'Name the stream to pull.'
        : 'Choose where to pull from; add a node that serves streams if there is none.',
    });
  else if (!streamPattern.test(target.stream))
    problems.push({
      path: 'pull.stream',
      sentence: 'A stream name has letters, digits, ".", "_", "-" or "/", at most 128.',
    });
  if (testers.length === 0)
    problems.push({
      path: 'pull.by',
      sentence: nodes.some((node) => node.role === 'tester')
        ? 'Choose at least one tester to play the audience.'
        : 'No tester is there to play the audience; add one, or restart Fullhouse.',
    });
  else if (target && !protocol)
    problems.push({
      path: 'pull.protocol',
      sentence: `${target.origin.name} serves nothing that ${testers.map(({ name }) => name).join(' and ')} can pull by.`,
    });
  if (!target || !protocol || problems.length > 0) return { problems };
  return {
    problems,
    plan: planOf(
      target,
      testers,
      watchedOf(form, nodes),
      {
        protocol,
        viewers,
        ratePerSecond: rate,
        holdMs: hold.ms,
        ...(form.realism === 'full' && knowsRealism(protocol) ? { realism: form.realism } : {}),
      },
      expect,
    ),
  };
}

/** Whether viewers by this protocol can be more or less true to a browser: those of agents by WHEP, which no other tester pulls by. */
export function knowsRealism(protocol: PullProtocol | undefined): boolean {
  return protocol === 'whep';
}

/** What the fields of the verdict hold: what was typed, else the usual. */
export function expectTexts(
  form: PullForm,
  nodes: readonly NodeView[],
): Readonly<Record<ExpectationId, string>> {
  const origin = nodes.find(({ id }) => id === form.origin);
  return { ...usualExpectations(origin, testersOf(form, nodes)).texts, ...form.expect };
}

const streamPattern = /^[A-Za-z0-9][A-Za-z0-9._/-]{0,127}$/;

function planOf(
  target: PullTarget,
  testers: readonly NodeView[],
  watched: readonly NodeView[],
  pull: Omit<Plan['pull'], 'stream' | 'from' | 'by'>,
  expect: Plan['expect'],
): Plan {
  const origin = planNodeName(target.origin);
  const isSample =
    target.origin.server === 'lab' && (!target.served || target.served.source === 'sample-240p');
  return {
    name: `Pull ${pull.viewers}`,
    nodes: Object.fromEntries(
      [target.origin, ...testers, ...watched].map((node) => [planNodeName(node), settingsOf(node)]),
    ),
    publish: [{ stream: target.stream, node: origin, source: isSample ? 'sample-240p' : 'external' }],
    pull: { stream: target.stream, from: origin, by: testers.map(planNodeName), ...pull },
    expect,
  };
}

/** The first thing that a newcomer starts: the lab, its sample, 100 viewers for half a minute. */
export function firstPlan(nodes: readonly NodeView[]): Plan | undefined {
  const own = nodes.filter(isBuiltIn);
  return readForm(initialForm(own, undefined), own).plan;
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
