import { seriesDefinition } from '../series/series';
import { describeAmount } from '../series/seriesAmount';
import { formatRounded } from '../text/numberFormat';
import { formatDuration } from '../text/timeFormat';
import type { AlertRule, RuleKind } from './rules';

/** Alert rules in words. */

export const kindTitles: Readonly<Record<RuleKind, string>> = {
  level: 'Limit of a series',
  memory: 'Memory',
  'memory-running-out': 'Memory running out',
  'disk-running-out': 'Disk running out',
  'node-lost': 'Node lost',
  'process-restarted': 'Process restarted',
  'host-rebooted': 'Host rebooted',
  'version-changed': 'Version changed',
  'publisher-gone': 'Publisher gone',
  'stream-appeared': 'Stream appeared',
  'picture-fault': 'Picture fault',
  'gc-pause': 'GC pause',
  'clock-stepped': 'Clock stepped',
  'certificate-expiring': 'Certificate expiring',
};

/** All kinds, in the order of the form. */
export const ruleKinds = Object.keys(kindTitles) as readonly RuleKind[];

const lasting = (forMs: number): string => (forMs === 0 ? '' : ` for ${formatDuration(forMs)}`);
/** Whole days from 2 on. */
export const longDuration = (ms: number): string =>
  ms >= 2 * 86_400_000 && ms % 86_400_000 === 0 ? `${ms / 86_400_000} d` : formatDuration(ms);

/** When an incident begins. */
export function conditionText(rule: AlertRule): string {
  switch (rule.kind) {
    case 'level': {
      const { series, above, below = 0, forMs } = rule;
      const side = above === undefined ? 'below' : 'above';
      return `${seriesDefinition(series)?.title ?? series} ${side} ${describeAmount(series, above ?? below)}${lasting(forMs)}`;
    }
    case 'memory':
      return `above ${formatRounded(rule.abovePercent)} % of the machine's${lasting(rule.forMs)}`;
    case 'memory-running-out':
    case 'disk-running-out':
      return `used up within ${longDuration(rule.withinMs)}, by its trend`;
    case 'node-lost':
      return `no response${lasting(rule.forMs)}`;
    case 'publisher-gone':
      return `no publisher${lasting(rule.forMs)}`;
    case 'gc-pause':
      return `longer than ${formatDuration(rule.aboveMs)}`;
    case 'clock-stepped':
      return `by ${formatDuration(rule.aboveMs)} or more`;
    case 'certificate-expiring':
      return `within ${longDuration(rule.withinMs)}`;
    case 'process-restarted':
    case 'host-rebooted':
    case 'version-changed':
    case 'stream-appeared':
      return 'whenever it happens';
    case 'picture-fault':
      return 'black, frozen or silent in rotation';
  }
}

/** The nodes that a rule is for. */
export function ruleNodesText({ nodes }: AlertRule): string {
  if (nodes?.node !== undefined) return nodes.node;
  if (nodes?.role !== undefined) return nodes.role === 'origin' ? 'all origins' : 'all testers';
  return 'all nodes';
}
