import { expect, it } from 'vitest';
import type { RunView } from '../../domain/model/run';
import type { ViewerRow } from '../../contract/viewerSchemas';
import type { RunReader } from '../store';
import { viewersSection } from './viewersSection';

const view = { nodes: [] } as unknown as RunView;
const row = (viewer: number, of: Partial<ViewerRow> = {}): ViewerRow => ({
  ...{ tester: 'one', job: 'pull-1', viewer, state: 'disconnected', connectMs: viewer },
  ...{ packets: 1, bytes: 1, lost: 0, frames: 1, stalls: 0, stalledMs: 0, degraded: false },
  detail: { timeline: [], route: { protocol: 'udp', remote: `10.0.0.9:${8000 + viewer}` } },
  ...of,
});
/** A reader that returns pages like a run file. */
const readerOf = (rows: readonly ViewerRow[]): RunReader =>
  ({
    viewers: (offset: number, limit: number) => ({
      total: rows.length,
      viewers: rows.slice(offset, offset + limit),
    }),
  }) as unknown as RunReader;

it('lists the 20 worst viewers, worst first, also of many thousands', () => {
  const failure = { stage: 'ice', cause: 'timeout', detail: 'No <answer> within 5 s.' } as const;
  const rows = [
    ...Array.from({ length: 2500 }, (_, index) => row(index + 1, { detail: undefined })),
    ...Array.from({ length: 40 }, (_, index) => row(3000 + index)),
    row(4000, { degradedMs: 7000 }),
    row(4001, { state: 'failed', failure, connectMs: undefined, detail: { timeline: [] } }),
  ];
  const html = viewersSection(view, readerOf(rows))?.html ?? '';
  const cells = [...html.matchAll(/<tr><td[^>]*>([\d,]+)</g)].map(([, viewer]) => viewer);
  expect(cells).toHaveLength(20);
  expect(cells.slice(0, 4)).toEqual(['4,001', '4,000', '3,039', '3,038']);
  expect(html).toContain('failed at ICE: no candidate pair responded in time. No &lt;answer&gt; within 5 s.');
  expect(html).toContain('7 s');
  expect(html).toContain('10.0.0.9:11039');
});

it('is empty for a run without details', () => {
  expect(viewersSection(view, readerOf([row(1, { detail: undefined })]))).toBeUndefined();
});
