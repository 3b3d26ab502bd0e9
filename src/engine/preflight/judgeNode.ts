import type { PreflightFinding, PreflightResult } from '../../domain/model/preflightReport';
import { isSameMachine, isCertain, machinesOf, type MachineIdentity } from '../../domain/preflight/sameMachine';
import { asSentence } from '../../domain/text/sentence';
import { UnreadableError, type Facts } from './reading/facts';
import { isAbout, unread, type RuleResult, type CheckContext, type PreflightRule } from './rule';

/** A node with everything that was read of it. */
export interface ReadNode {
  readonly context: CheckContext;
  readonly facts: Facts;
  readonly identity: MachineIdentity;
}

/** Results of all rules by plan name: a machine rule once for all nodes on the machine, any other for each node. */
export function judgeAll(rules: readonly PreflightRule[], nodes: ReadonlyMap<string, ReadNode>): PreflightFinding[] {
  const machines = machinesOf(new Map([...nodes].map(([name, { identity }]) => [name, identity])));
  return [...nodes].flatMap(([name, node]) => {
    const context = withSameMachine(node, nodes);
    const machine = machines.find((names) => names.includes(name)) ?? [name];
    return rules.flatMap((rule) => {
      if (!isAbout(rule, context)) return [];
      if (rule.isOfMachine !== true) return [finding(rule, context.node, judged(rule, node.facts, context))];
      const all = machine.flatMap((name) => {
        const other = nodes.get(name);
        return other && isAbout(rule, other.context) ? [other] : [];
      });
      return groupsByResult(rule, all).flatMap((group) =>
        group.nodes[0] === node ? [findingOfMachine(rule, group)] : [],
      );
    });
  });
}

/** Results for a single node. A rule of the catalogue can read only what it has declared. */
export function judgeNode(rules: readonly PreflightRule[], facts: Facts, context: CheckContext): PreflightFinding[] {
  return rules.map((rule) => finding(rule, context.node, judged(rule, facts, context)));
}

const severity: readonly PreflightResult[] = ['fail', 'warn', 'pass', 'unread'];

/** Nodes of one machine with the same result of a rule, and the one to quote. */
interface SameResult {
  readonly nodes: readonly ReadNode[];
  readonly example: ReadNode;
}

/**
 * A machine's settings are mostly the same through every node, so they are one finding. A container may have its own
 * setting on the same kernel: then each result names its own nodes. A node without a reading joins the others.
 */
function groupsByResult(rule: PreflightRule, nodes: readonly ReadNode[]): readonly SameResult[] {
  const results = nodes.map(({ facts, context }) => judged(rule, facts, context).result);
  const worst = severity.find((result) => results.includes(result));
  return severity.flatMap((result) => {
    const example = nodes[results.indexOf(result)];
    if (!example || (result === 'unread' && worst !== 'unread')) return [];
    const same = nodes.filter(
      (_node, place) => results[place] === result || (result === worst && results[place] === 'unread'),
    );
    return [{ nodes: same, example }];
  });
}

function findingOfMachine(rule: PreflightRule, { nodes, example }: SameResult): PreflightFinding {
  const names = nodes.map(({ context }) => context.node);
  const [first = ''] = names;
  if (names.length < 2) return finding(rule, first, judged(rule, example.facts, example.context));
  // One name for all of them: the sentences of rules have one subject.
  const outcome = judged(rule, example.facts, { ...example.context, node: `the machine of ${listText(names)}` });
  return finding(rule, first, { ...outcome, sentence: asSentence(outcome.sentence) });
}

/** `a, b and c` */
function listText(names: readonly string[]): string {
  return [names.slice(0, -1).join(', '), names.at(-1) ?? ''].filter(Boolean).join(' and ');
}

function withSameMachine({ context, identity }: ReadNode, nodes: ReadonlyMap<string, ReadNode>): CheckContext {
  const others = [...nodes].filter(([name]) => name !== context.node);
  const names = (isThis: (other: MachineIdentity) => boolean): string[] =>
    others.filter(([, other]) => isThis(other.identity)).map(([name]) => name);
  return {
    ...context,
    sharedWith: names((other) => isSameMachine(identity, other)),
    unsure: names((other) => !isCertain(identity, other)),
  };
}

function finding(rule: PreflightRule, node: string, { result, sentence, fix }: RuleResult): PreflightFinding {
  return {
    rule: rule.id,
    title: rule.title,
    node,
    result,
    sentence,
    why: rule.why,
    ...(fix === undefined ? {} : { fix }),
    source: rule.source,
  };
}

function judged(rule: PreflightRule, facts: Facts, context: CheckContext): RuleResult {
  try {
    return rule.judge(facts.only(rule.needs), context);
  } catch (error) {
    if (error instanceof UnreadableError) return unread(error.message);
    throw error;
  }
}
