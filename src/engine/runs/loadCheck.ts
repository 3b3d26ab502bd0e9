import type { NodeView } from '../../domain/node';
import type { HostLoadWatch } from '../fleet/hostLoadWatch';

/**
 * The check "load before the test": what other programs take of each host of these nodes now. It costs nothing, since hosts are measured all
 * the time, so it is part of each start.
 */
export function loadChecks(
  loads: HostLoadWatch,
  nodes: ReadonlyArray<Pick<NodeView, 'host' | 'name'>>,
  cpuLimit: number | undefined,
): Array<{ readonly good: boolean; readonly sentence: string }> {
  const first = nodes.filter(({ host }, place) => nodes.findIndex((each) => each.host === host) === place);
  return first.flatMap((node) => {
    const load = loads.before(node, cpuLimit);
    return load ? [{ good: load.state === 'quiet', sentence: load.sentence }] : [];
  });
}
