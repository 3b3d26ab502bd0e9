import type { Influence } from '../evidence/evidence';
import { isOfCpu } from '../tester/testerEffects';

/** Sentences of the same cause that a reason lists; the rest is counted. */
const maxListed = 3;

/**
 * One influence per cause, since reasons of one cause are one reason: all machines whose CPU others used, with the
 * limits of the testers on them that follow from it; then the limits of testers by resource. Machines come first, as they
 * may have caused the limits, then the earlier ones. `hostOf` is the host of a node.
 */
export function mergedInfluences(
  all: readonly Influence[],
  hostOf: (node: string) => string | undefined,
): readonly Influence[] {
  const each = worstOfEachMachine(distinct(all));
  const hosts = new Set(each.flatMap(({ machine }) => machine?.host ?? []));
  const groups = new Map<string, Influence[]>();
  for (const influence of each) {
    const key = causeKey(influence, hosts, hostOf);
    groups.set(key, [...(groups.get(key) ?? []), influence]);
  }
  return [...groups.values()].map(merged).sort((a, b) => rank(a) - rank(b) || a.timeMs - b.timeMs);
}

function causeKey(
  { cause, machine, limit, sentence, node }: Influence,
  hosts: ReadonlySet<string>,
  hostOf: (node: string) => string | undefined,
): string {
  if (machine) return 'machine';
  if (cause === 'publisher') return cause;
  if (limit === undefined) return sentence;
  if (!isOfCpu(limit)) return limit;
  const host = node === undefined ? undefined : hostOf(node);
  return host !== undefined && hosts.has(host) ? 'machine' : 'cpu';
}

/** The first of a cause with the others: of machines the one most used, of testers the first at its limit. */
function merged(group: readonly Influence[]): Influence {
  const sorted = [...group].sort(
    (a, b) => rank(a) - rank(b) || (b.machine?.percent ?? 0) - (a.machine?.percent ?? 0) || a.timeMs - b.timeMs,
  );
  const [first = group[0], ...others] = sorted;
  if (!first) throw new Error('A group of influences is never empty.');
  if (others.length === 0) return first;
  const listed = others.slice(0, maxListed).map(({ sentence }) => withinSentence(sentence));
  const more = others.length - listed.length;
  const rest = more > 0 ? `; and ${more} more` : '';
  return { ...first, sentence: `${first.sentence} Also: ${listed.join('; ')}${rest}.` };
}

function withinSentence(sentence: string): string {
  const text = sentence.replace(/\.$/, '');
  return /^(The|This) machine /.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text;
}

const rank = ({ cause }: Influence): number => (cause === 'machine' ? 0 : 1);

/** Each sentence once, by its earliest time. */
function distinct(all: readonly Influence[]): readonly Influence[] {
  const known = new Map<string, Influence>();
  for (const influence of all) {
    const before = known.get(influence.sentence);
    if (!before || influence.timeMs < before.timeMs) known.set(influence.sentence, influence);
  }
  return [...known.values()];
}

/** A machine whose CPU others used is one influence, whatever it spoilt: the highest use stands for all. */
function worstOfEachMachine(all: readonly Influence[]): readonly Influence[] {
  const worst = new Map<string, Influence>();
  for (const each of all) {
    const known = each.machine && worst.get(each.machine.host);
    if (each.machine && (known?.machine?.percent ?? -1) < each.machine.percent) worst.set(each.machine.host, each);
  }
  return all.filter((each) => each.machine === undefined || worst.get(each.machine.host) === each);
}
