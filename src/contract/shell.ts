import { z } from 'zod';
import { agentIdleBounds } from '../domain/agentIdle';
import { alignment, comparisonKind } from './libraryCalls';
import { savedLayouts } from './layoutSchemas';
import { plan, runId } from './schemas';
import { isTimeZone } from '../domain/timeFormat';
import { importedRun, redactionChoice, type ImportedRun } from './snapshotCalls';

/** Characters of a text file: a fleet of thousands of nodes, and nothing that was opened by mistake. */
export const mostTextLength = 1_000_000;

const folderKind = z.enum(['runs', 'exports']);

/** What the window may ask of the main process: only what needs the desktop. One entry per call, checked on arrival. */
export const shellBridge = {
  /** Asks where to save, then exports; null when the person cancelled. PNG of a chart comes as data from the window. */
  'shell.export': {
    input: z.strictObject({
      run: runId,
      kind: z.enum(['fullhouse', 'html', 'pdf', 'csv', 'junit', 'markdown']),
      suggestedName: z.string().max(160),
      /** Without everything that tells who the customer is. */
      isRedacted: z.boolean().optional(),
    }),
    output: z.object({ path: z.string(), bytes: z.number() }).nullable(),
  },
  /** Asks where to save a copy for support, then writes it without what the choice does not keep; null when cancelled. */
  'shell.snapshot': {
    input: z.strictObject({ run: runId, choice: redactionChoice, suggestedName: z.string().max(160) }),
    output: z.object({ path: z.string(), bytes: z.number(), replaced: z.number() }).nullable(),
  },
  /** Shows a plan's hooks in a native dialog; when they are allowed, the engine carries them out at the next start of this plan. */
  'shell.allowHooks': { input: z.strictObject({ plan }), output: z.object({ allowed: z.boolean() }) },
  /** The same for two to five runs held against each other. */
  'shell.exportComparison': {
    input: z.strictObject({
      runs: z.array(runId).min(2).max(5),
      kind: comparisonKind,
      alignment,
      suggestedName: z.string().max(160),
    }),
    output: z.object({ path: z.string(), bytes: z.number() }).nullable(),
  },
  'shell.savePng': {
    input: z.strictObject({
      suggestedName: z.string().max(160),
      data: z.custom<Uint8Array>((value) => value instanceof Uint8Array && value.length <= 30_000_000),
    }),
    output: z.object({ path: z.string(), bytes: z.number() }).nullable(),
  },
  /** Asks for a `.fullhouse` file and imports it; null when cancelled. */
  'shell.openRun': { input: z.strictObject({}), output: importedRun.nullable() },
  /** Asks where to save a text, e.g. the fleet as YAML; null when cancelled. */
  'shell.saveText': {
    input: z.strictObject({ suggestedName: z.string().max(160), text: z.string().max(mostTextLength) }),
    output: z.object({ path: z.string(), bytes: z.number() }).nullable(),
  },
  /** Asks for a file of this kind and reads it; null when cancelled. */
  'shell.openText': {
    input: z.strictObject({ kind: z.enum(['fleet']) }),
    output: z.object({ name: z.string(), text: z.string().max(mostTextLength) }).nullable(),
  },
  'shell.copyText': {
    input: z.strictObject({ text: z.string().max(100_000) }),
    output: z.object({ done: z.literal(true) }),
  },
  'shell.showInFolder': {
    input: z.strictObject({ run: runId }),
    output: z.object({ done: z.literal(true) }),
  },
  /** Shows a file that was saved in this session: opens it where a program for it is safe to start, else shows its folder. */
  'shell.openSaved': {
    input: z.strictObject({ path: z.string().max(4096) }),
    output: z.object({ done: z.literal(true) }),
  },
  /** Folders and version, for the settings. */
  'shell.about': { input: z.strictObject({}), output: z.lazy(() => aboutApp) },
  /** Asks for a folder; null when cancelled. */
  'shell.chooseFolder': {
    input: z.strictObject({ kind: folderKind }),
    output: z.lazy(() => aboutApp.nullable()),
  },
  /** Back to the folder that the app chooses itself. */
  'shell.resetFolder': { input: z.strictObject({ kind: folderKind }), output: z.lazy(() => aboutApp) },
  'shell.settings': {
    input: z.strictObject({}),
    output: z.lazy(() => settings),
  },
  'shell.saveSettings': {
    input: z.lazy(() => settingsChange),
    output: z.object({ done: z.literal(true) }),
  },
} as const;

/** Thresholds of the verdict, see `ExpectationId`. */
export const defaultThresholds = z.object({
  connected: z.number().min(0).max(100).optional(),
  degraded: z.number().min(0).max(100).optional(),
  cpu: z.number().min(0).max(100).optional(),
  gcPause: z.number().min(0).max(60_000).optional(),
});
export type DefaultThresholds = z.infer<typeof defaultThresholds>;

/** What is remembered between starts, beside the window's place. No secret is ever in here. */
const remembered = z.object({
  /** `system` follows what the desktop is set to. */
  theme: z.enum(['dark', 'light', 'system']),
  /** `local`, `utc` or a zone's name in the IANA database. */
  timeZone: z.string().max(64).refine(isTimeZone, 'This system knows no time zone of that name.'),
  /** Whether keys without Ctrl are commands. */
  singleKeys: z.boolean().optional(),
  /** Keys of one's own by the id of the command, as `keyName` names them; empty: none. */
  keys: z.record(z.string().max(60), z.string().max(20)).optional(),
  /** Thresholds that a new plan starts with, in the unit of each; absent: the built-in one. */
  thresholds: defaultThresholds.optional(),
  /** How long the agent on an SSH tester plays on without this console. */
  agentIdleSeconds: z.number().int().min(agentIdleBounds.least).max(agentIdleBounds.most).optional(),
  /** Folders that were chosen in a native dialog; only the main process writes them. */
  runsFolder: z.string().max(4096).optional(),
  exportsFolder: z.string().max(4096).optional(),
  lastPull: z
    .object({
      viewers: z.number(),
      ratePerSecond: z.number(),
      holdMs: z.number(),
      stream: z.string(),
      /** Nodes by their ids; absent in settings of older versions. */
      origin: z.string().optional(),
      testers: z.array(z.string()).optional(),
    })
    .optional(),
  lastPublish: z
    .object({
      stream: z.string(),
      source: z.enum(['sample-240p', 'camera', 'screen', 'pattern']),
      node: z.string().optional(),
    })
    .optional(),
  /** Name under which notes to kept runs go to others. */
  author: z.string().trim().max(80).optional(),
  /** How the charts are arranged. */
  layouts: savedLayouts.optional(),
});
export const settings = remembered.extend({
  theme: remembered.shape.theme.default('dark'),
  // A zone that this system does not know (any more) is as if none was chosen.
  timeZone: remembered.shape.timeZone.catch('local').default('local'),
});
/**
 * A change of some of them: without defaults, or a change of one would set others back; and without folders, since a page
 * can't make up a path.
 */
export const settingsChange = z.strictObject(
  remembered.omit({ runsFolder: true, exportsFolder: true }).partial().shape,
);
export type SettingsChange = z.infer<typeof settingsChange>;
export type Settings = z.infer<typeof settings>;

const folder = z.object({
  path: z.string(),
  /** Chosen by a person; else by the app. */
  isOwn: z.boolean(),
});

export const aboutApp = z.object({
  version: z.string(),
  folders: z.object({ runs: folder, exports: folder }),
  /** Where runs are kept until the next start, when another folder was chosen since; absent: the same. */
  runsUntilRestart: z.string().optional(),
});
export type AboutApp = z.infer<typeof aboutApp>;

/** What the main process tells the window. */
export const shellEvents = {
  /** A menu entry or a system-wide key was chosen. */
  menu: z.enum([
    'pull',
    'publish',
    'stopAll',
    'openRun',
    'export',
    'note',
    'still',
    'live',
    'zoomReset',
    'toggleTheme',
    'toggleUtc',
    'console',
    'nodes',
    'addNode',
    'runs',
    'keys',
    'settings',
  ]),
  /** A run file was opened by double-click, drop or the menu; the window shows it. */
  runOpened: importedRun,
  /** Something went wrong outside any call, e.g. the engine ended; one sentence. */
  problem: z.string(),
  /** The engine ended in the middle of this run and was started again; the run's file is marked interrupted. */
  interrupted: z.object({ run: runId, sentence: z.string() }),
} as const;

export type ShellBridge = typeof shellBridge;
export type ShellCallName = keyof ShellBridge;
export type ShellInput<C extends ShellCallName> = z.infer<ShellBridge[C]['input']>;
export type ShellOutput<C extends ShellCallName> = z.infer<ShellBridge[C]['output']>;
export type ShellEvents = { [E in keyof typeof shellEvents]: z.infer<(typeof shellEvents)[E]> };

/** `window.fullhouse`, put there by the preload. The engine's port arrives as a `message` event named `fullhouse-engine-port`. */
export interface ShellApi {
  call<C extends ShellCallName>(name: C, input: ShellInput<C>): Promise<ShellOutput<C>>;
  on<E extends keyof ShellEvents>(name: E, listener: (payload: ShellEvents[E]) => void): () => void;
  /** Imports a dropped file. The system knows its path: one that a page makes up is refused. */
  importDropped(file: File): Promise<ImportedRun>;
  readonly platform: string;
}
