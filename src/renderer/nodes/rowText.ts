import { thisMachine } from '../../domain/host';
import type { ClockView, LinkView, NodeRemedy, NodeView } from '../../domain/node';
import { isOriginSettings, type NodeSettings } from '../../domain/nodeSettings';
import { formatFigure, missing } from '../../domain/numberFormat';
import { age } from '../format/times';
import { protocolNames } from './protocolNames';

/** The lab and the tester of this machine: there without anybody having added them. */
export function isBuiltIn(node: NodeView): boolean {
  return node.builtIn ?? node.settings === undefined;
}

/** The nodes worth a row beside the charts: once others are added, the idle ones of this machine only take their place. */
export function railNodes(nodes: readonly NodeView[]): readonly NodeView[] {
  if (nodes.every(isBuiltIn)) return nodes;
  return nodes.filter((node) => !isBuiltIn(node) || node.state !== 'idle');
}

/** What was typed to reach the node, as far as one line tells. */
export function addressOf(node: NodeView): string {
  const { settings } = node;
  if (!settings || isBuiltIn(node)) return node.reach;
  if (!isOriginSettings(settings)) return settings.ssh ?? settings.url ?? node.reach;
  const { url, whep, whip, rtmp, hls, flv, ssh } = settings;
  return shortAddress(url ?? whep ?? whip ?? rtmp ?? hls ?? flv ?? ssh ?? node.reach);
}

/** Without what everybody takes for granted: `http://` and a lone slash at the end. */
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

/** One way that leads to a node, for its cell: what it is called, and why it is not as it should be. */
export interface LinkText {
  readonly text: string;
  readonly isOff: boolean;
  readonly isSelfSigned: boolean;
  readonly title: string;
}

export function linkText(link: LinkView): LinkText {
  const text = link.label || linkTexts[link.kind];
  const state = { connecting: 'connecting', live: 'answers', lost: 'lost', off: 'not used' }[link.state];
  const trust = link.selfSigned ? ' Its certificate is not checked, as you chose.' : '';
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

/** The three chips of a row. A tester publishes to others and pulls from them; nobody plays from it. */
export function canTexts(node: NodeView): readonly CanText[] {
  const { can } = node;
  return (['publish', 'pull', 'play'] as const).map((word) => {
    const protocols = can?.[word] ?? [];
    const names = protocols.map((each) => protocolNames[each]).join(', ');
    return {
      word,
      isPossible: protocols.length > 0,
      title: names ? `${word} by ${names}` : `${word}: not possible here`,
    };
  });
}

/** `+1.8 ± 0.4`; the sign of a negative is a minus, which is as wide as the plus. */
export function clockText(clock: ClockView): string {
  const offset = formatFigure(Math.abs(clock.offsetMs), 'tenths');
  const sign = Number(offset.replaceAll(',', '')) === 0 ? '' : clock.offsetMs < 0 ? '−' : '+';
  return `${sign}${offset} ± ${formatFigure(clock.uncertaintyMs, 'tenths')}`;
}

/** Nodes of this machine need no clock of their own. */
export function sharesOurClock(node: NodeView): boolean {
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
      return node.isSlow && node.answerMs !== undefined
        ? { text: `answers in ${secondsText(node.answerMs)}`, tone: 'warning', isHollow: false }
        : { text: withAge('live'), tone: 'ok', isHollow: false };
    case 'idle':
      return { text: withAge('idle'), tone: 'quiet', isHollow: true };
    case 'starting':
      return { text: 'connecting', tone: 'quiet', isHollow: true };
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

/** `2.3 s`, or ms where a second would be 0. */
export function secondsText(ms: number): string {
  return ms < 1000 ? `${formatFigure(ms, 'integer')} ms` : `${formatFigure(ms / 1000, 'tenths')} s`;
}

/** Which cells a trouble makes empty, so that its sentence stands there. */
export interface Trouble {
  readonly from: 'can' | 'figures' | 'state';
  readonly tone: 'note' | 'warning' | 'failure';
  readonly sentence: string;
}

/** @param hasFigures whether CPU or memory of the host is measured */
export function troubleOf(node: NodeView, hasFigures: boolean): Trouble | undefined {
  if (node.state === 'failed')
    return { from: 'can', tone: 'failure', sentence: node.problem ?? `${node.name} can't be used now.` };
  if (node.state === 'stale') return undefined;
  if (!node.problem)
    return node.note && !hasFigures ? { from: 'figures', tone: 'note', sentence: node.note } : undefined;
  return { from: hasFigures ? 'state' : 'figures', tone: 'warning', sentence: node.problem };
}

export const remedyTexts: Readonly<Record<NodeRemedy, string>> = {
  'add-ssh': 'Add SSH',
  'trust-key': 'Trust key…',
  'compare-keys': 'Compare keys',
  'enter-secret': 'Enter secret',
  reconnect: 'Reconnect',
  edit: 'Edit',
};

/** A machine's name for the server's cell. */
export function softwareText(node: NodeView): string {
  return node.software ?? (node.server && node.server !== 'generic' ? node.server : missing);
}

/** Whether something of ours may be on the node: an agent, or pulls that a console left on a WCS. */
export function hasAgent(settings: NodeSettings | undefined): boolean {
  return settings !== undefined && 'tester' in settings && settings.tester !== 'local';
}

/** Where a node's figures come from, a line for each kind of figure; undefined while none has come. */
export function figureSourcesText({ figureSources = [] }: NodeView): string | undefined {
  const lines = figureSources.map(({ figures, source, others }) => {
    const also = others.length > 0 ? ` (also recorded, under names of their own: ${others.join(', ')})` : '';
    return `${figures}: ${source}${also}`;
  });
  return lines.length > 0 ? lines.join('\n') : undefined;
}
