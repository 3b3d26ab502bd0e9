import type { NodeView } from '../../../domain/model/node';
import { agentIdleBounds } from '../../../domain/node/agentIdle';
import type { TesterKind } from '../../../domain/model/nodeSettings';

/** When viewers disconnect after the app exits, by kind of tester; the agents enforce these timeouts. */
const idleStops: readonly {
  readonly kind: TesterKind;
  readonly ends: (who: string, many: boolean, idleSeconds: number) => string;
}[] = [
  { kind: 'local', ends: () => 'here after 10 s' },
  { kind: 'ssh', ends: (who, _many, idleSeconds) => `on ${who} after ${idleSeconds} s` },
  { kind: 'kubernetes', ends: (who, _many, idleSeconds) => `in ${who} after ${idleSeconds} s` },
  { kind: 'wcs', ends: (who, many) => `but ${who} ${many ? 'keep' : 'keeps'} pulling` },
];

/**
 * How a pull stops, in one sentence.
 * @param ends when, e.g. `at 18:46:35` or `after about 6 min`; undefined if it has no scheduled end
 * @param idleSeconds idle timeout of agents on SSH testers
 */
export function pullStopText(
  testers: readonly NodeView[],
  ends: string | undefined,
  idleSeconds: number = agentIdleBounds.usual,
): string {
  const planned = ends === undefined ? 'Stops on Stop all' : `Stops ${ends}, or on Stop all`;
  const parts = idleStops.flatMap(({ kind, ends }) => {
    const names = testers.filter((tester) => kindOf(tester) === kind).map(({ name }) => name);
    if (names.length === 0) return [];
    const who = names.length > 2 ? `${names.length} testers` : names.join(' and ');
    return [ends(who, names.length > 1, idleSeconds)];
  });
  if (parts.length === 0) return planned;
  const onlyKeeps = testers.every((tester) => kindOf(tester) === 'wcs');
  const words = parts.join(', ');
  return `${planned}. If the app exits, ${onlyKeeps ? words.replace(/^but /, '') : `it stops ${words}`}`;
}

function kindOf({ settings }: NodeView): TesterKind {
  return settings && 'tester' in settings ? settings.tester : 'local';
}
