import type { RunEvent } from '../model/run';
import type { Incident } from './incident';
import type { RuleKind } from './rules';

type NewEvent = Omit<RunEvent, 'id'>;

/** What an incident is in the log of a run, and how its begin is marked on the axis. */
const events: Readonly<Record<RuleKind, Pick<NewEvent, 'kind' | 'mark'>>> = {
  level: { kind: 'threshold', mark: 'limit' },
  memory: { kind: 'threshold', mark: 'limit' },
  'memory-running-out': { kind: 'threshold', mark: 'limit' },
  'disk-running-out': { kind: 'threshold', mark: 'limit' },
  'gc-pause': { kind: 'threshold', mark: 'limit' },
  'certificate-expiring': { kind: 'threshold', mark: 'none' },
  'node-lost': { kind: 'node', mark: 'lost' },
  'host-rebooted': { kind: 'node', mark: 'lost' },
  'process-restarted': { kind: 'node', mark: 'lost' },
  'version-changed': { kind: 'node', mark: 'none' },
  'clock-stepped': { kind: 'node', mark: 'none' },
  'publisher-gone': { kind: 'stream', mark: 'lost' },
  'picture-fault': { kind: 'stream', mark: 'none' },
  'stream-appeared': { kind: 'stream', mark: 'none' },
};
/** Of a rule that a later version has. */
const other = { kind: 'node', mark: 'none' } as const;

/** The begin and the end of incidents as events of a run from `fromMs` to `toMs`, in order of time. */
export function runEventsOf(incidents: readonly Incident[], fromMs: number, toMs: number): readonly NewEvent[] {
  return incidents
    .flatMap(eventsOf)
    .filter(({ timeMs }) => timeMs >= fromMs && timeMs <= toMs)
    .sort((a, b) => a.timeMs - b.timeMs);
}

function eventsOf({ kind, node, beganMs, began, endedMs, ended, count }: Incident): readonly NewEvent[] {
  const as = Object.hasOwn(events, kind) ? events[kind as RuleKind] : other;
  const about = { ...as, node, who: node };
  const begin: NewEvent = { ...about, timeMs: beganMs, sentence: count > 1 ? `${began} (${count} times)` : began };
  if (endedMs === undefined || ended === undefined) return [begin];
  return [begin, { ...about, timeMs: endedMs, mark: as.mark === 'none' ? 'none' : 'recovered', sentence: ended }];
}
