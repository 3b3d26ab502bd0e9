import { createHash } from 'node:crypto';
import { copyFileSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { createInterface } from 'node:readline';
import { FullhouseError } from '../../../src/contract/calls';
import { openRunLibrary } from '../../../src/engine/store/index';
import type { RunLibrary, RunReader } from '../../../src/engine/store/types';

/**
 * A process that reads run files in every way that the product does, for tests of damaged and hostile files: paths are
 * read line by line, and each result is written as a line of JSON. A file that ends it ends this process only, so that
 * the test can identify it.
 */
export interface Probed {
  readonly path: string;
  /** CPU time: a busy machine is not a hang. */
  readonly ms: number;
  /** Memory of the process, above that before the file. */
  readonly rssMb: number;
  readonly stages: readonly Stage[];
}

export interface Stage {
  readonly stage: 'open' | 'import' | 'export';
  /** A sentence that refused the file, or that of the integrity check; `raw`: an error without a sentence. */
  readonly outcome: 'sentence' | 'raw' | 'verified' | 'unverified' | 'damaged';
  readonly text: string;
  /** A digest of each part of the run. */
  readonly parts: Readonly<Record<string, string>>;
}

function digest(value: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify(value) ?? '')
    .digest('hex')
    .slice(0, 12);
}

/** All that the product reads of a run. */
function partsOf(library: RunLibrary, id: string, reader: RunReader): Record<string, string> {
  const { id: _, bytes: __, ...summary } = library.summary(id);
  const { id: ___, integrity: ____, ...view } = reader.view();
  const end = view.endedMs ?? view.startedMs;
  const overviews = [4, 200].map((columns) => reader.overview(view.startedMs, end + 1, columns));
  const stills = reader.stills();
  const { viewers } = reader.viewers(0, 1000);
  return {
    summary: digest(summary),
    view: digest(view),
    events: digest(reader.events()),
    samples: digest([...reader.minutes()]),
    page: digest(reader.samples(view.startedMs + 30_000, end, 100)),
    values: digest(reader.values('acme-media', 'cpuPercent')),
    summaries: digest(reader.summaries()),
    count: digest(reader.count()),
    overview: digest(overviews),
    stills: digest(stills.map(({ id: still }) => [...reader.stillData(still).data])),
    viewers: digest([viewers.map(({ detail: _, ...row }) => row), reader.viewers(0, 10, 'failed').total]),
    viewerDetails: digest(viewers.map(({ detail }) => detail ?? null)),
  };
}

function tried(stage: Stage['stage'], act: () => { library: RunLibrary; id: string }): Stage {
  try {
    const { library, id } = act();
    const reader = library.open(id);
    try {
      const { state, sentences } = reader.integrity();
      const parts = partsOf(library, id, reader);
      return { stage, outcome: state, text: sentences.join(' '), parts };
    } finally {
      reader.close();
    }
  } catch (error) {
    const { message } = error as Error;
    const isSentence = error instanceof FullhouseError && /^[^\n]{10,400}\.$/.test(message);
    return { stage, outcome: isSentence ? 'sentence' : 'raw', text: message, parts: {} };
  }
}

function probe(path: string): Probed {
  const folder = mkdtempSync(join(tmpdir(), 'fullhouse-probe-'));
  const started = process.cpuUsage();
  const before = process.memoryUsage().rss;
  try {
    const name = basename(path);
    const own = openRunLibrary(join(folder, 'own'));
    const other = openRunLibrary(join(folder, 'other'));
    const third = openRunLibrary(join(folder, 'third'));
    let imported: string | undefined;
    const stages = [
      tried('open', () => {
        copyFileSync(path, own.path('opened'));
        own.list();
        return { library: own, id: 'opened' };
      }),
      tried('import', () => {
        imported = other.importFile(path).id;
        return { library: other, id: imported };
      }),
      tried('export', () => {
        const out = join(folder, `${name}.out`);
        // If a file was refused on import, the file in the folder is exported.
        if (imported === undefined) own.exportFile('opened', out);
        else other.exportFile(imported, out);
        statSync(out);
        return { library: third, id: third.importFile(out).id };
      }),
    ];
    const used = process.cpuUsage(started);
    const rssMb = Math.round((process.memoryUsage().rss - before) / 1e6);
    return { path, ms: Math.round((used.user + used.system) / 1000), rssMb, stages };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

for await (const line of createInterface({ input: process.stdin }))
  process.stdout.write(`${JSON.stringify(probe(line))}\n`);
