import { logLevels } from '../domain/model/logLevel';
import { agentIdleBounds } from '../domain/node/agentIdle';
import { agentMemoryBounds } from '../domain/node/agentMemory';
import { maxPublishers } from '../domain/model/audienceValues';
import { publisherProtocols } from '../domain/model/plan';
import { z } from 'zod';
import { delayCalls, delayEvents, delayShellCalls } from './delayCalls';
import { distributionOverTime } from '../domain/distribution/heatmap';
import { distributionIds } from '../domain/series/distributions';
import { playerProtocols } from '../domain/model/playerProtocols';
import { pictureFaults } from '../domain/model/pictureFault';
import { stillMimes } from '../domain/model/run';
import { spotCheck } from '../domain/model/spotCheck';
import { clockPageCalls } from './clockPageCalls';
import { estimateCalls } from './estimateCalls';
import { consentCalls, consentInput, consentShellCalls } from './consentCalls';
import { agentLimits } from './agentLimits';
import { agentPublisher } from './agentSample';
import { labConditions } from './labProtocol';
import { namedLayout } from './layoutSchemas';
import { incidentCalls, incidentEvents, incidentShellCalls } from './incidentCalls';
import { kubernetesCalls } from './kubernetesCalls';
import { libraryCalls, libraryEvents, libraryShellCalls } from './libraryCalls';
import { givenName } from './names';
import { nodeCalls, nodeEvents, secretCalls, secretEvents } from './nodeCalls';
import { playerCalls, playerEvents } from './playerCalls';
import { planCalls } from './planCalls';
import { browserViewerCalls, delaysMs } from './browserViewerCalls';
import { preflightCalls, preflightEvents } from './preflightCalls';
import { publishCalls } from './publishCalls';
import { scheduleCalls, scheduleEvents } from './scheduleCalls';
import * as s from './schemas';
import { seriesSummary } from '../domain/charts/seriesTable';
import { shareCalls, shareEvents, shareShellCalls } from './shareCalls';
import { importedRun, noteText } from './snapshotCalls';
import { watchCalls, watchEvents } from './watchCalls';
import { vmafCalls } from './vmafCalls';
import { viewerDetail, viewerState } from './viewerSchemas';

/**
 * The typed contract between the engine and its shells (window, main process, CLI): one entry per call and per event,
 * with the schemas of input and output. `calls.ts` checks both at run time; there is no untyped access.
 */

const nothing = z.strictObject({});
const done = z.object({ done: z.literal(true) });

/** Everything a shell needs to draw its first screen; events keep it current. */
const engineState = z.object({
  version: z.string(),
  /** Folder of saved runs, for `Show in folder`. */
  runsFolder: z.string(),
  nodes: z.array(s.nodeView),
  jobs: z.array(s.jobView),
  run: s.runView.nullable(),
  events: z.array(s.runEvent),
  stills: z.array(s.still),
});

export const engineCalls = {
  ...nodeCalls,
  ...kubernetesCalls,
  ...playerCalls,
  ...browserViewerCalls,
  ...vmafCalls,
  ...clockPageCalls,
  ...publishCalls,
  ...planCalls,
  ...consentCalls,
  ...scheduleCalls,
  ...incidentCalls,
  ...preflightCalls,
  ...estimateCalls,
  ...watchCalls,
  ...delayCalls,
  ...libraryCalls,
  ...shareCalls,
  'engine.state': { input: nothing, output: engineState },

  'lab.start': { input: nothing, output: s.nodeView },
  'lab.stop': { input: nothing, output: done },
  /**
   * Impairs the lab's path to its viewers, or lowers its capacity, to try out how that is reported. Returns all
   * conditions in effect.
   */
  'lab.conditions': { input: labConditions.extend({ stream: s.streamName }), output: labConditions },

  'publish.start': {
    input: z.strictObject({
      node: s.nodeName,
      stream: s.streamName,
      /** `sample-240p`, or the path of a video file on the tester. */
      source: z.string().min(1).max(1000),
      /** Tester whose agent publishes it if the server cannot generate streams; default: this machine's. */
      by: s.nodeName.optional(),
      /** Several publishers of streams with numbered names, see `numberedName`. */
      publishers: z.number().int().min(1).max(maxPublishers).optional(),
      ratePerSecond: z.number().positive().optional(),
      protocol: z.enum(publisherProtocols).optional(),
    }),
    output: z.object({ job: z.string(), warnings: z.array(z.string()) }),
  },
  /** The publishers of a job whose view says `isListed`. */
  'publish.publishers': {
    input: z.strictObject({
      job: z.string(),
      offset: z.number().int().nonnegative(),
      limit: z.number().int().min(1).max(agentLimits.maxViewersListed),
    }),
    output: z.object({ total: z.number(), publishers: z.array(agentPublisher) }),
  },
  'publish.stop': { input: z.strictObject({ job: z.string() }), output: done },

  /** Signalling for the player; the engine makes the HTTP requests. */
  'signal.whep': {
    input: z.strictObject({
      node: s.nodeName,
      stream: s.streamName,
      /** With the server's own signalling, although it may have WHEP too. */
      protocol: z.enum(['whep', 'wcs']).optional(),
      offerSdp: z.string().max(100_000),
    }),
    output: z.object({ session: z.string(), answerSdp: z.string() }),
  },
  'signal.end': { input: z.strictObject({ session: z.string() }), output: done },

  /**
   * What a plan needs and does, checked while it is edited; problems name the field by its path, e.g. `pull.viewers`.
   */
  'plan.check': {
    input: z.strictObject({ plan: s.plan }),
    output: z.object({
      problems: z.array(z.object({ path: z.string(), sentence: z.string(), suggestion: z.number().optional() })),
      expectedMbps: z.number().optional(),
      unknownBitrates: z.array(z.string()).optional(),
      expectedPacketsPerSecond: z.number().optional(),
      /** Checked facts, e.g. `Open files on local: 20,000; this job needs 1,300`. */
      checks: z.array(
        z.object({
          /** Checked; the run can rely on it. */
          good: z.boolean(),
          /** Cannot be checked from here: neither good nor bad. */
          isUnknown: z.literal(true).optional(),
          sentence: z.string(),
          /** What would fix it. */
          fix: z.enum(['publish']).optional(),
        }),
      ),
    }),
  },

  /**
   * Starts a run, or adds the plan's pull to the active run. A plan with consent items is refused (`hooks-not-allowed`)
   * unless they are allowed, and one with new nodes (`nodes-not-added`) unless all of their addresses are; see
   * `plans.consent`.
   */
  'runs.start': {
    input: z.strictObject({ plan: s.plan, ...consentInput }),
    output: z.object({ run: s.runId }),
  },
  'runs.stopJob': {
    input: z.strictObject({ job: z.string(), force: z.boolean() }),
    output: z.object({ present: z.number() }),
  },
  'runs.stopAll': { input: z.strictObject({ force: z.boolean() }), output: z.object({ present: z.number() }) },
  'runs.note': {
    input: z.strictObject({
      run: s.runId,
      text: noteText,
      timeMs: s.windowTimeMs.optional(),
      /** Author of a note on a saved run; default `you`. */
      author: givenName('The name of an author', 80).optional(),
    }),
    output: s.runEvent,
  },
  'runs.saveStill': {
    input: z.strictObject({
      run: s.runId,
      cause: z.string().max(100),
      mime: z.enum(stillMimes),
      data: s.bytes(16_000_000),
      /** When what it shows happened, Unix ms; default now. */
      timeMs: s.windowTimeMs.optional(),
    }),
    output: s.still,
  },
  'runs.stillData': {
    input: z.strictObject({ run: s.runId, id: z.number().int() }),
    output: z.object({
      mime: z.string(),
      data: s.bytes(),
    }),
  },
  /** Figures of the control player, once a second, recorded with the active run (ignored without one). */
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
      /** Of what was played, with the delays of its frames. */
      displayed: z.strictObject({ stream: s.streamName, protocol: z.enum(playerProtocols), delaysMs }).optional(),
      /** A stall that just ended, recorded as an event of the run. */
      stallMs: z.number().optional(),
      /** A fault of the picture that has lasted for a second, or is over; recorded as events too. */
      faults: z
        .array(z.strictObject({ kind: z.enum(pictureFaults), lengthMs: z.number().nonnegative(), isOver: z.boolean() }))
        .max(10)
        .optional(),
    }),
    output: done,
  },
  /** A spot check of a stream, recorded as an event of the active run. */
  'player.spotCheck': {
    input: z.strictObject({ run: s.runId, node: s.nodeName, spotCheck }),
    output: s.runEvent,
  },
  'runs.viewers': {
    input: z.strictObject({
      run: s.runId,
      offset: z.number().int().nonnegative(),
      limit: z.number().int().min(1).max(agentLimits.maxViewersListed),
      state: viewerState.optional(),
    }),
    output: z.object({ total: z.number(), viewers: z.array(s.viewerRow) }),
  },
  /** Details of one viewer of the active run; a saved run has its own in the rows of `runs.viewers`. */
  'runs.viewer': {
    input: z.strictObject({ run: s.runId, job: z.string(), viewer: z.number().int().positive() }),
    output: viewerDetail,
  },

  'runs.list': { input: nothing, output: z.array(s.runSummary) },
  'runs.open': {
    input: z.strictObject({ run: s.runId }),
    output: z.object({
      run: s.runView,
      events: z.array(s.runEvent),
      stills: z.array(s.still),
      /**
       * Not recorded by this console: imported, opened from elsewhere, or copied into the folder. Its plan may contain
       * addresses that the user has never seen.
       */
      isForeign: z.boolean(),
    }),
  },
  /** Samples of a saved or active run, in batches of at most 200,000 samples: continue with `nextMs`. */
  'runs.samples': {
    input: z.strictObject({ run: s.runId, fromMs: z.number(), toMs: z.number() }),
    output: z.object({ batch: s.sampleBatch, nextMs: z.number().nullable() }),
  },
  /**
   * An interval of a run in about this many steps at most: the lowest and the highest sample of each. Continue with
   * `nextMs` and fewer columns.
   */
  'runs.overview': {
    input: z.strictObject({
      run: s.runId,
      fromMs: z.number(),
      toMs: z.number(),
      columns: z.number().int().min(1).max(20_000),
      /** All if absent. */
      series: z.array(s.seriesId).max(1000).optional(),
    }),
    output: s.overviewBatch,
  },
  /** A distribution over time, in at most so many steps; without steps in runs of versions that had none. */
  'runs.distribution': {
    input: z.strictObject({
      run: s.runId,
      distribution: z.enum(distributionIds),
      /** Its place in the plan, from 1; absent: all audiences together. */
      audience: z.number().int().positive().optional(),
      fromMs: z.number(),
      toMs: z.number(),
      columns: z.number().int().min(1).max(2000),
    }),
    output: distributionOverTime,
  },
  /** Figures of every series of a run so far, for the table of all series. Reads every sample of an active run. */
  'runs.series': {
    input: z.strictObject({ run: s.runId }),
    output: z.object({ series: z.array(seriesSummary) }),
  },
  /** Sets the chart layout of the active run to that of the window, for its file and report. */
  'runs.setLayout': {
    input: z.strictObject({ run: s.runId, layout: namedLayout }),
    output: done,
  },
  'runs.rename': {
    input: z.strictObject({ run: s.runId, name: givenName('A run name') }),
    output: s.runSummary,
  },
  'runs.delete': { input: z.strictObject({ run: s.runId }), output: done },
  'runs.undelete': { input: z.strictObject({ run: s.runId }), output: s.runSummary },
} as const;

/** Calls for the main process only, since they take paths chosen in a dialog. */
export const shellCalls = {
  ...secretCalls,
  ...consentShellCalls,
  ...incidentShellCalls,
  ...delayShellCalls,
  ...libraryShellCalls,
  ...shareShellCalls,
  'runs.import': { input: z.strictObject({ path: z.string() }), output: importedRun },
  'runs.export': {
    input: z.strictObject({
      run: s.runId,
      kind: z.enum(['fullhouse', 'html', 'csv', 'junit', 'markdown']),
      path: z.string(),
      /** Without anything that identifies the customer. */
      isRedacted: z.boolean().optional(),
    }),
    /** `remark`: a caveat about the run's data that the file format cannot express. */
    output: z.object({ path: z.string(), bytes: z.number(), remark: z.string().optional() }),
  },
  /** How long agents started on SSH testers from now on keep running without this console. */
  'agents.setIdle': {
    input: z.strictObject({ seconds: z.number().int().min(agentIdleBounds.least).max(agentIdleBounds.most) }),
    output: done,
  },
  /** How much memory agents started from now on may use; absent: what is usual for their machine. */
  'agents.setMemory': {
    input: z.strictObject({ mb: z.number().int().min(agentMemoryBounds.least).max(agentMemoryBounds.most).optional() }),
    output: done,
  },
  /** The least severe level of the log of the engine's process. */
  'log.setLevel': { input: z.strictObject({ level: z.enum(logLevels) }), output: done },
  'engine.shutdown': { input: nothing, output: done },
} as const;

export const engineEvents = {
  ...nodeEvents,
  ...playerEvents,
  ...scheduleEvents,
  ...incidentEvents,
  ...watchEvents,
  ...delayEvents,
  ...secretEvents,
  ...preflightEvents,
  ...libraryEvents,
  ...shareEvents,
  samples: s.sampleBatch,
  nodes: z.array(s.nodeView),
  jobs: z.array(s.jobView),
  /** The complete active run, at most twice a second; null when it has ended. */
  run: s.runView.nullable(),
  event: s.runEvent,
  still: s.still,
  /** A server ended a session of the player or of a publication of the window, for this reason. */
  sessionEnded: z.object({ session: z.string(), sentence: z.string() }),
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
