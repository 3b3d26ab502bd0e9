import type { Facts } from '../../reading/facts';
import type { PortRange } from '../../text/ports';
import { wcsNumber, wcsSetting } from '../../text/properties';

/** Media ports configured in WCS; `isDefault` where the file has none. */
export function mediaPorts(facts: Facts): PortRange & { readonly isDefault: boolean } {
  const [from, to] = [wcsNumber(facts, 'media_port_from'), wcsNumber(facts, 'media_port_to')];
  // The last port is never used.
  return {
    first: from ?? 31_001,
    last: (to ?? 32_000) - 1,
    isDefault: from === undefined && to === undefined,
  };
}

/** Ports of one session: an even one, and two without bundling. */
export function portsPerSession(facts: Facts): number {
  return wcsSetting(facts, 'rtp_bundle') === 'false' ? 2 : 1;
}

/** Sessions that fit into a range: every second port, from the first even one, unless all are used. */
export function sessionsIn({ first, last }: PortRange, facts: Facts): number {
  const isCompact = wcsSetting(facts, 'compact_media_port_usage') === 'true';
  const even = first % 2 === 0 ? first : first + 1;
  const ports = isCompact ? last - first + 1 : Math.floor((last - even) / 2) + 1;
  return Math.max(0, Math.floor(ports / portsPerSession(facts)));
}
