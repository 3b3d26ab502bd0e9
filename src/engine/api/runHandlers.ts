import { saveEmptyRun } from '../../domain/redaction';
import { FullhouseError, type Handlers } from '../../contract/calls';
import type { AnyCalls } from '../../contract/engine';
import { permissionOf } from '../consent/planGate';
import { requireStartable } from '../runs/runManager';
import type { LibraryCall } from './libraryHandlers';
import type { HandlerParts } from './handlerParts';

const done = { done: true } as const;

type RunCall = Exclude<
  Extract<
    keyof AnyCalls,
    | `runs.${string}`
    | `schedules.${string}`
    | 'consent.grant'
    | 'plans.consent'
    | 'player.figures'
    | 'player.spotCheck'
    | 'browserViewers.offer'
    | 'browserViewers.report'
  >,
  LibraryCall
>;

/** Implements the calls about runs: start, stop, notes, and their saved data. */
export function makeRunHandlers(parts: HandlerParts): Handlers<RunCall> {
  const { publications, gate, runManager, recorder, ownRuns, saved } = parts;
  const changed = async <T>(value: T | Promise<T>): Promise<T> => {
    const done = await value;
    parts.runsChanged();
    return done;
  };
  return {
    'runs.start': async ({ plan, ...given }) => {
      requireStartable(plan);
      return { run: await runManager.start(gate.allow(plan, permissionOf(given))) };
    },
    'plans.consent': ({ plan, scope }) => gate.consentOf(plan, scope),
    'consent.grant': ({ plan, texts, scope }) => {
      parts.consentGrants.grant(plan, texts, scope);
      return done;
    },
    'schedules.list': () => [...parts.schedules.list()],
    'schedules.add': ({ plan, ...given }) => parts.schedules.add(plan, permissionOf(given)),
    'schedules.remove': ({ schedule }) => {
      parts.schedules.remove(schedule);
      return done;
    },
    'runs.stopJob': async ({ job, force }) => {
      const present = await runManager.stopJob(job, force);
      if (present !== undefined) return { present };
      await publications.stop(job);
      return { present: 0 };
    },
    'runs.stopAll': async ({ force }) => {
      // Otherwise it would publish and load again.
      parts.delayTests.cancel();
      const present = await runManager.stopAll(force);
      // Last, so that no viewer loses the stream before it has disconnected.
      await runManager.stopped();
      await publications.stopAll();
      return { present };
    },
    'runs.note': ({ run, text, timeMs, author }) => {
      if (runManager.activeRun?.id === run) return runManager.note(run, text, timeMs);
      if (timeMs === undefined) throw new FullhouseError('bad-note', 'Specify the time of this note within the run.');
      return saved.call('writeNote', { run, text, timeMs, author });
    },
    'runs.saveStill': ({ run, ...still }) => runManager.saveStill(run, still),
    'runs.stillData': (input) => saved.call('still', input),
    'player.spotCheck': (input) => runManager.spotCheck(input),
    'player.figures': (report) => {
      runManager.player(report);
      return done;
    },
    // The port remembers it, and until when.
    'browserViewers.offer': () => done,
    'browserViewers.report': (report) => {
      runManager.browserViewers(report);
      return done;
    },
    'runs.viewers': async (page) => {
      const { run, offset, limit, state } = page;
      const live = await runManager.viewers(run);
      if (!live) return saved.call('viewers', page);
      const wanted = state ? live.filter((viewer) => viewer.state === state) : live;
      return { total: wanted.length, viewers: wanted.slice(offset, offset + limit) };
    },
    'runs.viewer': ({ run, job, viewer }) => runManager.viewer(run, job, viewer),

    'runs.list': async () =>
      (await saved.call('list', {})).map((row) =>
        recorder.isRecorded(row.id) ? { ...row, ...recorder.summary(row.id) } : row,
      ),
    'runs.open': async ({ run }) => {
      const opened = await saved.call('open', { run });
      const isForeign = !(await ownRuns.isOwn(opened.run));
      return { ...opened, run: { ...opened.run, readOnly: runManager.activeRun?.id !== run }, isForeign };
    },
    'runs.samples': (range) => saved.call('samples', range),
    'runs.overview': (range) => saved.call('overview', range),
    'runs.distribution': (range) => saved.call('distribution', range),
    'runs.series': async (input) => ({ series: await saved.call('series', input) }),
    'runs.setLayout': ({ run, layout }) => {
      runManager.setLayout(run, layout);
      return done;
    },
    'runs.rename': async ({ run, name }) => {
      const summary = recorder.isRecorded(run)
        ? await recorder.rename(run, name)
        : await saved.call('rename', { run, name });
      runManager.renamed(run, name);
      return changed(summary);
    },
    'runs.delete': async ({ run }) => {
      if (recorder.isRecorded(run))
        throw new FullhouseError('run-under-way', 'The run is still active. Stop it before you delete it.');
      await saved.call('delete', { run });
      runManager.forget(run);
      return changed(done);
    },
    'runs.undelete': (input) => changed(saved.call('undelete', input)),

    'runs.import': async (input) => {
      const { isWritten, isSnapshot, ...imported } = await saved.call('import', input);
      if (isWritten) ownRuns.forget(imported.id);
      const copy = isSnapshot ? { copy: await saved.openCopy(input.path) } : {};
      return changed({ ...imported, ...copy });
    },
    'runs.export': ({ run, kind, path, isRedacted }) =>
      saved.call('export', { run, kind, path, choice: isRedacted ? saveEmptyRun : undefined }),
  };
}
