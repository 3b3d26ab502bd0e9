import { isOriginSettings } from '../../domain/nodeSettings';
import type { Plan } from '../../domain/plan';
import type { PreflightLook, PreflightNode } from '../../domain/preflight/look';
import type { PreflightFinding, PreflightReport } from '../../domain/preflight/report';
import type { FleetNode } from '../fleet/node';
import { usualProcess } from '../fleet/usualProcess';
import { judgeNode, unreadNode } from './judgeNode';
import { looksOf } from './looks';
import { Facts } from './reading/facts';
import { placeOf } from './reading/place';
import { readNode } from './reading/readNode';
import type { Look, PreflightRule, Strength } from './rule';
import { strengthNeeds, strengthOf } from './text/machine';

export interface LookOrder {
  readonly id: string;
  readonly plan: Plan;
  /** By the plan's names. */
  readonly nodes: ReadonlyMap<string, FleetNode>;
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
  const looks = looksOf(plan, nodes);
  const course = new Map<string, PreflightNode>();
  const findings = new Map<string, readonly PreflightFinding[]>();
  const rulesOf = (look: Look): readonly PreflightRule[] => rules.filter(({ applies }) => applies(look));
  const all = (): PreflightFinding[] => [
    ...order.remarks,
    ...[...looks.keys()].flatMap((name) => findings.get(name) ?? []),
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
  const lookAtOne = async (name: string, look: Look): Promise<void> => {
    const node = nodes.get(name);
    if (!node) return;
    const own = rulesOf(look);
    move(name, { state: 'reading' });
    tell();
    const reading = factsOf(name, node, own, signal);
    strengths.set(
      name,
      reading.then((facts) => facts.maybe(strengthOf)).catch(() => undefined),
    );
    try {
      const facts = await reading;
      const origin = look.origin;
      const strength = origin && (await strengths.get(origin.node));
      findings.set(
        name,
        judgeNode(
          own,
          facts,
          origin ? { ...look, origin: { ...origin, ...(strength ? { strength } : {}) } } : look,
        ),
      );
      move(name, { state: 'judged' });
    } catch (error) {
      if (signal.aborted) throw error;
      const problem = (error as Error).message;
      findings.set(name, unreadNode(own, look, problem));
      move(name, { state: 'unreadable', problem });
    }
    tell();
  };
  // Origins come first, so that their strength is on the way before a tester asks for it.
  await Promise.all([...looks].map(([name, look]) => lookAtOne(name, look)));
  return { timeMs: order.now(), findings: all() };
}

async function factsOf(
  name: string,
  node: FleetNode,
  rules: readonly PreflightRule[],
  signal: AbortSignal,
): Promise<Facts> {
  const { settings } = node;
  const needs = [...rules.flatMap((rule) => rule.needs), ...strengthNeeds];
  const processName =
    settings.process ?? (isOriginSettings(settings) ? usualProcess[settings.server] : undefined);
  const answers = await readNode(await placeOf(node), { who: name, settings, processName }, needs, signal);
  return new Facts(name, answers);
}
