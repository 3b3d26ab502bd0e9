import { FullhouseError } from '../../../contract/calls';
import { matchesPatterns } from './configLine';

/** What the criteria of a Match block are compared with. */
export interface MatchFacts {
  /** With HostName, as far as it is known. */
  readonly host: string;
  /** As entered. */
  readonly originalHost: string;
  readonly user: string;
  readonly localUser: string;
  readonly tag: string;
  /** The second reading of the files, which `Match final` and CanonicalizeHostname request. */
  readonly isFinal: boolean;
  readonly wantFinal: () => void;
}

/**
 * Whether a Match block applies; a text names the criterion that Fullhouse does not evaluate, on which it depends.
 */
export type MatchResult = boolean | string;

const compared: Readonly<Record<string, (facts: MatchFacts) => string>> = {
  host: ({ host }) => host,
  originalhost: ({ originalHost }) => originalHost,
  user: ({ user }) => user,
  localuser: ({ localUser }) => localUser,
  tagged: ({ tag }) => tag,
};
/** Criteria with an argument that are not evaluated. `exec` would run a program at every attempt to connect. */
const notEvaluated = new Set(['exec', 'localnetwork', 'command', 'sessiontype', 'version']);

/** Evaluates a Match line; its criteria are words, each with `!` for its opposite. Rejects with `ssh-config`. */
export function evaluateMatch(words: readonly string[], facts: MatchFacts): MatchResult {
  // One that does not hold decides; otherwise one that is not evaluated does.
  let isExcluded = false;
  let open: string | undefined;
  const left = [...words];
  if (left.length === 0) throw new FullhouseError('ssh-config', 'Match has no criterion');
  let count = 0;
  for (let word = left.shift(); word !== undefined; word = left.shift()) {
    count += 1;
    // `host=a` is `host a`.
    const assignment = /^(!?[a-z]+)=(.*)$/i.exec(word);
    if (assignment) {
      word = assignment[1] ?? '';
      left.unshift(assignment[2] ?? '');
    }
    const isNegated = word.startsWith('!');
    const criterion = word.slice(isNegated ? 1 : 0).toLowerCase();
    const apply = (holds: boolean): void => {
      isExcluded ||= holds === isNegated;
    };
    if (criterion === 'all') {
      const isFirst = count === 1 || (count === 2 && ['canonical', 'final'].includes(words[0]?.toLowerCase() ?? ''));
      if (!isFirst || left.length > 0)
        throw new FullhouseError('ssh-config', 'Match all can be combined with canonical or final only');
      apply(true);
    } else if (criterion === 'canonical' || criterion === 'final') {
      if (criterion === 'final') facts.wantFinal();
      apply(facts.isFinal);
    } else {
      const argument = left.shift();
      const value = compared[criterion];
      if (!value && !notEvaluated.has(criterion))
        throw new FullhouseError('ssh-config', `Match has the unknown criterion "${criterion}"`);
      if (argument === undefined) throw new FullhouseError('ssh-config', `Match ${criterion} has no argument`);
      // Without a tag only "" matches.
      if (criterion === 'tagged' && facts.tag === '') apply(argument === '');
      else if (value) apply(matchesPatterns(value(facts), argument.split(',')));
      else open ??= `Match ${criterion}`;
    }
  }
  return isExcluded ? false : (open ?? true);
}
