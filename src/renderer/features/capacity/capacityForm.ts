import { viewerCapacity, type CapacityTest } from '../../../domain/model/capacity';
import { formatBitrate } from '../../../domain/charts/charts';
import type { NodeView, StreamView } from '../../../domain/model/node';
import type { CallInput } from '../../../contract/engine';
import { counted, grouped, typedNumber } from '../../ui/format/numbers';

/** Form input; numbers are strings until they are validated. */
export interface CapacityForm {
  readonly from: string;
  readonly to: string;
  readonly protocol: 'tcp' | 'udp';
  readonly seconds: string;
  /** UDP rate, Mbit/s. */
  readonly rate: string;
  readonly port: string;
}

export interface CapacityProblem {
  readonly path: keyof CapacityForm;
  readonly sentence: string;
}

export const usualPort = 5201;

/** Why iperf3 can't be started on a node; undefined when it can. */
export function unavailableReason(node: NodeView): string | undefined {
  const isHere = node.builtIn || node.links?.some(({ kind }) => kind === 'loopback');
  const hasSsh = node.settings?.ssh !== undefined || node.links?.some(({ kind }) => kind === 'ssh');
  return isHere || hasSsh ? undefined : `${node.name} has no SSH: iperf3 can't be started on it.`;
}

/** From the first origin to the first tester on another machine, if iperf3 can be started there. */
export function firstForm(nodes: readonly NodeView[]): CapacityForm {
  const usable = nodes.filter((node) => unavailableReason(node) === undefined);
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

/** Problems of a form. */
export function problemsOf(form: CapacityForm, nodes: readonly NodeView[]): readonly CapacityProblem[] {
  const problems: CapacityProblem[] = [];
  for (const path of ['from', 'to'] as const) {
    const node = nodes.find(({ id }) => id === form[path]);
    const sentence = node ? unavailableReason(node) : 'Choose a node.';
    if (sentence) problems.push({ path, sentence });
  }
  if (form.from === form.to && form.from !== '') problems.push({ path: 'to', sentence: 'Choose two different nodes.' });
  if (within(form.seconds, 1, 60) === undefined) problems.push({ path: 'seconds', sentence: 'Enter 1 to 60 seconds.' });
  const rate = within(form.rate, 0, 100_000);
  if (form.protocol === 'udp' && !rate)
    problems.push({ path: 'rate', sentence: 'Enter a UDP rate above 0, max 100,000 Mbit/s.' });
  const port = within(form.port, 1, 65_535);
  if (port === undefined || !Number.isInteger(port))
    problems.push({ path: 'port', sentence: 'Enter a port from 1 to 65,535.' });
  return problems;
}

/** The request to the engine, from a form without problems. */
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

/** What runs on which machine, and which ports must be open. */
export function stepsOf(form: CapacityForm, nodes: readonly NodeView[]): readonly string[] {
  const nameOf = (id: string, other: string): string => nodes.find((node) => node.id === id)?.name ?? other;
  const from = nameOf(form.from, 'the first node');
  const to = nameOf(form.to, 'the second');
  const [hostFrom, hostTo] = [form.from, form.to].map((id) => nodes.find((node) => node.id === id)?.host);
  const port = form.port.trim() || String(usualPort);
  const ports = form.protocol === 'udp' ? `TCP and UDP port ${port}` : `TCP port ${port}`;
  return [
    `${to} runs iperf3 -s for this measurement and ${from} sends to it. Both stop afterwards.`,
    `${ports} of ${to} must be open for ${from}.`,
    'iperf3 must be installed on both; Fullhouse does not install it.',
    ...(hostFrom !== undefined && hostFrom === hostTo
      ? ['Both are on one machine: this measures loopback, not a network.']
      : []),
  ];
}

export interface KnownBitrate {
  readonly stream: string;
  readonly kbps: number;
}

/** Known bitrates of streams, most viewed first, those of the sending node before others. */
export function knownBitrates(nodes: readonly NodeView[], from: string): readonly KnownBitrate[] {
  const of = (node: NodeView): StreamView[] => [...node.streams].sort((a, b) => (b.viewers ?? 0) - (a.viewers ?? 0));
  const ordered = [...nodes].sort((a, b) => Number(b.id === from) - Number(a.id === from)).flatMap(of);
  const known: KnownBitrate[] = [];
  for (const { stream, bitrateKbps } of ordered)
    if (bitrateKbps && !known.some((each) => each.stream === stream))
      known.push({ stream, kbps: Math.max(1, Math.round(bitrateKbps)) });
  return known.slice(0, 4);
}

/** `Capacity: 24,736 viewers at 380 kbit/s`; undefined while there is no bitrate. */
export function roomSentence(mbps: number, kbps: number | undefined): string | undefined {
  if (!kbps) return undefined;
  return `Capacity: ${counted(viewerCapacity(mbps, kbps), 'viewer')} at ${grouped(kbps)} kbit/s`;
}

/** Further results: `0.2 % lost, jitter 0.02 ms`. */
export function detailOf({ protocol, retransmits, lossPercent, jitterMs }: CapacityTest): string {
  if (protocol === 'tcp') return retransmits === undefined ? '' : counted(retransmits, 'retransmit');
  return [
    lossPercent === undefined ? '' : `${grouped(lossPercent, 2)} % lost`,
    jitterMs === undefined ? '' : `jitter ${grouped(jitterMs, 2)} ms`,
  ]
    .filter(Boolean)
    .join(', ');
}

/** `9.4 Gbit/s`, or why there is no result. */
export function outcomeOf(test: CapacityTest): string {
  switch (test.state) {
    case 'running':
      return `${Math.round(test.progress * 100)} %`;
    case 'done':
      return test.mbps === undefined ? 'no result' : formatBitrate(test.mbps);
    case 'failed':
      return 'failed';
    case 'cancelled':
      return 'cancelled';
  }
}
