import type { NodeView } from '../../domain/node';
import { expectationIds, expectationRules } from '../../domain/expectationText';
import type { Expectation, ExpectationId, Plan, PullProtocol, Realism } from '../../domain/plan/plan';
import { longestMs } from '../../domain/plan/quantity';
import { formatDuration } from '../../domain/timeFormat';
import { pulledNameFault, streamNameFault } from '../../domain/streamName';
import type { DefaultThresholds, Settings } from '../../contract/shell';
import { planNodeName, settingsOf } from '../../domain/plan/planNodes';
import { isBuiltIn } from '../nodes/rowText';
import { readCourse, usualCourse, type CourseForm } from '../plan/courseForm';
import { noExtras, readExtras, type ExtrasForm } from '../plan/extrasForm';
import { grouped, typedNumber } from '../format/numbers';
import { readDuration } from './durations';
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
  /** A sample is published under the stream's name first; a lab does that without being asked. */
  readonly publishes?: boolean;
  /** Ids of the testers; absent until somebody chooses, then the usual ones of the origin. */
  readonly testers?: readonly string[];
  /** Absent until somebody chooses: then the first that origin and testers have in common. */
  readonly protocol?: PullProtocol;
  /** Of viewers by WHEP; others know no such choice. */
  readonly realism: Realism;
  readonly viewers: string;
  readonly rate: string;
  readonly hold: string;
  /** What the audience does over time; `viewers` and `hold` above are of the simplest one. */
  readonly course: CourseForm;
  /** Further expectations, stop conditions, the schedule. */
  readonly extras: ExtrasForm;
  /** What a plan says beyond all fields; it is kept as it is. */
  readonly rest: PlanRest;
  /** Absent until somebody names it: then it is called by what it does. */
  readonly name?: string;
  /** Each absent until somebody types: then the usual one of origin and testers. */
  readonly expect: Readonly<Partial<Record<ExpectationId, string>>>;
  /** What a plan expects only if it can be measured; a field that was changed since is expected in any case. */
  readonly expectIfMeasured?: Readonly<Partial<Record<ExpectationId, string>>>;
  /** A person's own default thresholds, in place of the built-in ones. */
  readonly usual?: DefaultThresholds;
  /** Ids of nodes that are not to be watched beside origin and testers. */
  readonly unwatched: readonly string[];
}

/** Parts of a plan that only its text can change. */
export type PlanRest = Pick<Plan, 'also' | 'hooks'> & Pick<Plan['pull'], 'weights'>;

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
    course: usualCourse,
    extras: noExtras,
    rest: {},
    expect: {},
    unwatched: [],
  };
}

function readHold(text: string): { readonly ms: number; readonly problem?: FieldProblem } {
  if (text.trim().toLowerCase().replace('-', ' ') === untilStopped) return { ms: 0 };
  const ms = readDuration(text);
  if (ms && ms <= longestMs) return { ms };
  const problem = (sentence: string, mend?: string) => ({
    ms: 0,
    problem: { path: 'pull.hold', sentence, mend },
  });
  if (ms)
    return problem(
      `A hold lasts ${grouped(longestMs / 3_600_000)} h (366 days) or less. Shorten it, or hold until stopped.`,
      untilStopped,
    );
  if (ms === 0)
    return problem('A hold of 0 s never ends; use "until stopped" if that is intended.', untilStopped);
  const seconds = typedNumber(text);
  return problem(
    'How long to hold needs a unit: 60 s, 2 min or 1 h.',
    seconds === undefined ? undefined : `${seconds} s`,
  );
}

function readField(path: string, text: string, what: string, isGood: (value: number) => boolean) {
  const value = typedNumber(text);
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
  const shape = readShape(form, take);
  if (shape.problem) problems.push(shape.problem);
  const expect: Partial<Record<ExpectationId, Expectation>> = {};
  const texts = expectTexts(form, nodes);
  for (const id of expectationIds) {
    // An empty field expects nothing.
    if (texts[id].trim() === '') continue;
    const value = take(
      readField(`expect.${id}`, texts[id], 'A number, or empty to expect nothing.', (n) => n >= 0),
    );
    // Viewers are always counted.
    const isTyped = form.expect[id] !== undefined && form.expect[id] !== form.expectIfMeasured?.[id];
    const ifMeasured = id !== 'connected' && !isTyped ? ({ ifMeasured: true } as const) : {};
    expect[id] = { comparison: expectationRules[id].comparison, value, ...ifMeasured };
  }
  const extras = readExtras(form.extras);
  problems.push(...extras.problems);
  if (!target)
    problems.push({
      path: 'pull.stream',
      sentence: pullOrigins(nodes).some(({ id }) => id === form.origin)
        ? 'Name the stream to pull.'
        : 'Choose where to pull from; add a node that serves streams if there is none.',
    });
  else {
    const fault = streamNameFault(target.stream) ?? (protocol && pulledNameFault(target.stream, protocol));
    if (fault !== undefined) problems.push({ path: 'pull.stream', sentence: fault });
  }
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
    plan: {
      ...planOf(
        target,
        testers,
        watchedOf(form, nodes),
        form,
        {
          protocol,
          ...shape.pull,
          ...(form.realism === 'full' && knowsRealism(protocol) ? { realism: form.realism } : {}),
        },
        expect,
      ),
      ...extras.plan,
    },
  };
}

type Take = (field: { value: number; problem: FieldProblem | undefined }) => number;

/** How many come, how fast and for how long; `take` hears of fields that can't be used. */
function readShape(
  form: PullForm,
  take: Take,
): {
  readonly pull: Pick<Plan['pull'], 'viewers' | 'ratePerSecond' | 'holdMs' | 'stages' | 'search'>;
  readonly problem?: FieldProblem;
} {
  const rate = (): number =>
    take(
      readField('pull.rate', form.rate, 'The rate is a number of arrivals per second above 0.', (n) => n > 0),
    );
  const nobody = { viewers: 1, ratePerSecond: 1, holdMs: 0 };
  if (form.course.kind !== 'once') {
    const read = readCourse(form.course, form.course.kind === 'search' ? rate() || 1 : 1);
    return 'problem' in read ? { pull: nobody, problem: read.problem } : { pull: read.course };
  }
  const viewers = take(
    readField(
      'pull.viewers',
      form.viewers,
      'Viewers is a whole number above 0.',
      (n) => n > 0 && Number.isInteger(n),
    ),
  );
  const hold = readHold(form.hold);
  return { pull: { viewers, ratePerSecond: rate(), holdMs: hold.ms }, problem: hold.problem };
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
  return { ...usualExpectations(origin, testersOf(form, nodes), form.usual).texts, ...form.expect };
}

function planOf(
  target: PullTarget,
  testers: readonly NodeView[],
  watched: readonly NodeView[],
  { name, rest, publishes }: Pick<PullForm, 'name' | 'rest' | 'publishes'>,
  pull: Omit<Plan['pull'], 'stream' | 'from' | 'by'>,
  expect: Plan['expect'],
): Plan {
  const origin = planNodeName(target.origin);
  const isSample =
    publishes === true ||
    (target.origin.server === 'lab' && (!target.served || target.served.source === 'sample-240p'));
  const by = testers.map(planNodeName);
  const { weights = {}, ...others } = rest;
  const fitting = Object.entries(weights).filter(([tester]) => by.includes(tester));
  return {
    name: name ?? nameOf(pull),
    nodes: Object.fromEntries(
      [target.origin, ...testers, ...watched].map((node) => [planNodeName(node), settingsOf(node)]),
    ),
    publish: [{ stream: target.stream, node: origin, source: isSample ? 'sample-240p' : 'external' }],
    pull: {
      stream: target.stream,
      from: origin,
      by,
      ...pull,
      ...(fitting.length > 0 ? { weights: Object.fromEntries(fitting) } : {}),
    },
    expect,
    ...Object.fromEntries(Object.entries(others).filter(([, value]) => value !== undefined)),
  };
}

/** What a plan is called that nobody has named. */
function nameOf({ viewers, stages, search }: Pick<Plan['pull'], 'viewers' | 'stages' | 'search'>): string {
  if (search) return 'Find the limit';
  const [first] = stages?.filter(({ kind }) => kind !== 'ramp' && kind !== 'hold') ?? [];
  return first ? `${first.kind.charAt(0).toUpperCase()}${first.kind.slice(1)} ${viewers}` : `Pull ${viewers}`;
}

/** The first thing that a newcomer starts: the lab, its sample, 100 viewers for half a minute. */
export function firstPlan(nodes: readonly NodeView[]): Plan | undefined {
  const own = nodes.filter(isBuiltIn);
  return readForm(initialForm(own, undefined), own).plan;
}
