import { z } from 'zod';
import { economyChoices } from '../domain/tester/economy';
import { captureKinds, localSources } from '../domain/model/localSources';
import { playerSaving } from '../domain/model/playerSaving';
import { playerProtocols } from '../domain/model/playerProtocols';
import { publishMedia, windowProtocols } from '../domain/model/publishMedia';
import { agentIdleBounds } from '../domain/node/agentIdle';
import { agentMemoryBounds } from '../domain/node/agentMemory';
import { sampleSource, type ExpectationId } from '../domain/model/plan';
import { expectationRules } from '../domain/plan/expectationText';
import { streamLimitRules, type StreamLimitId, type StreamLimits } from '../domain/verdict/streamLimits';
import { logLevels } from '../domain/model/logLevel';
import { diagnosticsCalls } from './diagnosticsCalls';
import { exactly } from './exactly';
import { alignment, comparisonKind } from './libraryCalls';
import { savedLayouts } from './layoutSchemas';
import { nodeName, plan, runId, streamName } from './schemas';
import { timeOfDay } from '../domain/text/night';
import { isTimeZone } from '../domain/text/timeFormat';
import { importedRun, redactionChoice, type ImportedRun } from './snapshotCalls';
import { updateCalls, updateState } from './updateCalls';

/** Characters of a text file: enough for a fleet of thousands of nodes, and a bound on files opened by mistake. */
export const maxTextLength = 1_000_000;

/** Characters of a list of incidents: 5,000 that each name 200 streams, in 128 characters that count twice. */
const maxIncidentsLength = 300_000_000;

const folderKind = z.enum(['runs', 'exports']);

const captureId = z.string().max(200);
const capturable = z.object({ id: captureId, name: z.string(), thumbnail: z.string().startsWith('data:image/') });
/** A screen or window that can be captured. */
export type Capturable = z.infer<typeof capturable>;

/** Calls of the window to the main process: only what needs the desktop. Each is checked on arrival. */
export const shellBridge = {
  /** Shows a save dialog, then exports; null when cancelled. A chart's PNG is sent as data by the window. */
  'shell.export': {
    input: z.strictObject({
      run: runId,
      kind: z.enum(['fullhouse', 'html', 'pdf', 'csv', 'junit', 'markdown']),
      suggestedName: z.string().max(160),
      /** Without anything that identifies the customer. */
      isRedacted: z.boolean().optional(),
    }),
    output: z.object({ path: z.string(), bytes: z.number() }).nullable(),
  },
  /** Shows a save dialog for a support copy, then writes it, redacted as chosen; null when cancelled. */
  'shell.snapshot': {
    input: z.strictObject({ run: runId, choice: redactionChoice, suggestedName: z.string().max(160) }),
    output: z.object({ path: z.string(), bytes: z.number(), replaced: z.number() }).nullable(),
  },
  /** Opens a copy that was saved in this session, for reading beside its original. */
  'shell.openSnapshot': {
    input: z.strictObject({ path: z.string().max(4096) }),
    output: z.object({ run: runId }),
  },
  /**
   * Shows a plan's consent items in a native dialog; if allowed, the engine does them at the next start of this plan, or
   * at the next preflight of its nodes.
   */
  'shell.allowHooks': {
    input: z.strictObject({ plan, scope: z.enum(['run', 'nodes']).optional() }),
    output: z.object({ allowed: z.boolean() }),
  },
  /** Shows the webhooks and commands of the alert rules that are not allowed yet in a native dialog. */
  'shell.allowAlerts': { input: z.strictObject({}), output: z.object({ allowed: z.boolean() }) },
  /** Exports a comparison of two to five runs. */
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
  /** Shows an open dialog for a `.fullhouse` file and imports it; null when cancelled. */
  'shell.openRun': { input: z.strictObject({}), output: importedRun.nullable() },
  /** Shows a save dialog for a text, e.g. the fleet as YAML; null when cancelled. */
  'shell.saveText': {
    input: z.strictObject({
      suggestedName: z.string().max(160),
      text: z.string().max(maxTextLength),
      /** Default: YAML. */
      kind: z.enum(['yaml', 'delays']).optional(),
    }),
    output: z.object({ path: z.string(), bytes: z.number() }).nullable(),
  },
  /** The same for a list of incidents, which is longer than what is written by hand. */
  'shell.saveIncidents': {
    input: z.strictObject({ kind: z.enum(['csv', 'json']), text: z.string().max(maxIncidentsLength) }),
    output: z.object({ path: z.string(), bytes: z.number() }).nullable(),
  },
  /** Shows an open dialog for a file of this kind and reads it; null when cancelled. */
  'shell.openText': {
    input: z.strictObject({ kind: z.enum(['fleet', 'delays']) }),
    output: z.object({ name: z.string(), text: z.string().max(maxTextLength) }).nullable(),
  },
  /** What the system can capture now; thumbnails are data URLs. */
  'shell.captures': { input: z.strictObject({ kind: z.enum(captureKinds) }), output: z.array(capturable) },
  /** Which of the listed ones the next capture of the window shows; it is allowed once. */
  'shell.chooseCapture': { input: z.strictObject({ id: captureId }), output: z.object({ done: z.literal(true) }) },
  'shell.copyText': {
    input: z.strictObject({ text: z.string().max(100_000) }),
    output: z.object({ done: z.literal(true) }),
  },
  'shell.showInFolder': {
    input: z.strictObject({ run: runId }),
    output: z.object({ done: z.literal(true) }),
  },
  /**
   * Shows a file saved in this session: opens it if its default program is safe to start, else shows its folder, as
   * with `inFolder`.
   */
  'shell.openSaved': {
    input: z.strictObject({ path: z.string().max(4096), inFolder: z.literal(true).optional() }),
    output: z.object({ done: z.literal(true) }),
  },
  /** Folders and version, for the settings. */
  'shell.about': { input: z.strictObject({}), output: z.lazy(() => aboutApp) },
  /** Licences of the software in the app, as text. */
  'shell.notices': { input: z.strictObject({}), output: z.object({ text: z.string().max(20_000_000) }) },
  /** Shows a folder dialog; null when cancelled. */
  'shell.chooseFolder': {
    input: z.strictObject({ kind: folderKind }),
    output: z.lazy(() => aboutApp.nullable()),
  },
  /** Resets to the app's default folder. */
  'shell.resetFolder': { input: z.strictObject({ kind: folderKind }), output: z.lazy(() => aboutApp) },
  /** CPU since the previous call, or since the start of the app. */
  'shell.processLoad': {
    input: z.strictObject({}),
    output: z.object({
      cores: z.number().int().positive(),
      /** Share of all cores that all programs use. */
      machineBusyPercent: z.number().min(0),
      /** Share of one core that the window uses: its page with the decoders, and the process that draws it. */
      windowCpuPercent: z.number().min(0),
    }),
  },
  /** Fills the screen and keeps it on, or ends that. */
  'shell.wallMode': { input: z.strictObject({ isOn: z.boolean() }), output: z.object({ done: z.literal(true) }) },
  /** The current keys of menu entries; an entry without one has no key. */
  'shell.showMenuKeys': {
    input: z.lazy(() => menuKeys),
    output: z.object({ done: z.literal(true) }),
  },
  'shell.settings': {
    input: z.strictObject({}),
    output: z.lazy(() => settings),
  },
  'shell.saveSettings': {
    input: z.lazy(() => settingsChange),
    output: z.object({ done: z.literal(true) }),
  },
  ...diagnosticsCalls,
  ...updateCalls,
} as const;

const expected = (id: ExpectationId) => z.number().min(0).max(expectationRules[id].max).optional();
/** Thresholds of the verdict. */
export const defaultThresholds = z.object({
  connected: expected('connected'),
  outages: expected('outages'),
  degraded: expected('degraded'),
  cpu: expected('cpu'),
  gcPause: expected('gcPause'),
});
export type DefaultThresholds = z.infer<typeof defaultThresholds>;

const streamLimit = (id: StreamLimitId) => z.number().min(0).max(streamLimitRules[id].max).optional();
/** Limits of the figures of single streams. */
const streamLimits = exactly<StreamLimits>()(
  z.object({
    fps: streamLimit('fps'),
    bitrate: streamLimit('bitrate'),
    nack: streamLimit('nack'),
    lost: streamLimit('lost'),
  }),
);

/** What can be published; the rest by the engine: the sample, a stream of a WCS, or a camera that the server pulls. */
const publishKinds = [sampleSource, ...localSources, 'stream', 'rtsp'] as const;
export type PublishKind = (typeof publishKinds)[number];

/** Id of a camera or microphone, as Chromium names it for this app only. */
const deviceId = z.string().max(200);

/** The themes of the window. */
export const themes = ['dark', 'light', 'high-contrast'] as const;
export type Theme = (typeof themes)[number];

/** What is stored between starts, besides the window position. Never contains a secret. */
const remembered = z.object({
  /** `system` follows the desktop's setting. */
  theme: z.enum([...themes, 'system']),
  /** `local`, `utc` or an IANA time zone name. */
  timeZone: z.string().max(64).refine(isTimeZone, 'This system has no time zone of that name.'),
  /** When the window draws less; absent: by itself. */
  economy: z.enum(economyChoices).optional(),
  /** Whether keys without Ctrl are commands. */
  singleKeys: z.boolean().optional(),
  /** User-defined keys by command id, named as by `keyName`; empty: no key. */
  keys: z.record(z.string().max(60), z.string().max(20)).optional(),
  /** Thresholds of new plans, in the unit of each; absent: the built-in one. */
  thresholds: defaultThresholds.optional(),
  /** Limits of the figures of single streams; absent: the built-in one. */
  streamLimits: streamLimits.optional(),
  /** How long the agent on an SSH tester keeps running without this console. */
  agentIdleSeconds: z.number().int().min(agentIdleBounds.least).max(agentIdleBounds.most).optional(),
  /** How much memory an agent may use, in MB; absent: what is usual for its machine. */
  agentMemoryMb: z.number().int().min(agentMemoryBounds.least).max(agentMemoryBounds.most).optional(),
  /** Folders chosen in a native dialog; only the main process writes them. */
  runsFolder: z.string().max(4096).optional(),
  exportsFolder: z.string().max(4096).optional(),
  /** Where packages of newer versions are; absent: no updates. Only the main process writes it. */
  updateAddress: z.string().max(1000).optional(),
  /** The least severe level of the log; absent: `usualLogLevel`. */
  logLevel: z.enum(logLevels).optional(),
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
      source: z.enum(publishKinds),
      node: z.string().optional(),
      /** Present for sources of the window. */
      protocol: z.enum(windowProtocols).optional(),
      media: publishMedia.optional(),
      camera: deviceId.optional(),
      microphone: deviceId.optional(),
    })
    .optional(),
  /** Players side by side. */
  multiview: z
    .array(z.object({ node: nodeName, stream: streamName, protocol: z.enum(playerProtocols).optional() }))
    .max(9)
    .optional(),
  /** What the control player saves in runs by itself. */
  playerSaving: playerSaving.optional(),
  /** Author name of notes on saved runs. */
  author: z.string().trim().max(80).optional(),
  /** How the charts are arranged. */
  layouts: savedLayouts.optional(),
  /** When wall mode is darker, by the clock of the machine; absent: as usual. `off` is of older versions. */
  wallNight: z
    .union([
      z.literal('off'),
      z.object({
        from: z.string().regex(timeOfDay),
        until: z.string().regex(timeOfDay),
        isOff: z.boolean().optional(),
      }),
    ])
    .optional(),
  /** Sizes of the console's panes that the user has changed, in px. */
  panes: z
    .object({
      sidebar: z.number().int().min(180).max(420),
      inspector: z.number().int().min(260).max(640),
      events: z.number().int().min(96).max(520),
    })
    .partial()
    .optional(),
});
export const settings = remembered.extend({
  // A theme of a newer version, or a time zone unknown to this system, falls back to the default.
  theme: remembered.shape.theme.catch('dark').default('dark'),
  timeZone: remembered.shape.timeZone.catch('local').default('local'),
  // So does a source or codec of a newer version.
  lastPublish: remembered.shape.lastPublish.catch(undefined),
  playerSaving: remembered.shape.playerSaving.catch(undefined),
  panes: remembered.shape.panes.catch(undefined),
  wallNight: remembered.shape.wallNight.catch(undefined),
  economy: remembered.shape.economy.catch(undefined),
});
/**
 * A change of some settings: without defaults, which would reset the others; and without folders and the address of
 * updates, since a page must not choose where programs are loaded from.
 */
export const settingsChange = remembered
  .omit({ runsFolder: true, exportsFolder: true, updateAddress: true })
  .partial()
  .strict();
export type SettingsChange = z.infer<typeof settingsChange>;
export type Settings = z.infer<typeof settings>;

const folder = z.object({
  path: z.string(),
  /** Chosen by the user; else by the app. */
  isOwn: z.boolean(),
});

export const aboutApp = z.object({
  version: z.string(),
  /** Versions of Electron and its Chromium. */
  runtime: z.object({ electron: z.string(), chromium: z.string() }),
  folders: z.object({ runs: folder, exports: folder }),
  /** Where runs are saved until the next start, if another folder was chosen since; absent: the same. */
  runsUntilRestart: z.string().optional(),
});
export type AboutApp = z.infer<typeof aboutApp>;

/** Entries of the menu that are commands of the window. */
const menuEntry = z.enum([
  'pull',
  'publish',
  'stopAll',
  'openRun',
  'export',
  'note',
  'still',
  'clip',
  'spotCheck',
  'live',
  'pause',
  'zoomReset',
  'toggleTheme',
  'toggleUtc',
  'console',
  'nodes',
  'addNode',
  'runs',
  'keys',
  'settings',
  'about',
]);
export type MenuEntry = z.infer<typeof menuEntry>;

/** Keys of menu entries, named as by `keyName`. */
const menuKeys = z.partialRecord(menuEntry, z.string().max(20));
export type MenuKeys = z.infer<typeof menuKeys>;

/** Events from the main process to the window. */
export const shellEvents = {
  /** A menu entry or a system-wide key was chosen. */
  menu: menuEntry,
  /** A run file was opened by double-click, drop or the menu; the window shows it. */
  runOpened: importedRun,
  /** A plan file was opened by a link; the window shows it in the Pull dialog. */
  planOpened: z.object({ name: z.string(), text: z.string().max(maxTextLength) }),
  /** The window was shown, or hidden or minimised. */
  windowShown: z.object({ isShown: z.boolean() }),
  /** A problem outside any call, e.g. the engine ended; one sentence. */
  problem: z.string(),
  /** An export whose place was chosen is being written; its call answers when it is done. */
  exporting: z.object({ path: z.string(), isPrinted: z.boolean() }),
  /** The state of updates has changed. */
  updates: updateState,
  /** The engine ended in the middle of this run and was restarted; the run's file is marked interrupted. */
  interrupted: z.object({ run: runId, sentence: z.string() }),
} as const;

export type ShellBridge = typeof shellBridge;
export type ShellCallName = keyof ShellBridge;
export type ShellInput<C extends ShellCallName> = z.infer<ShellBridge[C]['input']>;
export type ShellOutput<C extends ShellCallName> = z.infer<ShellBridge[C]['output']>;
export type ShellEvents = { [E in keyof typeof shellEvents]: z.infer<(typeof shellEvents)[E]> };

/**
 * `window.fullhouse`, set by the preload. The engine's port arrives as a `message` event named `fullhouse-engine-port`.
 */
export interface ShellApi {
  call<C extends ShellCallName>(name: C, input: ShellInput<C>): Promise<ShellOutput<C>>;
  on<E extends keyof ShellEvents>(name: E, listener: (payload: ShellEvents[E]) => void): () => void;
  /** Imports a dropped file. The system supplies its path: one invented by a page is refused. */
  importDropped(file: File): Promise<ImportedRun>;
  readonly platform: string;
}
