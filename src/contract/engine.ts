import { agentIdleBounds } from '../domain/agentIdle';
import { z } from 'zod';
import { estimateCalls } from './estimateCalls';
import { hookShellCalls } from './hookCalls';
import { labConditions } from './labProtocol';
import { namedLayout } from './layoutSchemas';
import { libraryCalls, libraryEvents, libraryShellCalls } from './libraryCalls';
import { nodeCalls, nodeEvents, secretCalls, secretEvents } from './nodeCalls';
import { planCalls } from './planCalls';
import { preflightCalls, preflightEvents } from './preflightCalls';
import { scheduleCalls, scheduleEvents } from './scheduleCalls';
import * as s from './schemas';
import { seriesSummary } from './seriesSchemas';
import { shareCalls, shareEvents, shareShellCalls } from './shareCalls';
import { importedRun, noteText } from './snapshotCalls';
import { viewerDetail } from './viewerSchemas';

/**
 * The typed contract between the engine and its shells (window, main process, CLI): one entry per call and per event,
 * with the schema of what goes in and what comes out. There is no untyped way round: `calls.ts` checks both at run time.
 */

const nothing = z.strictObject({});
const done = z.object({ done: z.literal(true) });

/** Everything a shell needs to draw its first screen; afterwards events keep it current. */
const engineState = z.object({
  version: z.string(),
  /** Folder that keeps the runs, for `Show in folder`. */
  runsFolder: z.string(),
  nodes: z.array(s.nodeView),
  jobs: z.array(s.jobView),
  run: s.runView.nullable(),
  events: z.array(s.runEvent),
  stills: z.array(s.still),
});

export const engineCalls = {
  ...nodeCalls,
  ...planCalls,
  ...scheduleCalls,
  ...preflightCalls,
  ...estimateCalls,
  ...libraryCalls,
  ...shareCalls,
  'engine.state': { input: nothing, output: engineState },

  'lab.start': { input: nothing, output: s.nodeView },
  'lab.stop': { input: nothing, output: done },
  /** Makes the lab's way to its viewers bad, or its ceiling low, to try out what is said of that. The answer holds all that hold now. */
  'lab.conditions': { input: labConditions.extend({ stream: s.streamName }), output: labConditions },

  'publish.start': {
    input: z.strictObject({
      node: s.nodeName,
      stream: s.streamName,
      source: z.literal('sample-240p'),
      /** Tester whose agent publishes it where the server makes no streams; default this machine's. */
      by: s.nodeName.optional(),
    }),
    output: z.object({ job: z.string() }),
  },
  'publish.stop': { input: z.strictObject({ job: z.string() }), output: done },

  /** Signalling for the player and for publishing from the window; the engine makes the HTTP requests. */
  'signal.whep': {
    input: z.strictObject({ node: s.nodeName, stream: s.streamName, offerSdp: z.string().max(100_000) }),
    output: z.object({ session: z.string(), answerSdp: z.string() }),
  },
  'signal.whip': {
    input: z.strictObject({
      node: s.nodeName,
      stream: s.streamName,
      source: z.enum(['camera', 'screen', 'pattern']),
      offerSdp: z.string().max(100_000),
    }),
    output: z.object({ session: z.string(), job: z.string(), answerSdp: z.string() }),
  },
  'signal.end': { input: z.strictObject({ session: z.string() }), output: done },

  /** What a plan would need and do, while somebody types: problems name the field by its path, e.g. `pull.viewers`. */
  'plan.check': {
    input: z.strictObject({ plan: s.plan }),
    output: z.object({
      problems: z.array(
        z.object({ path: z.string(), sentence: z.string(), suggestion: z.number().optional() }),
      ),
      expectedMbps: z.number().optional(),
      expectedPacketsPerSecond: z.number().optional(),
      /** Facts that were looked at, e.g. `Open files on local: 20,000; this job needs 1,300`. */
      checks: z.array(
        z.object({
          /** It was checked, and the run can rely on it. */
          good: z.boolean(),
          /** It can't be checked from here: neither good nor bad. */
          isUnknown: z.literal(true).optional(),
          sentence: z.string(),
          /** What would make it good. */
          fix: z.enum(['publish']).optional(),
        }),
      ),
    }),
  },

  /**
   * Starts a run, or adds the plan's pull to the run under way. A plan with hooks is refused (`hooks-not-allowed`) unless they are allowed;
   * of a window that counts only after `hooks.grant` for the same plan.
   */
  'runs.start': {
    input: z.strictObject({ plan: s.plan, allowHooks: z.boolean().optional() }),
    output: z.object({ run: s.runId }),
  },
  'runs.stopJob': {
    input: z.strictObject({ job: z.string(), force: z.boolean() }),
    output: z.object({ left: z.number() }),
  },
  'runs.stopAll': { input: z.strictObject({ force: z.boolean() }), output: z.object({ left: z.number() }) },
  'runs.note': {
    input: z.strictObject({
      run: s.runId,
      text: noteText,
      timeMs: z.number().optional(),
      /** Of a note to a kept run; by default `you`. */
      author: z.string().trim().min(1).max(80).optional(),
    }),
    output: s.runEvent,
  },
  'runs.keepStill': {
    input: z.strictObject({
      run: s.runId,
      cause: z.string().max(100),
      mime: z.enum(['image/png', 'image/jpeg']),
      data: z.custom<Uint8Array>((value) => value instanceof Uint8Array && value.length <= 8_000_000),
    }),
    output: s.still,
  },
  'runs.stillData': {
    input: z.strictObject({ run: s.runId, id: z.number().int() }),
    output: z.object({
      mime: z.string(),
      data: z.custom<Uint8Array>((value) => value instanceof Uint8Array),
    }),
  },
  /** Figures of the control player, once a second, recorded with the run under way (nothing happens without one). */
  'player.figures': {
    input: z.strictObject({
      node: s.nodeName,
      values: z.partialRecord(
        z
          .string()
          .regex(/^player[A-Z]/)
          .pipe(s.seriesId),
        z.number(),
      ),
      /** A freeze that just ended, to be an event of the run. */
      freezeMs: z.number().optional(),
    }),
    output: done,
  },
  'runs.viewers': {
    input: z.strictObject({
      run: s.runId,
      offset: z.number().int().nonnegative(),
      limit: z.number().int().min(1).max(1000),
      state: z.enum(['waiting', 'connecting', 'connected', 'failed', 'leaving', 'left']).optional(),
    }),
    output: z.object({ total: z.number(), viewers: z.array(s.viewerRow) }),
  },
  /** Details of one viewer of the run under way; a saved run has those it keeps in the rows of `runs.viewers`. */
  'runs.viewer': {
    input: z.strictObject({ run: s.runId, job: z.string(), viewer: z.number().int().positive() }),
    output: viewerDetail,
  },

  'runs.list': { input: nothing, output: z.array(s.runSummary) },
  'runs.open': {
    input: z.strictObject({ run: s.runId }),
    output: z.object({ run: s.runView, events: z.array(s.runEvent), stills: z.array(s.still) }),
  },
  /** Samples of a kept run (or of the one under way), in batches of at most 200,000 samples: ask again from `nextMs`. */
  'runs.samples': {
    input: z.strictObject({ run: s.runId, fromMs: z.number(), toMs: z.number() }),
    output: z.object({ batch: s.sampleBatch, nextMs: z.number().nullable() }),
  },
  /**
   * A stretch of a run in at most about so many steps: of each the lowest and the highest sample. Ask again from `nextMs`, with as many
   * columns fewer.
   */
  'runs.overview': {
    input: z.strictObject({
      run: s.runId,
      fromMs: z.number(),
      toMs: z.number(),
      columns: z.number().int().min(1).max(20_000),
      /** All when absent. */
      series: z.array(s.seriesId).max(1000).optional(),
    }),
    output: s.overviewBatch,
  },
  /** Figures of every series of a run so far, for the table of all series. Reads every sample of a run under way. */
  'runs.series': {
    input: z.strictObject({ run: s.runId }),
    output: z.object({ series: z.array(seriesSummary) }),
  },
  /** Arranges the charts of the run under way as the window does: its file and its report follow. */
  'runs.setLayout': {
    input: z.strictObject({ run: s.runId, layout: namedLayout }),
    output: done,
  },
  'runs.rename': {
    input: z.strictObject({ run: s.runId, name: z.string().trim().min(1).max(120) }),
    output: s.runSummary,
  },
  'runs.delete': { input: z.strictObject({ run: s.runId }), output: done },
  'runs.undelete': { input: z.strictObject({ run: s.runId }), output: s.runSummary },
} as const;

/** Calls that only the main process may make, since they take paths that a dialog has chosen. */
export const shellCalls = {
  ...secretCalls,
  ...hookShellCalls,
  ...libraryShellCalls,
  ...shareShellCalls,
  'runs.import': { input: z.strictObject({ path: z.string() }), output: importedRun },
  'runs.export': {
    input: z.strictObject({
      run: s.runId,
      kind: z.enum(['fullhouse', 'html', 'csv', 'junit', 'markdown']),
      path: z.string(),
      /** Without everything that tells who the customer is. */
      isRedacted: z.boolean().optional(),
    }),
    /** `remark`: what is to be known of the run's data, where the file can't say it. */
    output: z.object({ path: z.string(), bytes: z.number(), remark: z.string().optional() }),
  },
  /** How long agents that start on SSH testers from now on play on without this console. */
  'agents.setIdle': {
    input: z.strictObject({ seconds: z.number().int().min(agentIdleBounds.least).max(agentIdleBounds.most) }),
    output: done,
  },
  'engine.shutdown': { input: nothing, output: done },
} as const;

export const engineEvents = {
  ...nodeEvents,
  ...scheduleEvents,
  ...secretEvents,
  ...preflightEvents,
  ...libraryEvents,
  ...shareEvents,
  samples: s.sampleBatch,
  nodes: z.array(s.nodeView),
  jobs: z.array(s.jobView),
  /** The run under way, whole, at most twice a second; null when there is none any more. */
  run: s.runView.nullable(),
  event: s.runEvent,
  still: s.still,
  runsChanged: z.object({}),
} as const;

export type EngineCalls = typeof engineCalls;
export type EngineCallName = keyof EngineCalls;
export type ShellCalls = typeof shellCalls;
export type AnyCalls = EngineCalls & ShellCalls;
export type CallInput<C extends keyof AnyCalls> = z.infer<AnyCalls[C]['input']>;
export type CallOutput<C extends keyof AnyCalls> = z.infer<AnyCalls[C]['output']>;
export type EngineEvents = { [E in keyof typeof engineEvents]: z.infer<(typeof engineEvents)[E]> };
export type EngineEventName = keyof EngineEvents;
export type EngineState = z.infer<typeof engineState>;
