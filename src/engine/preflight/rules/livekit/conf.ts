import type { Facts } from '../../reading/facts';
import { yamlAt, yamlNumberAt } from '../../reading/yamlOf';
import type { Need } from '../../reading/need';
import type { PortRange } from '../../text/ports';
import { linesFor } from '../../text/properties';

export const livekitYaml: Need = { config: 'livekit.yaml' };

/** A number of LiveKit's configuration. Nothing else in it, its keys included, is read. */
export function number(facts: Facts, ...path: readonly string[]): number | undefined {
  const { text, path: file } = facts.config('livekit.yaml');
  return yamlNumberAt(text, file, ...path);
}

/** Media ports: one or several that all viewers share (`udp_port`), or a range with separate ports for each viewer. */
export function mediaPorts(facts: Facts): PortRange & { readonly isShared: boolean } {
  const { text, path: file } = facts.config('livekit.yaml');
  const shared = yamlAt(text, file, 'rtc', 'udp_port');
  if (typeof shared === 'number' && shared > 0) return { first: shared, last: shared, isShared: true };
  const match = typeof shared === 'string' ? /^(\d+)(?:-(\d+))?$/.exec(shared) : null;
  if (match) return { first: Number(match[1]), last: Number(match[2] ?? match[1]), isShared: true };
  return {
    first: number(facts, 'rtc', 'port_range_start') ?? 50_000,
    last: number(facts, 'rtc', 'port_range_end') ?? 60_000,
    isShared: false,
  };
}

export const livekitFix = (facts: Facts, ...lines: readonly string[]): string =>
  linesFor(facts.config('livekit.yaml').path, lines, 'restart livekit-server');
