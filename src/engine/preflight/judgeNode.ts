import type { PreflightFinding, PreflightResult } from '../../domain/preflight/report';
import { isSameMachine, isSure, machinesOf, type MachineIdentity } from '../../domain/preflight/sameMachine';
import { UnreadError, type Facts } from './reading/facts';
import { unread, type Judged, type Look, type PreflightRule } from './rule';

/** A node with all that was read of it. */
export interface ReadNode {
  readonly look: Look;
  readonly facts: Facts;
  readonly identity: MachineIdentity;
}

/** What each rule says of nodes, by the plan's names: a rule of the machine once for all nodes on it, any other for each node. */
export function judgeAll(
  rules: readonly PreflightRule[],
  nodes: ReadonlyMap<string, ReadNode>,
): PreflightFinding[] {
  const machines = machinesOf(new Map([...nodes].map(([name, { identity }]) => [name, identity])));
  return [...nodes].flatMap(([name, node]) => {
    const look = withNeighbours(node, nodes);
    const machine = machines.find((names) => names.includes(name)) ?? [name];
    return rules.flatMap((rule) => {
      if (!rule.applies(look)) return [];
      if (rule.isOfMachine !== true) return [finding(rule, look.node, judged(rule, node.facts, look))];
      const all = machine.flatMap((each) => {
        const other = nodes.get(each);
        return other && rule.applies(other.look) ? [other] : [];
      });
      return groupsByResult(rule, all).flatMap((group) =>
        group.nodes[0] === node ? [findingOfMachine(rule, group)] : [],
      );
    });
  });
}

/** What each rule says of a node alone. A rule of the catalogue sees what it has named and no more. */
export function judgeNode(rules: readonly PreflightRule[], facts: Facts, look: Look): PreflightFinding[] {
  return rules.map((rule) => finding(rule, look.node, judged(rule, facts, look)));
}

const severity: readonly PreflightResult[] = ['fail', 'warn', 'pass', 'unread'];

/** Nodes of one machine of which a rule says the same, and the one to quote. */
interface SameResult {
  readonly nodes: readonly ReadNode[];
  readonly example: ReadNode;
}

/**
 * What is of the machine is mostly the same whichever node it is read by, so it is one finding. A container may have a setting of its own on the
 * same kernel: there each result names its own nodes. A node that tells nothing joins those that do.
 */
function groupsByResult(rule: PreflightRule, nodes: readonly ReadNode[]): readonly SameResult[] {
  const results = nodes.map(({ facts, look }) => judged(rule, facts, look).result);
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
  const names = nodes.map(({ look }) => look.node);
  const said = judged(rule, example.facts, { ...example.look, node: names.join(' and ') });
  return finding(rule, names[0] ?? '', said);
}

function withNeighbours({ look, identity }: ReadNode, nodes: ReadonlyMap<string, ReadNode>): Look {
  const others = [...nodes].filter(([name]) => name !== look.node);
  const names = (isThis: (other: MachineIdentity) => boolean): string[] =>
    others.filter(([, other]) => isThis(other.identity)).map(([name]) => name);
  return {
    ...look,
    together: names((other) => isSameMachine(identity, other)),
    unsure: names((other) => !isSure(identity, other)),
  };
}

function finding(rule: PreflightRule, node: string, { result, sentence, fix }: Judged): PreflightFinding {
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

function judged(rule: PreflightRule, facts: Facts, look: Look): Judged {
  try {
    return rule.judge(facts.only(rule.needs), look);
  } catch (error) {
    if (error instanceof UnreadError) return unread(error.message);
    throw error;
  }
}
