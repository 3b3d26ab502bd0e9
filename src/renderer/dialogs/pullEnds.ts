import type { NodeView } from '../../domain/node';
import { agentIdleBounds } from '../../domain/agentIdle';
import type { TesterKind } from '../../domain/nodeSettings';

/** How an audience ends when this app is gone, by the kind of tester; the agents keep to these times by themselves. */
const withoutUs: readonly {
  readonly kind: TesterKind;
  readonly ends: (who: string, many: boolean, idleSeconds: number) => string;
}[] = [
  { kind: 'local', ends: () => 'here after 10 s' },
  { kind: 'ssh', ends: (who, _many, idleSeconds) => `on ${who} after ${idleSeconds} s` },
  { kind: 'wcs', ends: (who, many) => `but ${who} ${many ? 'keep' : 'keeps'} pulling` },
];

/**
 * How a pull ends, in one sentence.
 * @param ends when, e.g. `at 18:46:35` or `after about 6 min`; undefined when it has no end of its own
 * @param idleSeconds how long agents on SSH testers play on without this app
 */
export function endsByItself(
  testers: readonly NodeView[],
  ends: string | undefined,
  idleSeconds: number = agentIdleBounds.usual,
): string {
  const byItself = ends === undefined ? 'Stops on Stop all' : `Stops itself ${ends}, or on Stop all`;
  const gone = withoutUs.flatMap(({ kind, ends }) => {
    const names = testers.filter((tester) => kindOf(tester) === kind).map(({ name }) => name);
    if (names.length === 0) return [];
    const who = names.length > 2 ? `${names.length} testers` : names.join(' and ');
    return [ends(who, names.length > 1, idleSeconds)];
  });
  if (gone.length === 0) return byItself;
  const onlyKeeps = testers.every((tester) => kindOf(tester) === 'wcs');
  const words = gone.join(', ');
  return `${byItself}. Once this app is gone, ${onlyKeeps ? words.replace(/^but /, '') : `it ends ${words}`}`;
}

function kindOf({ settings }: NodeView): TesterKind {
  return settings && 'tester' in settings ? settings.tester : 'local';
}
