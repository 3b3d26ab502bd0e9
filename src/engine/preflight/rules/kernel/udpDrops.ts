import { pass, unread, warn, usesUdp, type PreflightRule } from '../../rule';
import { whole } from '../../text/numbers';

const snmp = '/proc/net/snmp';

/** UDP counters since boot, by name. Pure. */
function udpCounters(text: string): ReadonlyMap<string, number> {
  const rows = text.split('\n').filter((line) => line.startsWith('Udp: '));
  const [names, values] = rows.map((line) => line.split(/\s+/).slice(1));
  return new Map((names ?? []).map((name, index) => [name, Number(values?.[index])]));
}

export const udpDrops: PreflightRule = {
  id: 'kernel.udp-drops',
  title: 'UDP drops so far',
  checks: 'RcvbufErrors and SndbufErrors since boot.',
  why: 'A machine that dropped datagrams at a lower load drops more under this one.',
  good: 'less than 0.1 % of the datagrams',
  source: 'Linux: /proc/net/snmp; StreamHub: Capacity planning & latency tuning (L1)',
  isOfMachine: true,
  applies: usesUdp,
  needs: [{ file: snmp }],
  judge: (facts, { node }) => {
    const counters = udpCounters(facts.file(snmp));
    const at = (name: string): number => counters.get(name) ?? 0;
    const all = at('InDatagrams') + at('OutDatagrams');
    const dropped = at('RcvbufErrors') + at('SndbufErrors');
    if (counters.size === 0) return unread(`${snmp} of ${node} contains no UDP counters.`);
    const read = `${node} has dropped ${whole(dropped)} of ${whole(all)} datagrams since boot because buffers were full`;
    return dropped * 1000 <= all ? pass(`${read}.`) : warn(`${read}; see UDP receive buffer and UDP send buffer.`);
  },
};
