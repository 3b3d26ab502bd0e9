import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { recordedViewer } from '../../contract/recordedViewer';
import { playerFigures } from './playerReport';

/** What a server received from one viewer under one condition, and what its player reported. */
const measuredViewer = z.object({ received: recordedViewer, player: playerFigures });
export type MeasuredViewer = z.infer<typeof measuredViewer>;

/** A browser that was measured earlier, by condition. */
export const recordedBrowser = z.object({
  browser: z.string(),
  recordedOn: z.string().regex(/^\d{4}-\d{2}-\d{2}$/),
  conditions: z.record(z.string(), measuredViewer),
});
export type RecordedBrowser = z.infer<typeof recordedBrowser>;

export const readRecordedBrowser = (path: string): RecordedBrowser =>
  recordedBrowser.parse(JSON.parse(readFileSync(path, 'utf8')));
