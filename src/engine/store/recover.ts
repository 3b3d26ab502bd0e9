import type { RunView } from '../../domain/model/run';
import { stoppedSearch } from '../../domain/search/limitText';
import { numberAt, type Database } from './database';
import { changeRun } from './manifest';
import { readMeta, soundMeta, writeMeta } from './meta';
import { latestMs } from './bounds';
import { lastSampleMs, minutesWithin, readMinute, storedSeries } from './samples';
import { writerLives } from '../base/lock';
import { SummaryFigures } from './summary';
import { compactRunFile, settleRunFile } from './writer';

/** Whether the file was left by a process that ended during the run. */
export function isAbandoned(database: Database): boolean {
  const writer = soundMeta(database, 'writer');
  if (writer && writerLives(writer)) return false;
  return writer !== undefined || readMeta(database, 'view').state !== 'ended';
}

/** The view of a run whose recording was interrupted at `lastMs`. Pure. */
export function interruptedView(view: RunView, lastMs: number): RunView {
  if (view.state === 'ended') return view;
  return {
    ...view,
    state: 'ended',
    endedMs: lastMs,
    endsMs: undefined,
    ...(view.limit ? { limit: stoppedSearch(view.limit) } : {}),
    phases: view.phases.map((phase) => ({ ...phase, endMs: phase.endMs ?? Math.max(phase.startMs, lastMs) })),
    verdict: {
      verdict: 'interrupted',
      sentence:
        'The console stopped before the run ended, as when killed or without power; all data until then is saved. Run it again for a verdict.',
      reasons: [],
      headroom: [],
    },
  };
}

/** Marks an abandoned run as interrupted at its last sample, and closes its file properly. Closes `database`. */
export function recoverRunFile(database: Database): void {
  const view = readMeta(database, 'view');
  const lastEvent = database.row('SELECT CAST(max(time_ms) AS INTEGER) FROM event WHERE time_ms <= ?', latestMs);
  const lastMs = Math.max(
    view.startedMs,
    lastSampleMs(database) ?? 0,
    // An event may be the last record of a run without samples.
    lastEvent ? numberAt(lastEvent, 0) : 0,
  );
  const ended = interruptedView(view, lastMs);
  const figures = figuresOf(database);
  changeRun(database, () => {
    writeMeta(database, 'view', ended);
    writeMeta(database, 'summary', figures.summary(ended, 0));
  });
  settleRunFile(database);
  compactRunFile(database.path);
}

/** The list row of a run, from all samples that it needs. */
export function figuresOf(database: Database): SummaryFigures {
  const figures = new SummaryFigures();
  const series = storedSeries(database).filter((entry) => SummaryFigures.looksAt(entry.series));
  const ids = new Set(series.map(({ id }) => id));
  for (const minuteMs of minutesWithin(database, 0, Number.MAX_SAFE_INTEGER))
    for (const column of readMinute(database, minuteMs, ids)) {
      const stored = series.find((entry) => entry.id === column.seriesId);
      column.timeMs.forEach((timeMs, i) => {
        if (stored) figures.add({ ...stored, timeMs, value: column.value[i] ?? 0 });
      });
    }
  return figures;
}
