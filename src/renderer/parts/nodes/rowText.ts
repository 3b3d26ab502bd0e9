import { counted } from '../../ui/format/numbers';
import { thisMachine } from '../../../domain/model/host';
import type { ClockView, GroupView, LinkView, NodeFix, NodeView } from '../../../domain/model/node';
import { isOriginSettings, type NodeSettings } from '../../../domain/model/nodeSettings';
import { streamAddressKeys } from '../../../domain/model/addressKeys';
import { formatFigure, missing } from '../../../domain/text/numberFormat';
import { age } from '../../ui/format/times';
import { protocolNames } from '../../../domain/model/protocols';

/** The built-in lab and tester of this machine. */
export function isBuiltIn(node: NodeView): boolean {
  return node.builtIn ?? node.settings === undefined;
}

/** Nodes to list beside the charts: idle built-in nodes are hidden once others exist. */
export function sidebarNodes(nodes: readonly NodeView[]): readonly NodeView[] {
  if (nodes.every(isBuiltIn)) return nodes;
  return nodes.filter((node) => !isBuiltIn(node) || node.state !== 'idle');
}

/** The address of the node, on one line. */
export function addressOf(node: NodeView): string {
  const { settings } = node;
  if (!settings || isBuiltIn(node)) return node.reach;
  if (!isOriginSettings(settings)) return settings.ssh ?? settings.url ?? node.reach;
  const { url, ssh } = settings;
  const stream = streamAddressKeys.find((key) => settings[key] !== undefined);
  return shortAddress(url ?? (stream && settings[stream]) ?? ssh ?? node.reach);
}

/** Without `http://` and a trailing slash. */
function shortAddress(address: string): string {
  return address.replace(/^http:\/\//, '').replace(/^([^/]*)\/$/, '$1');
}

export function roleText(node: NodeView): string {
  return node.server === 'lab' && isBuiltIn(node) ? 'lab' : node.role;
}

const linkTexts: Readonly<Record<LinkView['kind'], string>> = {
  loopback: 'loopback',
  ssh: 'SSH',
  agent: 'agent',
  api: 'API',
  metrics: 'metrics',
  media: 'media',
};

/** A link to a node, for its cell: name and problem. */
export interface LinkText {
  readonly text: string;
  readonly isOff: boolean;
  readonly isSelfSigned: boolean;
  readonly title: string;
}

export function linkText(link: LinkView): LinkText {
  const text = link.label || linkTexts[link.kind];
  const state = { connecting: 'connecting', live: 'connected', lost: 'lost', off: 'not used' }[link.state];
  const trust = link.selfSigned ? ' Certificate not verified, as configured.' : '';
  return {
    text,
    isOff: link.state === 'lost' || link.state === 'off',
    isSelfSigned: link.selfSigned === true,
    title: `${text}: ${link.problem ?? state}.${trust}`.replace('..', '.'),
  };
}

export interface CanText {
  readonly word: 'publish' | 'pull' | 'play';
  readonly isPossible: boolean;
  readonly title: string;
}

/** The three chips of a row. A tester publishes to and pulls from origins; it serves no playback. */
export function canTexts(node: NodeView): readonly CanText[] {
  const { can } = node;
  return (['publish', 'pull', 'play'] as const).map((word) => {
    const protocols = can?.[word] ?? [];
    const names = protocols.map((protocol) => protocolNames[protocol]).join(', ');
    return {
      word,
      isPossible: protocols.length > 0,
      title: names ? `${word} over ${names}` : `${word}: not supported`,
    };
  });
}

/** `+1.8 ± 0.4`; the sign of a negative is a minus, which is as wide as the plus. */
export function clockText(clock: ClockView): string {
  const offset = formatFigure(Math.abs(clock.offsetMs), 'tenths');
  const sign = Number(offset.replaceAll(',', '')) === 0 ? '' : clock.offsetMs < 0 ? '−' : '+';
  return `${sign}${offset} ± ${formatFigure(clock.uncertaintyMs, 'tenths')}`;
}

/** Nodes of this machine share its clock. */
export function sharesLocalClock(node: NodeView): boolean {
  return isBuiltIn(node) || node.host === thisMachine;
}

export interface StateText {
  readonly text: string;
  readonly tone: 'ok' | 'quiet' | 'warning' | 'failure';
  readonly isHollow: boolean;
}

export function stateText(node: NodeView, nowMs: number): StateText {
  const last = node.lastSampleMs === undefined ? undefined : age(node.lastSampleMs, nowMs);
  const withAge = (word: string): string => (last === undefined ? word : `${word}, ${last}`);
  switch (node.state) {
    case 'live':
      if (node.group) return groupText(node.group);
      return node.isSlow && node.responseMs !== undefined
        ? { text: `responds in ${secondsText(node.responseMs)}`, tone: 'warning', isHollow: false }
        : { text: withAge('live'), tone: 'ok', isHollow: false };
    case 'idle':
      return { text: withAge('idle'), tone: 'quiet', isHollow: true };
    case 'starting':
      return { text: node.group ? groupText(node.group).text : 'connecting', tone: 'quiet', isHollow: true };
    case 'stale':
      return {
        text: last === undefined ? 'stale' : `stale, last ${last} ago`,
        tone: 'warning',
        isHollow: true,
      };
    case 'failed':
      return { text: 'failed', tone: 'failure', isHollow: false };
  }
}

/** `18 of 20 ready` */
function groupText({ ready, size }: GroupView): StateText {
  return { text: `${ready} of ${size} ready`, tone: ready < size ? 'warning' : 'ok', isHollow: false };
}

/** `2.3 s`, or ms below 1 s. */
export function secondsText(ms: number): string {
  return ms < 1000 ? `${formatFigure(ms, 'integer')} ms` : `${formatFigure(ms / 1000, 'tenths')} s`;
}

/** Cells that a problem empties; its sentence is shown there. */
export interface NodeTrouble {
  readonly from: 'can' | 'figures' | 'state';
  readonly tone: 'note' | 'warning' | 'failure';
  readonly sentence: string;
}

/** Reconnecting is not enough: a key, a secret or the settings have to be changed first, e.g. a changed host key. */
export function waitsForPerson({ state, problem, fix }: NodeView): boolean {
  return (state === 'stale' || state === 'failed') && problem !== undefined && fix !== undefined && fix !== 'reconnect';
}

/** @param hasFigures whether CPU or memory of the host is measured */
export function nodeProblemOf(node: NodeView, hasFigures: boolean): NodeTrouble | undefined {
  if (node.state === 'failed' || waitsForPerson(node))
    return { from: 'can', tone: 'failure', sentence: node.problem ?? `${node.name} is unavailable.` };
  if (node.state === 'stale') return undefined;
  if (!node.problem)
    return node.note && !hasFigures ? { from: 'figures', tone: 'note', sentence: node.note } : undefined;
  return { from: hasFigures ? 'state' : 'figures', tone: 'warning', sentence: node.problem };
}

export const fixLabels: Readonly<Record<NodeFix, string>> = {
  'add-ssh': 'Add SSH',
  'trust-key': 'Trust key…',
  'compare-keys': 'Compare keys',
  'enter-secret': 'Enter secret',
  reconnect: 'Reconnect',
  edit: 'Edit',
};

/** Software name for the server's cell. */
export function softwareText(node: NodeView): string {
  return node.software ?? (node.server && node.server !== 'generic' ? node.server : missing);
}

/** Whether the node may hold an agent, or pulls left on a WCS. */
export function hasAgent(settings: NodeSettings | undefined): boolean {
  // Pods and all that is in them exist during a run only.
  return settings !== undefined && 'tester' in settings && !['local', 'kubernetes'].includes(settings.tester);
}

/** Sources of a node's figures, one line per kind; undefined without data. */
export function figureSourcesText({ figureSources = [] }: NodeView): string | undefined {
  const lines = figureSources.map(({ figures, source, others }) => {
    const also = others.length > 0 ? ` (also recorded as separate series: ${others.join(', ')})` : '';
    return `${figures}: ${source}${also}`;
  });
  return lines.length > 0 ? lines.join('\n') : undefined;
}

/** Shown beside a node's name in a list: its server and how many streams it has. */
export function aboutNode(node: NodeView): string {
  const count = node.streamCount ?? node.streams.length;
  const streams = node.role === 'origin' && count > 0 ? counted(count, 'stream') : '';
  return [node.software ?? node.server, streams].filter(Boolean).join(' · ');
}
