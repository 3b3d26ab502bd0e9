import type { Look } from '../../rule';

/** Percent of one core that a thousand lean viewers cost at 60,000 packets a second: the upper end of what was measured. */
const percentPer60kPackets = 18;
/** Mean size of a media packet, as at 170 kbit/s and 60 packets a second up to full ones of a high bitrate. */
const packetBytes = { small: 350, large: 1100 } as const;

/** What a tester's share costs its agent, in percent of one core. Extrapolated from docs/performance.md. */
export function agentCostPercent({ viewers, mbps }: Look): number {
  const kbps = mbps === undefined || viewers === 0 ? 170 : (mbps * 1000) / viewers;
  const bytes = kbps <= 200 ? packetBytes.small : packetBytes.large;
  const packetsPerSecond = viewers * Math.max(44, (kbps * 1000) / 8 / bytes);
  return (packetsPerSecond / 60_000) * percentPer60kPackets;
}
