import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { judgeRun } from '../../../src/domain/verdict/verdict';
import { exportRun } from '../../../src/engine/export/exportRun';
import { openRunLibrary, type Overview } from '../../../src/engine/store';

/** Time of the engine for the big run, part by part, as JSON on the last line. `node engine.js FOLDER RUN [PARTS]` */
const [, , folder = '', run = '', parts = 'list,open,overview,detail,html,judge,csv'] = process.argv;
const library = openRunLibrary(folder);
const figures: Record<string, number> = {};

async function timed(name: string, act: () => unknown): Promise<void> {
  if (!parts.split(',').includes(name)) return;
  const startedMs = performance.now();
  await act();
  figures[`${name}Ms`] = Math.round(performance.now() - startedMs);
  figures[`${name}RssMb`] = Math.round(process.memoryUsage().rss / 1e6);
  console.error(`runs: ${name} took ${figures[`${name}Ms`]} ms`);
}

const out = mkdtempSync(join(tmpdir(), 'fullhouse-runs-'));
try {
  void (async () => {
    await timed('list', () => library.list());
    await timed('open', () => {
      const reader = library.open(run);
      reader.view();
      reader.events();
      reader.close();
    });
    await timed('overview', () => {
      const reader = library.open(run);
      const { startedMs, endedMs = 0 } = reader.view();
      for (let from: number | null = startedMs; from !== null;) {
        const answer: Overview = reader.overview(
          from,
          endedMs,
          Math.max(1, Math.round(((endedMs - from) / (endedMs - startedMs)) * 480)),
        );
        const points = answer.columns.reduce((sum, column) => sum + column.timeMs.length, 0);
        console.error(`runs: ${points} points in steps of ${answer.stepMs} ms`);
        from = answer.nextMs;
      }
      reader.close();
    });
    await timed('detail', () => {
      const reader = library.open(run);
      const { startedMs } = reader.view();
      const answer = reader.overview(
        startedMs + 7_200_000,
        startedMs + 10_800_000,
        400,
        new Set(['cpuPercent', 'viewersConnected', 'jitterP95Ms']),
      );
      console.error(`runs: ${answer.columns.reduce((sum, column) => sum + column.timeMs.length, 0)} points of an hour`);
      reader.close();
    });
    for (const kind of ['html', 'csv'] as const)
      await timed(kind, async () => {
        const path = join(out, `run.${kind}`);
        await exportRun(library, run, kind, path);
        figures[`${kind}Bytes`] = statSync(path).size;
      });
    await timed('judge', () => {
      const reader = library.open(run);
      judgeRun({ view: reader.view(), values: (node, series) => reader.values(node, series) });
      reader.close();
    });
    console.log(JSON.stringify(figures));
  })().finally(() => rmSync(out, { recursive: true, force: true }));
} catch (error) {
  rmSync(out, { recursive: true, force: true });
  throw error;
}
