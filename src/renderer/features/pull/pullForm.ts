import type { FormOption, FormOptions } from '../../../domain/model/options';
import { only, type FieldOf } from '../../../domain/plan/fields/fields';
import { pullFields } from '../../../domain/plan/fields/pull';
import type { PullForm } from './pullFormFields';
import type { FieldProblem } from '../../ui/fieldProblem';
import type { NodeView } from '../../../domain/model/node';
import { firstViewers } from '../../../domain/model/otherLoad';
import { expectationRules } from '../../../domain/plan/expectationText';
import {
  expectationIds,
  defaultExpectations,
  type Expectation,
  type ExpectationId,
  type Audience,
  type Plan,
} from '../../../domain/model/plan';
import type { PullPlan } from '../../../domain/model/publisherGroup';
import type { PullProtocol } from '../../../domain/model/protocols';
import { longestDays, longestMs, untilStopped as inPlan } from '../../../domain/plan/quantity';
import { formatDuration } from '../../../domain/text/timeFormat';
import { supports, usedOptions } from '../../../domain/plan/optionRules';
import { pulledNameFault, streamNameFault } from '../../../domain/plan/streamName';
import type { Settings } from '../../../contract/shell';
import { planNodeName, settingsOf } from '../../../domain/plan/planNodes';
import { isBuiltIn } from '../../parts/nodes/rowText';
import { readAmount } from './plan/amounts';
import { readAudiences, type ReadAudiences } from './plan/audienceForm';
import { readLoadProfile, defaultLoadProfile } from './plan/loadProfileForm';
import { readNetwork, realNetwork } from './plan/networkForm';
import { noTurn, readTurn } from './plan/turnForm';
import { noConditions, readConditions } from './plan/conditionsForm';
import { planName } from './plan/planName';
import { grouped, typedNumber } from '../../ui/format/numbers';
import { readDuration } from '../../ui/format/durations';
import { defaultExpectationsFor } from './pullExpect';
import {
  protocolsFor,
  pullOrigins,
  pullTargets,
  targetOf,
  testersOf,
  observedNodes,
  type PullTarget,
} from './pullNodes';

/** Initial origin and stream of the dialog. */
export interface PullDefaults {
  readonly origin: string;
  readonly stream: string;
  /** Absent for the last number. */
  readonly viewers?: number;
}

/** A pull without a scheduled end; a hold of 0 ms in a plan. */
export const untilStopped = inPlan.replace('-', ' ');
const firstPull = { viewers: 100, ratePerSecond: 50, holdMs: 30_000 };

/** Initial form: the requested target, else the last values, else a first pull that works on any machine. */
export function initialForm(nodes: readonly NodeView[], last: Settings['lastPull'], defaults?: PullDefaults): PullForm {
  const origins = pullOrigins(nodes);
  const serves = (node: NodeView): boolean => node.streams.some(({ stream }) => stream === last?.stream);
  const origin =
    origins.find(({ id }) => id === defaults?.origin) ??
    origins.find(({ id }) => id === last?.origin) ??
    origins.find(serves) ??
    origins.find((node) => node.streams.length > 0) ??
    origins[0];
  const streams = origin ? pullTargets(origin).map(({ stream }) => stream) : [];
  const stream =
    (defaults && defaults.origin === origin?.id ? defaults.stream : undefined) ??
    streams.find((stream) => stream === last?.stream) ??
    streams[0] ??
    (last && last.origin === origin?.id ? last.stream : '');
  const testers = last?.testers?.filter((id) => nodes.some((node) => node.id === id && node.role === 'tester'));
  const isSameOrigin = last?.origin !== undefined && last.origin === origin?.id;
  const values = last ?? firstPull;
  return {
    origin: origin?.id ?? '',
    stream,
    testers: isSameOrigin && testers && testers.length > 0 ? testers : undefined,
    viewers: String(defaults?.viewers ?? values.viewers),
    rate: String(values.ratePerSecond),
    hold: values.holdMs === 0 ? untilStopped : formatDuration(values.holdMs),
    options: {},
    network: realNetwork,
    turn: noTurn,
    loadProfile: defaultLoadProfile,
    extras: noConditions,
    also: [],
    rest: {},
    expect: {},
    unobserved: [],
  };
}

function readHold(text: string): { readonly ms: number; readonly problem?: FieldProblem } {
  if (text.trim().toLowerCase().replace('-', ' ') === untilStopped) return { ms: 0 };
  const ms = readDuration(text);
  if (ms && ms <= longestMs) return { ms };
  const problem = (sentence: string, fix?: string) => ({
    ms: 0,
    problem: { path: 'pull.hold', sentence, fix },
  });
  if (ms)
    return problem(
      `A hold lasts ${grouped(longestMs / 3_600_000)} h (${longestDays} days) or less. Shorten it, or hold until stopped.`,
      untilStopped,
    );
  if (ms === 0) return problem(`A hold of 0 s never ends; use "${untilStopped}" if that is intended.`, untilStopped);
  const seconds = typedNumber(text);
  return problem('Hold needs a unit: 60 s, 2 min or 1 h.', seconds === undefined ? undefined : `${seconds} s`);
}

interface ReadNumber {
  readonly value: number;
  readonly problem?: FieldProblem;
}

function readField(path: string, text: string, { kind }: FieldOf<number>): ReadNumber {
  const value = readAmount(kind.bounds, text);
  return typeof value === 'string' ? { value: 0, problem: { path, sentence: value } } : { value };
}

function readExpected(id: ExpectationId, text: string): ReadNumber {
  const value = typedNumber(text);
  const { max } = expectationRules[id];
  const sentence = `Enter a number from 0 to ${grouped(max)}, or leave empty for no expectation.`;
  return value === undefined || value > max ? { value: 0, problem: { path: `expect.${id}`, sentence } } : { value };
}

/** The plan that the form describes, or the problems of its fields. */
export function readForm(
  form: PullForm,
  nodes: readonly NodeView[],
): { readonly plan?: PullPlan; readonly problems: readonly FieldProblem[] } {
  const target = targetOf(form, nodes);
  const testers = testersOf(form, nodes);
  const protocols = protocolsFor(target?.origin, testers);
  const protocol = protocols.find((protocol) => protocol === form.protocol) ?? protocols[0];
  const problems: FieldProblem[] = [];
  const take: Take = (field) => {
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
    const value = take(readExpected(id, texts[id]));
    // Viewers are always measured.
    const isTyped = form.expect[id] !== undefined && form.expect[id] !== form.expectIfMeasured?.[id];
    const ifMeasured = id !== 'connected' && !isTyped ? ({ ifMeasured: true } as const) : {};
    expect[id] = { comparison: expectationRules[id].comparison, value, ...ifMeasured };
  }
  const { network, problem: inNetwork } = readNetwork(form.network);
  if (inNetwork) problems.push(inNetwork);
  // A protocol without a TURN server has no field for it.
  const { turn, problem: inTurn } = supports('turn', protocol) ? readTurn(form.turn, protocol) : {};
  if (inTurn) problems.push(inTurn);
  const extras = readConditions(form.extras);
  problems.push(...extras.problems);
  if (!target)
    problems.push({
      path: 'pull.stream',
      sentence: pullOrigins(nodes).some(({ id }) => id === form.origin)
        ? 'Name the stream to pull.'
        : 'Choose an origin. If none is listed, add a node that serves streams.',
    });
  else {
    const fault = streamNameFault(target.stream) ?? (protocol && pulledNameFault(target.stream, protocol));
    if (fault !== undefined) problems.push({ path: 'pull.stream', sentence: fault });
  }
  if (testers.length === 0)
    problems.push({
      path: 'pull.by',
      sentence: nodes.some((node) => node.role === 'tester')
        ? 'Choose at least one tester.'
        : 'No tester available. Add one, or restart Fullhouse.',
    });
  else if (target && !protocol)
    problems.push({
      path: 'pull.protocol',
      sentence: `${target.origin.name} serves no protocol that ${testers.map(({ name }) => name).join(' and ')} can pull.`,
    });
  const others = readAudiences(form.also, nodes, testers, {
    by: testers.map(planNodeName),
    holdMs: shape.pull.holdMs,
  });
  problems.push(...others.problems);
  if (!target || !protocol || problems.length > 0) return { problems };
  const plan = planOf(
    target,
    testers,
    [...others.origins, ...observedNodes(form, nodes)],
    form,
    {
      protocol,
      ...shape.pull,
      ...optionsFor(form.options, protocol),
      ...(network ? { network } : {}),
      ...(turn ? { turn } : {}),
    },
    expect,
  );
  return { problems, plan: { ...withAudiences(plan, others), ...extras.plan } };
}

function withAudiences(plan: PullPlan, { pulls, publish }: ReadAudiences): PullPlan {
  if (pulls.length === 0) return plan;
  const published = publish.reduce<Plan['publish']>(
    (all, each) =>
      all.some(({ node, stream }) => node === each.node && stream === each.stream) ? all : [...all, each],
    plan.publish,
  );
  return { ...plan, publish: published, also: [...pulls, ...(plan.also ?? [])] };
}

type Take = (field: ReadNumber) => number;

/** Viewers, rate and hold; `take` receives invalid fields. */
function readShape(
  form: PullForm,
  take: Take,
): {
  readonly pull: Pick<Audience, 'viewers' | 'ratePerSecond' | 'holdMs' | 'stages' | 'search'>;
  readonly problem?: FieldProblem;
} {
  const rate = (): number => take(readField('pull.rate', form.rate, pullFields.ratePerSecond));
  const placeholder = { viewers: 1, ratePerSecond: 1, holdMs: 0 };
  if (form.loadProfile.kind !== 'once') {
    const read = readLoadProfile(form.loadProfile, form.loadProfile.kind === 'search' ? rate() || 1 : 1);
    return 'problem' in read ? { pull: placeholder, problem: read.problem } : { pull: read.loadProfile };
  }
  const viewers = take(readField('pull.viewers', form.viewers, pullFields.viewers));
  const hold = readHold(form.hold);
  return { pull: { viewers, ratePerSecond: rate(), holdMs: hold.ms }, problem: hold.problem };
}

/** The options that apply to the protocol, without those that are as if absent. */
function optionsFor(options: FormOptions, protocol: PullProtocol): FormOptions {
  const given = Object.fromEntries(
    Object.entries(options).map(([name, value]) => [
      name,
      typeof value === 'string' ? value.trim() || undefined : value,
    ]),
  ) as FormOptions;
  const used = usedOptions(given).filter((name) => supports(name, protocol));
  // Participants of rooms receive audio and video.
  const shown = used.filter((name) => !(name === 'tracks' && used.includes('rooms')));
  return only(given, shown as readonly FormOption[]);
}

/** Field values of the verdict: as typed, else the defaults. */
export function expectTexts(form: PullForm, nodes: readonly NodeView[]): Readonly<Record<ExpectationId, string>> {
  const origin = nodes.find(({ id }) => id === form.origin);
  return { ...defaultExpectationsFor(origin, testersOf(form, nodes), form.usual).texts, ...form.expect };
}

function planOf(
  target: PullTarget,
  testers: readonly NodeView[],
  observed: readonly NodeView[],
  form: PullForm,
  pull: Omit<Audience, 'stream' | 'from' | 'by'>,
  expect: Plan['expect'],
): PullPlan {
  const { rest, publishes } = form;
  const origin = planNodeName(target.origin);
  const isSample =
    publishes === true ||
    (target.origin.server === 'lab' && (!target.served || target.served.source === 'sample-240p'));
  const by = testers.map(planNodeName);
  const { weights = {}, ...others } = rest;
  const fitting = Object.entries(weights).filter(([tester]) => by.includes(tester));
  return {
    name: planName(form, pull),
    nodes: Object.fromEntries(
      [target.origin, ...testers, ...observed].map((node) => [planNodeName(node), settingsOf(node)]),
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

/** First run of a new user: the lab, its sample, 100 viewers for 30 s, or as many as this machine can judge. */
export function firstPlan(nodes: readonly NodeView[]): PullPlan | undefined {
  const ownNodes = nodes.filter(isBuiltIn);
  const cores = ownNodes.map(({ machine }) => machine?.cores ?? 0).find((each) => each > 0);
  const taken = Math.max(0, ...ownNodes.map(({ load }) => load?.takenPercent ?? 0));
  const viewers = cores === undefined ? firstPull.viewers : firstViewers(cores, taken, defaultExpectations.cpu.value);
  return readForm({ ...initialForm(ownNodes, undefined), viewers: String(viewers) }, ownNodes).plan;
}
