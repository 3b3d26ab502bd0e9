import { roomForViewers, type CapacityTest } from '../../domain/capacity';
import { formatBitrate } from '../../domain/charts';
import type { NodeView, StreamView } from '../../domain/node';
import type { CallInput } from '../../contract/engine';
import { counted, grouped, typedNumber } from '../format/numbers';

/** What somebody has typed; numbers are texts until they are checked. */
export interface CapacityForm {
  readonly from: string;
  readonly to: string;
  readonly protocol: 'tcp' | 'udp';
  readonly seconds: string;
  /** Mbit/s that are sent by UDP. */
  readonly rate: string;
  readonly port: string;
}

export interface CapacityProblem {
  readonly path: keyof CapacityForm;
  readonly sentence: string;
}

export const usualPort = 5201;

/** Why iperf3 can't be started on a node; undefined when it can. */
export function whyNotOn(node: NodeView): string | undefined {
  const isHere = node.builtIn || node.links?.some(({ kind }) => kind === 'loopback');
  const hasSsh = node.settings?.ssh !== undefined || node.links?.some(({ kind }) => kind === 'ssh');
  return isHere || hasSsh ? undefined : `${node.name} has no SSH, so iperf3 can't be started on it.`;
}

/** From the first origin to the first tester on another machine, as far as iperf3 can be started there. */
export function firstForm(nodes: readonly NodeView[]): CapacityForm {
  const usable = nodes.filter((node) => whyNotOn(node) === undefined);
  const far = [...usable].sort((a, b) => Number(a.builtIn ?? false) - Number(b.builtIn ?? false));
  const from = far.find(({ role }) => role === 'origin') ?? far[0];
  const others = far.filter((node) => node !== from);
  const to =
    others.find((node) => node.role === 'tester' && node.host !== from?.host) ??
    others.find((node) => node.host !== from?.host) ??
    others[0];
  return {
    from: from?.id ?? '',
    to: to?.id ?? '',
    protocol: 'tcp',
    seconds: '10',
    rate: '1,000',
    port: String(usualPort),
  };
}

function within(text: string, low: number, high: number): number | undefined {
  const value = typedNumber(text);
  return value !== undefined && value >= low && value <= high ? value : undefined;
}

/** What keeps a form from being measured. */
export function problemsOf(form: CapacityForm, nodes: readonly NodeView[]): readonly CapacityProblem[] {
  const problems: CapacityProblem[] = [];
  for (const path of ['from', 'to'] as const) {
    const node = nodes.find(({ id }) => id === form[path]);
    const sentence = node ? whyNotOn(node) : 'Choose a node.';
    if (sentence) problems.push({ path, sentence });
  }
  if (form.from === form.to && form.from !== '')
    problems.push({ path: 'to', sentence: 'Choose two nodes: there is no link from a node to itself.' });
  if (within(form.seconds, 1, 60) === undefined)
    problems.push({ path: 'seconds', sentence: 'A measurement takes 1 to 60 seconds.' });
  const rate = within(form.rate, 0, 100_000);
  if (form.protocol === 'udp' && !rate)
    problems.push({ path: 'rate', sentence: 'By UDP, more than 0 and at most 100,000 Mbit/s are sent.' });
  const port = within(form.port, 1, 65_535);
  if (port === undefined || !Number.isInteger(port))
    problems.push({ path: 'port', sentence: 'A port is a whole number from 1 to 65,535.' });
  return problems;
}

/** The order for the engine, from a form without problems. */
export function orderOf(form: CapacityForm): CallInput<'capacity.measure'> {
  const port = typedNumber(form.port);
  return {
    from: form.from,
    to: form.to,
    protocol: form.protocol,
    seconds: typedNumber(form.seconds) ?? 10,
    bitrateMbps: form.protocol === 'udp' ? typedNumber(form.rate) : undefined,
    port: port === usualPort ? undefined : port,
  };
}

/** What happens on which machine, and what has to be open. */
export function stepsOf(form: CapacityForm, nodes: readonly NodeView[]): readonly string[] {
  const nameOf = (id: string, other: string): string => nodes.find((node) => node.id === id)?.name ?? other;
  const from = nameOf(form.from, 'the first node');
  const to = nameOf(form.to, 'the second');
  const [hostFrom, hostTo] = [form.from, form.to].map((id) => nodes.find((node) => node.id === id)?.host);
  const port = form.port.trim() || String(usualPort);
  const ports = form.protocol === 'udp' ? `TCP and UDP port ${port}` : `TCP port ${port}`;
  return [
    `${to} starts iperf3 -s for this one measurement, ${from} sends to it, both end with it.`,
    `${ports} of ${to} must be open for ${from}.`,
    'iperf3 must be there on both; nothing is installed.',
    ...(hostFrom !== undefined && hostFrom === hostTo
      ? ['Both are on one machine, so this measures its loopback and no network.']
      : []),
  ];
}

export interface KnownBitrate {
  readonly stream: string;
  readonly kbps: number;
}

/** What viewers of the streams receive that are known, most watched first, those of the sending node before others. */
export function knownBitrates(nodes: readonly NodeView[], from: string): readonly KnownBitrate[] {
  const of = (node: NodeView): StreamView[] =>
    [...node.streams].sort((a, b) => (b.viewers ?? 0) - (a.viewers ?? 0));
  const ordered = [...nodes].sort((a, b) => Number(b.id === from) - Number(a.id === from)).flatMap(of);
  const known: KnownBitrate[] = [];
  for (const { stream, bitrateKbps } of ordered)
    if (bitrateKbps && !known.some((each) => each.stream === stream))
      known.push({ stream, kbps: Math.max(1, Math.round(bitrateKbps)) });
  return known.slice(0, 4);
}

/** `Room for 24,736 viewers at 380 kbit/s`; undefined while there is no bitrate. */
export function roomSentence(mbps: number, kbps: number | undefined): string | undefined {
  if (!kbps) return undefined;
  return `Room for ${counted(roomForViewers(mbps, kbps), 'viewer')} at ${grouped(kbps)} kbit/s`;
}

/** What was measured beside the rate: `0.2 % lost, jitter 0.02 ms`. */
export function detailOf({ protocol, retransmits, lossPercent, jitterMs }: CapacityTest): string {
  if (protocol === 'tcp') return retransmits === undefined ? '' : counted(retransmits, 'retransmit');
  return [
    lossPercent === undefined ? '' : `${grouped(lossPercent, 2)} % lost`,
    jitterMs === undefined ? '' : `jitter ${grouped(jitterMs, 2)} ms`,
  ]
    .filter(Boolean)
    .join(', ');
}

/** `9.4 Gbit/s`, or why there is no figure. */
export function outcomeOf(test: CapacityTest): string {
  switch (test.state) {
    case 'running':
      return `${Math.round(test.progress * 100)} %`;
    case 'done':
      return test.mbps === undefined ? 'no figure' : formatBitrate(test.mbps);
    case 'failed':
      return 'failed';
    case 'cancelled':
      return 'cancelled';
  }
}
