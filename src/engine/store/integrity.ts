import { formatCount } from '../../domain/text/numberFormat';
import type { RunEvent, RunIntegrity } from '../../domain/model/run';
import { blockMs } from './block';
import type { Database } from './database';
import { Damage } from './damage';
import { countedTables } from './manifest';
import { soundMeta, type Meta } from './meta';
import type { TableName } from './tables';
import { isLost, lostOf, walkTable } from './walk';

type Lost = Meta<'lost'>;

/** The result of checking every row of a file. */
export interface Scan {
  readonly state: RunIntegrity['state'];
  /** Damaged rows of this file. */
  readonly damage: Damage;
  /** Excluded minutes and other rows, including those of the file that it was made from. */
  readonly lost: Lost;
}

/**
 * Checks every row of a settled file against its checksum, and the rows against the manifest. Reads the entire file
 * once.
 */
export function scanRun(database: Database): Scan {
  const scannedTables = new Map(countedTables.map((table) => [table.name, walkTable(database, table)]));
  const isVerified =
    soundMeta(database, 'manifest') !== undefined && [...scannedTables.values()].every((table) => table.isVerified);
  const lost = lostOf(database, scannedTables);
  const damage = new Damage();
  damage.addAll(database.damage);
  return { state: isLost(lost) ? 'damaged' : isVerified ? 'verified' : 'unverified', damage, lost };
}

const names: Readonly<Record<TableName, readonly [string, string]>> = {
  meta: ['part of the description', 'parts of the description'],
  series: ['series', 'series'],
  sample: ['sample', 'samples'],
  block: ['minute of samples', 'minutes of samples'],
  histogram: ['second of distributions', 'seconds of distributions'],
  histogram_block: ['minute of distributions', 'minutes of distributions'],
  event: ['event', 'events'],
  still: ['still', 'stills'],
  viewer: ['viewer', 'viewers'],
  annotation: ['note', 'notes'],
  overview: ['overview', 'overviews'],
  figures: ['summary', 'summaries'],
};

interface Gap {
  readonly fromMs: number;
  toMs: number;
}

/** The minutes without samples, adjacent ones as one gap. */
function gapsOf({ minutes }: Lost): Gap[] {
  const gaps: Gap[] = [];
  for (const minute of minutes) {
    const last = gaps.at(-1);
    if (last?.toMs === minute) last.toMs = minute + blockMs;
    else gaps.push({ fromMs: minute, toMs: minute + blockMs });
  }
  return gaps;
}

function gapText({ fromMs, toMs }: Gap): string {
  const from = new Date(fromMs).toISOString();
  const to = new Date(toMs).toISOString();
  const end = from.slice(0, 10) === to.slice(0, 10) ? to.slice(11, 16) : to.slice(0, 16).replace('T', ' ');
  return `Samples from ${from.slice(11, 16)} to ${end} UTC are damaged and left out.`;
}

function rowTexts({ rows }: Lost): string[] {
  return Object.entries(rows).map(([table, count]) => {
    const [one, many] = names[table as TableName];
    return count === 1
      ? `1 ${one} is damaged or missing and left out.`
      : `${formatCount(count)} ${many} are damaged or missing and left out.`;
  });
}

const unverified =
  "This run was recorded by an older Fullhouse without checksums, so a changed value can't be detected.";

/** The result of a scan, in sentences. */
export function integrityOf({ state, lost }: Scan): RunIntegrity {
  const sentences = [...gapsOf(lost).map(gapText), ...rowTexts(lost)];
  return { state, sentences: state === 'unverified' ? [...sentences, unverified] : sentences };
}

/** Ids of such entries among a run's events: beyond those of recorded events and of notes. */
const firstEventId = 2_000_000_000;

/** What is excluded, as entries of the run's log. */
export function damageEvents({ lost }: Scan, startedMs: number): RunEvent[] {
  // A minute may start before the run does.
  const gaps = gapsOf(lost).map((gap) => ({
    timeMs: Math.max(gap.fromMs, startedMs),
    sentence: gapText(gap),
  }));
  const rows = rowTexts(lost).map((sentence) => ({ timeMs: startedMs, sentence }));
  return [...gaps, ...rows].map((gap, i) => ({
    ...gap,
    id: firstEventId + i,
    kind: 'run',
    mark: 'lost',
    who: 'run',
  }));
}
