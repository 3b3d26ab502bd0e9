import type { Handlers } from '../../src/contract/calls';
import type { delayCalls, DelayView } from '../../src/contract/delayCalls';
import type { EngineEventName, EngineEvents } from '../../src/contract/engine';
import { delayPaths, type DelayPath } from '../../src/domain/delay/paths';
import { delayTable, type DelayRepeat, type DelayRow, type DelayTable } from '../../src/domain/delay/table';
import type { NodeView } from '../../src/domain/model/node';
import { isWebRtc, playableOf } from '../../src/domain/model/playerProtocols';
import { windowProtocolsOf } from '../../src/domain/model/publishMedia';
import { videoCodecs, type VideoCodec } from '../../src/domain/model/videoCodecs';

/** State of the delay test: one that runs, or one that has ended. */
export type FakeDelay = 'running' | 'done';

interface Fleet {
  readonly nodes: () => readonly NodeView[];
  readonly push: <E extends EngineEventName>(name: E, payload: EngineEvents[E]) => void;
  /** Timestamp of the newest table. */
  readonly nowMs: number;
  readonly delay: FakeDelay | undefined;
}

const pathsOf = ({ can }: NodeView, encodes: readonly VideoCodec[] = videoCodecs): readonly DelayPath[] =>
  delayPaths({ publish: windowProtocolsOf(can?.publish), play: playableOf(can?.play ?? []), encodes });

/** Figures of a path, with a little noise that is the same in each run of the tests. */
function measured(path: DelayPath, index: number, repeat: number, lessMs = 0): DelayRepeat {
  const noiseMs = ((index * 7 + repeat * 5 + lessMs) % 9) / 2;
  const baseMs = path.play === undefined ? 12 : isWebRtc(path.play) ? 52 + 6 * (index % 4) : 4200;
  const loadMs = path.isUnderLoad ? 31 : 0;
  const p50Ms = baseMs + loadMs + noiseMs;
  const tailMs = path.play === undefined ? 9 : path.isUnderLoad ? 96 - lessMs : 21;
  return {
    delay: {
      ...{ p50Ms, p95Ms: p50Ms + tailMs, p99Ms: p50Ms + 2.1 * tailMs, jitterMs: 2.6 + noiseMs / 4 },
      ...{ uncertaintyMs: 8.3, count: 498 - repeat },
      ...(path.play !== undefined && isWebRtc(path.play) ? { rttMs: 1.2 + noiseMs / 10, avOffsetMs: 4 + noiseMs } : {}),
    },
    ...(path.isUnderLoad ? { remark: '100 viewers' } : {}),
  };
}

const failure = 'No picture of delay-3fa9c1d2 within 45 s.';

const rowsOf = (node: NodeView, repeats: number, lessMs = 0): DelayRow[] =>
  pathsOf(node).map((path, index) => ({
    path,
    repeats: Array.from({ length: repeats }, (_, repeat) =>
      path.id === 'av1' ? { failed: failure } : measured(path, index, repeat, lessMs),
    ),
  }));

function tableOf(node: NodeView, startedMs: number, change: Partial<DelayTable> & { lessMs?: number }): DelayTable {
  const { lessMs, ...fields } = change;
  return delayTable.parse({
    ...{ fullhouseDelay: 1, id: 'delay-1', name: `Delay of ${node.name}`, node: node.name, software: node.software },
    ...{ startedMs, endedMs: startedMs + 900_000, decoder: 'this window', measuredMs: 20_000, load: '100 viewers' },
    rows: rowsOf(node, 3, lessMs),
    ...fields,
  });
}

const hourMs = 3_600_000;

/** Kept tables of delay tests, and a test that measures nothing. */
export function delayHandlers({ nodes, push, nowMs, delay }: Fleet): Handlers<keyof typeof delayCalls> {
  const origins = nodes().filter(({ role, can }) => role === 'origin' && can !== undefined);
  const [origin] = origins;
  const other = origins.find(({ server }) => server === 'livekit');
  let tables: DelayTable[] = origin
    ? [
        tableOf(origin, nowMs - hourMs, {
          id: 'after',
          name: '16 MB UDP buffers',
          lessMs: 58,
          rows: rowsOf(origin, 4, 58),
        }),
        tableOf(origin, nowMs - 3 * hourMs, { id: 'before', name: 'Default UDP buffers', rows: rowsOf(origin, 4) }),
        ...(other
          ? [tableOf(other, nowMs - 50 * hourMs, { id: 'other', decoder: 'Chromium 156', isCancelled: true })]
          : []),
      ]
    : [];
  let view: DelayView | null = origin && delay ? viewOf(origin, delay) : null;
  const show = (next: DelayView): void => {
    view = next;
    push('delays', next);
  };

  function viewOf(node: NodeView, state: FakeDelay): DelayView {
    const about = { test: 'test-1', node: node.id, repeats: 3, measureMs: 20_000 };
    if (state === 'done') return { ...about, state: 'ended', rows: rowsOf(node, 3), table: tableOf(node, nowMs, {}) };
    const rows = rowsOf(node, 2);
    const row = 3;
    return {
      ...{ ...about, state: 'running' },
      rows: rows.map((each, index) => (index < row ? each : { ...each, repeats: each.repeats.slice(0, 1) })),
      now: { row, repeat: 1, step: 'measuring', share: 0.6 },
    };
  }

  return {
    'delays.start': ({ node: id, repeats, measureMs, paths: ids = [] }) => {
      const node = nodes().find((each) => each.id === id);
      const rows = (node ? pathsOf(node) : [])
        .filter((path) => ids.includes(path.id))
        .map((path) => ({ path, repeats: [] }));
      const now = { row: 0, repeat: 0, step: 'publishing', share: 0 };
      setTimeout(() => show({ test: 'test-2', node: id, state: 'running', repeats, measureMs, rows, now }), 0);
      return { test: 'test-2' };
    },
    'delays.cancel': () => {
      const { now: _, ...rest } = view ?? { test: '', node: '', repeats: 1, measureMs: 0, rows: [] };
      show({ ...rest, state: 'ended', problem: 'It was cancelled.' });
      return { done: true };
    },
    'delays.state': () => ({ view }),
    'delays.list': () => ({ tables, problems: [] }),
    'delays.import': ({ text }) => {
      const table = delayTable.parse(JSON.parse(text));
      tables = [table, ...tables].sort((a, b) => b.startedMs - a.startedMs);
      return { table };
    },
    'delays.remove': ({ table }) => {
      tables = tables.filter(({ id }) => id !== table);
      return { done: true };
    },
    'delays.paths': ({ node, encodes }) => {
      const found = nodes().find(({ id }) => id === node);
      return { paths: found ? [...pathsOf(found, encodes)] : [] };
    },
    // The test measures nothing: its decoder waits until the page is closed.
    'delayDecoder.next': () => new Promise<never>(() => undefined),
    'delayDecoder.progress': () => ({ isWanted: true }),
  };
}
