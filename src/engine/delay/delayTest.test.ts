import { beforeEach, describe, expect, it } from 'vitest';
import type { DecoderOrder, DecoderResult, DelayOrder, DelayView } from '../../contract/delayCalls';
import { FullhouseError } from '../../contract/calls';
import type { DelayFigures } from '../../domain/delay/figures';
import type { Plan } from '../../domain/model/plan';
import type { RunView } from '../../domain/model/run';
import type { FleetNode } from '../fleet/node';
import { VirtualTime } from '../../../tests/support/virtualTime';
import type { DelayDeps, Under } from './delayTest';
import { DelayTables } from './delayTables';
import { DelayTests } from './delayTests';

const figures: DelayFigures = {
  ...{ p50Ms: 40, p95Ms: 50, p99Ms: 60, jitterMs: 2 },
  uncertaintyMs: 1,
  count: 250,
  rttMs: 1,
};

/** Runs as far as a delay test sees them. */
class Runs {
  current: RunView | undefined;
  readonly stopped: string[] = [];
  started = 0;
  connected = Number.POSITIVE_INFINITY;

  get activeRun() {
    return this.current && this.current.state !== 'ended' ? { id: this.current.id } : undefined;
  }
  view = (): RunView | null => this.current ?? null;
  begin(id: string, name: string, viewers: number): string {
    const connected = Math.min(viewers, this.connected);
    this.current = {
      ...{ id, name, state: 'running', phases: [{ name: 'hold', startMs: 0 }] },
      figures: { connected, failed: viewers - connected },
    } as unknown as RunView;
    return id;
  }
  stopAll = (): Promise<number> => {
    if (this.current) {
      this.stopped.push(this.current.id);
      this.current = { ...this.current, state: 'ended' };
    }
    return Promise.resolve(0);
  };
  idle = (): Promise<void> => Promise.resolve();
}

let time: VirtualTime;
let runs: Runs;
let orders: string[];
let problems: string[];
let onOrder: (order: DecoderOrder) => DecoderResult | Promise<DecoderResult>;
let tests: DelayTests;
let views: DelayView[];

beforeEach(() => {
  time = new VirtualTime();
  runs = new Runs();
  orders = [];
  problems = [];
  views = [];
  onOrder = ({ kind }) => (kind === 'play' || kind === 'display' ? { delay: figures } : {});
  const node = {
    id: 'mtx',
    start: () => Promise.resolve(),
    view: () => ({ id: 'mtx', name: 'mtx', role: 'origin', server: 'lab', can: { publish: ['whip'], play: ['whep'] } }),
    server: { addresses: () => ({ play: {} }) },
  } as unknown as FleetNode;
  const deps = {
    clock: time.clock,
    node: () => node,
    runs,
    requireAllowed: () => undefined,
    start: (plan: Plan) => {
      if (runs.activeRun) throw new FullhouseError('busy', 'A run is active.');
      runs.started += 1;
      return Promise.resolve(runs.begin(`load-${runs.started}`, plan.name, plan.pull?.viewers ?? 0));
    },
    startBrowser: () => Promise.resolve({ name: 'Chromium', end: () => undefined }),
    tables: new DelayTables(undefined, (table) => table),
    problem: (sentence: string) => problems.push(sentence),
  } as unknown as DelayDeps;
  tests = new DelayTests(deps);
  tests.changed.on((view) => views.push(view));
});

/** Plays the decoder until the test has ended. */
async function conducted(order: Partial<DelayOrder>, under?: Under): Promise<DelayView> {
  const { test } = tests.start({ node: 'mtx', measureMs: 5000, repeats: 1, ...order }, under);
  const decoding = (async () => {
    let result: DecoderResult | undefined;
    for (;;) {
      const next = await tests.next(test, ['vp8'], result);
      if (!next) return;
      orders.push(`${next.kind}${runs.activeRun ? ' under load' : ''}`);
      result = await onOrder(next);
    }
  })();
  await time.passUntil(() => tests.view?.state === 'ended', 600_000);
  await decoding;
  return views.at(-1) as DelayView;
}

const failures = ({ rows }: DelayView): string[] =>
  rows.flatMap(({ repeats }) => repeats.flatMap((repeat) => ('failed' in repeat ? [repeat.failed] : [])));

const under: Under = { plan: { name: 'Evening', pull: { viewers: 50 } } as unknown as Plan };

describe('a delay test', () => {
  it('measures each path in each repeat, with a new publication, and keeps the table', async () => {
    const { table, rows, problem } = await conducted({ repeats: 2, paths: ['window', 'vp8', 'vp8 short'] });
    expect(problem).toBeUndefined();
    expect(orders).toEqual([
      ...['display', 'publish', 'play', 'play', 'unpublish'],
      ...['display', 'publish', 'play', 'play', 'unpublish'],
    ]);
    expect(rows.map(({ repeats }) => repeats.length)).toEqual([2, 2, 2]);
    expect(table).toMatchObject({ node: 'mtx', decoder: 'this window', measuredMs: 5000 });
    expect(table?.isCancelled).toBeUndefined();
  });

  it('measures the display and all idle paths without the load of a plan, in each repeat', async () => {
    const { table } = await conducted({ repeats: 2, paths: ['window', 'vp8', 'vp8 load'] }, under);
    expect(orders.filter((order) => /display|play/.test(order))).toEqual([
      ...['display', 'play', 'play under load'],
      ...['display', 'play', 'play under load'],
    ]);
    expect(table?.load).toBe('Evening, 50 viewers');
    expect(runs.stopped).toEqual(['load-1', 'load-2']);
  });

  it('fails a row under load whose load ends meanwhile, or has lost viewers', async () => {
    onOrder = ({ kind }) => {
      if (kind === 'play' && runs.current) runs.current = { ...runs.current, phases: [{ name: 'drain', startMs: 0 }] };
      return kind === 'play' ? { delay: figures } : {};
    };
    expect(failures(await conducted({ paths: ['vp8 load'] }, under))[0]).toMatch(
      /^The load ended during the measurement/,
    );
    onOrder = ({ kind }) => {
      if (kind === 'play' && runs.current)
        runs.current = { ...runs.current, figures: { ...runs.current.figures, connected: 10 } };
      return kind === 'play' ? { delay: figures } : {};
    };
    expect(failures(await conducted({ paths: ['vp8 load'], viewers: 100 }))[0]).toContain(
      '10 of 100 viewers were left',
    );
  });

  it('does not call viewers that failed a load', async () => {
    runs.connected = 3;
    expect(failures(await conducted({ paths: ['vp8 load'], viewers: 100 }))).toEqual([
      'The 100 viewers did not connect: 3 are connected, 97 failed; their run in Runs says why.',
    ]);
  });

  it('neither uses nor stops a run that is not its own', async () => {
    onOrder = ({ kind }) => {
      if (kind === 'publish') runs.begin('other', 'Other run', 742);
      return kind === 'play' ? { delay: figures } : {};
    };
    const { rows } = await conducted({ paths: ['vp8', 'vp8 load'], viewers: 100 });
    expect(rows[1]?.repeats).toEqual([{ failed: 'A run is active.' }]);
    expect(runs.stopped).toEqual([]);
  });

  it('remarks that another run was active', async () => {
    runs.begin('other', 'Other run', 742);
    const { rows } = await conducted({ paths: ['vp8'] });
    expect(rows[0]?.repeats[0]).toMatchObject({ remark: 'while Other run was active' });
  });

  it('goes on when the end of a publication is refused', async () => {
    onOrder = ({ kind }) => (kind === 'unpublish' ? { failed: 'DELETE timed out' } : { delay: figures });
    const { table, problem, rows } = await conducted({ repeats: 2, paths: ['vp8'] });
    expect([problem, table?.isCancelled, rows[0]?.repeats.length]).toEqual([undefined, undefined, 2]);
    expect(problems[0]).toMatch(/^delay-\w+ of the delay test may still be on mtx: DELETE timed out$/);
  });

  it('publishes anew after a publication that has ended by itself', async () => {
    let played = 0;
    onOrder = ({ kind }) => {
      if (kind !== 'play') return {};
      played += 1;
      return played === 1 ? { failed: 'The server ended the stream.', hasEnded: true } : { delay: figures };
    };
    const { rows } = await conducted({ paths: ['vp8', 'vp8 short'] });
    expect(orders).toEqual(['publish', 'play', 'publish', 'play', 'unpublish']);
    expect(rows.map(({ repeats }) => 'failed' in (repeats[0] ?? {}))).toEqual([true, false]);
  });

  it('is cancelled with what was measured, and what else ends it is no cancellation', async () => {
    onOrder = ({ kind }) => {
      if (kind === 'play' && orders.filter((order) => order === 'play').length === 2) tests.cancel();
      return kind === 'play' ? { delay: figures } : {};
    };
    const cancelled = await conducted({ repeats: 5, paths: ['vp8'] });
    expect([cancelled.problem, cancelled.table?.isCancelled]).toEqual(['It was cancelled.', true]);
    expect(cancelled.rows[0]?.repeats).toHaveLength(1);
    orders = [];
    onOrder = ({ kind }) => {
      if (kind === 'play' && orders.filter((order) => order === 'play').length === 2)
        tests.decoderLost(tests.view?.test ?? '');
      return kind === 'play' ? { delay: figures } : {};
    };
    const lost = await conducted({ repeats: 5, paths: ['vp8'] });
    expect([lost.table?.isCancelled, lost.table?.problem]).toEqual([undefined, 'What played the pictures has closed.']);
  });
});
