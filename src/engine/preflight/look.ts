import { isOriginSettings } from '../../domain/nodeSettings';
import type { Plan } from '../../domain/plan/plan';
import type { TesterMeasured } from '../../domain/tester/strength';
import type { PreflightLook, PreflightNode } from '../../domain/preflight/look';
import type { PreflightFinding, PreflightReport } from '../../domain/preflight/report';
import { FullhouseError } from '../../contract/calls';
import type { FleetNode } from '../fleet/node';
import { OriginNode } from '../fleet/originNode';
import { usualProcess } from '../fleet/usualProcess';
import { identityNeeds, identityOf } from './identity';
import { judgeAll, type ReadNode } from './judgeNode';
import { looksOf } from './looks';
import { askApi } from './reading/apis';
import { Facts, needKey, type Answer } from './reading/facts';
import { placeOf } from './reading/place';
import { readNode } from './reading/readNode';
import type { Look, Need, PreflightRule, Strength } from './rule';
import { strengthNeeds, strengthOf } from './text/machine';

export interface LookOrder {
  readonly id: string;
  readonly plan: Plan;
  /** By the plan's names. */
  readonly nodes: ReadonlyMap<string, FleetNode>;
  /** What is known of what viewers cost a tester. */
  readonly measured?: ((node: FleetNode) => TesterMeasured | undefined) | undefined;
  readonly rules: readonly PreflightRule[];
  /** What is wrong with rules of one's own, to stand in the report. */
  readonly remarks: readonly PreflightFinding[];
  readonly now: () => number;
  readonly signal: AbortSignal;
  readonly tell: (look: PreflightLook) => void;
}

/** Looks at all nodes of a plan at once; testers are judged when it is known how strong the origin is. */
export async function lookAt(order: LookOrder): Promise<PreflightReport> {
  const { plan, nodes, rules, signal } = order;
  const looks = looksOf(plan, nodes, order.measured);
  const course = new Map<string, PreflightNode>();
  const read = new Map<string, ReadNode>();
  const rulesOf = (look: Look): readonly PreflightRule[] => rules.filter(({ applies }) => applies(look));
  const all = (): PreflightFinding[] => [
    ...order.remarks,
    ...judgeAll(rules, new Map([...looks.keys()].flatMap((name) => pairOf(read, name)))),
  ];
  const tell = (): void =>
    order.tell({ id: order.id, state: 'running', nodes: [...course.values()], findings: all() });
  const move = (name: string, change: Partial<PreflightNode>): void => {
    const before = course.get(name) ?? { node: name, state: 'waiting', rules: 0 };
    course.set(name, { ...before, ...change });
  };
  for (const [name, look] of looks) move(name, { rules: rulesOf(look).length });
  tell();

  const strengths = new Map<string, Promise<Strength | undefined>>();
  const origins = new Set([...looks.values()].flatMap(({ origin }) => (origin ? [origin.node] : [])));
  const originsRead = new Map<string, Promise<unknown>>();
  const lookAtOne = async (name: string, look: Look): Promise<void> => {
    const node = nodes.get(name);
    if (!node) return;
    const own = rulesOf(look);
    move(name, { state: 'reading' });
    tell();
    const reading = factsOf(name, node, own, signal);
    strengths.set(
      name,
      reading.then(({ facts }) => facts.maybe(strengthOf)).catch(() => undefined),
    );
    const { facts, problem } = await reading;
    const { origin } = look;
    const strength = origin && (await strengths.get(origin.node));
    const full = origin ? { ...look, origin: { ...origin, ...(strength ? { strength } : {}) } } : look;
    const identity = await identityOf(node, facts);
    // Whether it shares the origin's machine is told when both are known.
    if (origin && !origins.has(name)) await originsRead.get(origin.node)?.catch(() => undefined);
    read.set(name, { look: full, facts, identity });
    move(name, problem === undefined ? { state: 'judged' } : { state: 'unreadable', problem });
    tell();
  };
  // Origins come first, so that their strength is on the way before a tester asks for it.
  await Promise.all(
    [...looks].map(([name, look]) => {
      const looking = lookAtOne(name, look);
      originsRead.set(name, looking);
      return looking;
    }),
  );
  return { timeMs: order.now(), findings: all() };
}

const pairOf = <T>(map: ReadonlyMap<string, T>, key: string): Array<[string, T]> => {
  const value = map.get(key);
  return value === undefined ? [] : [[key, value]];
};

/** What could be read of a node; `problem` where there is no way to its host, so that only its API could speak. */
async function factsOf(
  name: string,
  node: FleetNode,
  rules: readonly PreflightRule[],
  signal: AbortSignal,
): Promise<{ readonly facts: Facts; readonly problem?: string }> {
  const needs = [...rules.flatMap((rule) => rule.needs), ...strengthNeeds, ...identityNeeds];
  const [host, told] = await Promise.all([
    hostAnswers(name, node, needs, signal),
    apiAnswers(node, needs, signal),
  ]);
  return {
    facts: new Facts(name, new Map([...host.answers, ...told])),
    ...(host.problem === undefined ? {} : { problem: host.problem }),
  };
}

async function hostAnswers(
  name: string,
  node: FleetNode,
  needs: readonly Need[],
  signal: AbortSignal,
): Promise<{ readonly answers: ReadonlyMap<string, Answer>; readonly problem?: string }> {
  const { settings } = node;
  const family = isOriginSettings(settings) ? settings.server : settings.tester === 'wcs' ? 'wcs' : undefined;
  const processName = settings.process ?? (family && usualProcess[family]);
  try {
    // Connecting takes its time, and nobody waits for it who has called the look off.
    const place = await Promise.race([placeOf(node), aborted(signal)]);
    return { answers: await readNode(place, { who: name, settings, processName }, needs, signal) };
  } catch (error) {
    if (signal.aborted) throw error;
    const problem = (error as Error).message;
    const unread = needs.map((need): [string, Answer] => [needKey(need), { unread: problem }]);
    return { answers: new Map(unread), problem };
  }
}

async function apiAnswers(
  node: FleetNode,
  needs: readonly Need[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, Answer>> {
  const names = [...new Set(needs.flatMap((need) => ('api' in need ? [need.api] : [])))];
  const answers = names.map(async (name): Promise<[string, Answer]> => {
    if (!(node instanceof OriginNode))
      return [needKey({ api: name }), { unread: `${node.id} has no API to be asked.` }];
    const text = await askApi(node.http, name, signal).then(
      (answer): Answer => ({ text: answer }),
      (error: Error): Answer => ({ unread: error.message }),
    );
    return [needKey({ api: name }), text];
  });
  return new Map(await Promise.all(answers));
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const refuse = (): void => reject(new FullhouseError('cancelled', 'The look was called off.'));
    if (signal.aborted) refuse();
    signal.addEventListener('abort', refuse, { once: true });
  });
}
