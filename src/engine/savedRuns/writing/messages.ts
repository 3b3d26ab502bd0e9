import { z } from 'zod';
import type { ViewerRow } from '../../../contract/viewerSchemas';
import type { RunEvent, RunId, RunView } from '../../../domain/model/run';
import type { SampleBatch } from '../../../domain/series/series';
import type { EngineInfo, NewStill, SavedHistogram, UserDataChanges } from '../../store';

/** What is added to a run's file at once. */
export interface RunPiece {
  readonly samples: SampleBatch;
  readonly histograms: ReadonlyArray<Omit<SavedHistogram, 'histogram'> & { readonly bytes: Uint8Array }>;
  readonly events: readonly RunEvent[];
  readonly stills: ReadonlyArray<NewStill & { readonly id: number }>;
  readonly viewers: readonly ViewerRow[];
  readonly view?: RunView | undefined;
  /** The file may have all of it already: it was sent to a process that ended. */
  readonly isRepeat: boolean;
}

interface Place {
  readonly folder: string;
  readonly dataFolder: string | undefined;
  readonly staysInFolder?: boolean | undefined;
  /** The engine's process. */
  readonly owner: number;
}

/** What the engine requests from the process that writes the file of a run. */
export interface WriterRequests {
  create: Place & { readonly view: RunView; readonly engine: EngineInfo };
  /** A new file of the run in one of the rescue folders, by its place among them. */
  createElsewhere: Place & { readonly view: RunView; readonly engine: EngineInfo; readonly place: number };
  /** Continues the file at `path`, whose writing process ended. */
  resume: Place & { readonly view: RunView; readonly path: string };
  /** `how`: as by the method of `RunWriter`. */
  write: { readonly piece: RunPiece; readonly how: 'keepUp' | 'flush' | 'secure' };
  finish: { readonly view: RunView };
  rename: { readonly run: RunId; readonly name: string };
  keep: { readonly run: RunId; readonly changes: UserDataChanges };
}
export type WriterRequest = keyof WriterRequests;

/** From the engine, which is trusted: its input is not checked again. */
export const toWriter = z.object({
  writing: z.number().int(),
  request: z.enum(['create', 'createElsewhere', 'resume', 'write', 'finish', 'rename', 'keep']),
  input: z.unknown(),
});
export type ToWriter = z.infer<typeof toWriter>;

/** The response to each request; a problem of the disk is reported whenever it occurs, and its start once. */
export const fromWriter = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('started') }),
  z.object({
    kind: z.literal('written'),
    writing: z.number().int(),
    /** Whether the file has all that was sent. */
    isSaved: z.boolean(),
    path: z.string(),
    bytes: z.number(),
    value: z.unknown(),
  }),
  z.object({ kind: z.literal('refused'), writing: z.number().int(), code: z.string(), message: z.string() }),
  z.object({ kind: z.literal('problem'), sentence: z.string() }),
]);
export type FromWriter = z.infer<typeof fromWriter>;
export type Written = Extract<FromWriter, { kind: 'written' }>;
