import type { NodeView } from '../../domain/model/node';
import type { HostLoadWatch } from '../fleet/hostLoadWatch';

/**
 * The check "load before the test": current use of each host by other programs. It costs nothing, since hosts are
 * always measured, so it is part of each start.
 */
export function loadChecks(
  loads: HostLoadWatch,
  nodes: ReadonlyArray<Pick<NodeView, 'host' | 'name'>>,
  cpuLimit: number | undefined,
): Array<{ readonly good: boolean; readonly sentence: string }> {
  const first = nodes.filter(({ host }, place) => nodes.findIndex((node) => node.host === host) === place);
  return first.flatMap((node) => {
    const load = loads.before(node, cpuLimit);
    return load ? [{ good: load.state === 'quiet', sentence: load.sentence }] : [];
  });
}
