import { access, readFile, writeFile } from 'node:fs/promises';
import { constants, existsSync } from 'node:fs';
import { cpus } from 'node:os';
import { dirname, extname, join } from 'node:path';
import {
  app,
  type BrowserWindow,
  clipboard,
  dialog,
  type FileFilter,
  nativeTheme,
  powerSaveBlocker,
  shell,
} from 'electron';
import type { AboutApp, MenuKeys, settings, ShellOutput } from '../contract/shell';
import type { diagnosticsCalls } from '../contract/diagnosticsCalls';
import type { updateCalls } from '../contract/updateCalls';
import { agentIdleBounds } from '../domain/node/agentIdle';
import { type LogLevel, usualLogLevel } from '../domain/model/logLevel';
import { confirmAlerts, confirmHooks } from './confirmHooks';
import { sendToPage, type ShellHandlers } from './bridge';
import type { Capturing } from './capturing';
import type { EngineProcess } from './engineProcess';
import type { JsonFile } from './jsonFile';
import { systemThemeOf } from './mainWindow';
import { readOpenedText } from './openedText';
import { printReport } from './printReport';
import { runExtension, safeFileName } from './runFiles';
import { WallMode } from './wallMode';
import { variable } from '../engine/base/variables';

const kinds = {
  fullhouse: { name: 'Fullhouse run', extension: 'fullhouse' },
  html: { name: 'Report', extension: 'html' },
  csv: { name: 'CSV', extension: 'csv' },
  json: { name: 'JSON', extension: 'json' },
  pdf: { name: 'Report as PDF', extension: 'pdf' },
  junit: { name: 'JUnit XML', extension: 'xml' },
  markdown: { name: 'Markdown', extension: 'md' },
  png: { name: 'Image', extension: 'png' },
  yaml: { name: 'YAML', extension: 'yaml' },
  // Its name ends with .delay.json: not all systems know file types with two dots.
  delays: { name: 'Delay table', extension: 'json' },
} as const;

/** File types that may be opened with a program: pages, images and texts, nothing executable. */
const openableExtensions: ReadonlySet<string> = new Set(['.html', '.pdf', '.png', '.md', '.csv', '.xml', '.yaml']);

/** Facts about the app. */
export interface AppFacts {
  readonly version: string;
  /** The engine's folder of runs. */
  readonly runsFolder: string;
  /** The default folder of runs. */
  readonly usualRunsFolder: string;
  /** File with the licences of the software in the app. */
  readonly notices: string;
  /** What may be opened: only files that the user saved in this session. */
  readonly saved: Set<string>;
  readonly setLogLevel: (level: LogLevel) => void;
}

/** The desktop's part of each shell call: dialogs, clipboard, settings. The engine does the rest. */
export function shellHandlers(
  window: BrowserWindow,
  engine: EngineProcess,
  remembered: JsonFile<typeof settings>,
  facts: AppFacts,
  capturing: Capturing,
  showMenuKeys: (keys: MenuKeys) => void,
): Omit<ShellHandlers, keyof typeof diagnosticsCalls | keyof typeof updateCalls> {
  let lastFolder: string | undefined;
  const { saved } = facts;
  const wallMode = new WallMode(window, powerSaveBlocker);
  // A page that is loaded again is not in wall mode.
  window.webContents.on('did-navigate', () => wallMode.set(false));
  // For a hidden window the screen may turn off.
  window.on('hide', () => wallMode.set(false));

  const askWhere = async (suggestedName: string, kind: keyof typeof kinds): Promise<string | undefined> => {
    const { name, extension } = kinds[kind];
    const filters: FileFilter[] = [{ name, extensions: [extension] }];
    const fileName = safeFileName(suggestedName, `.${extension}`);
    const defaultPath = join(lastFolder ?? exportsFolder(), fileName);
    const { canceled, filePath } = await dialog.showSaveDialog(window, { defaultPath, filters });
    if (canceled || !filePath) return undefined;
    lastFolder = dirname(filePath);
    saved.add(filePath);
    return filePath;
  };

  const saveText = async (
    suggestedName: string,
    kind: keyof typeof kinds,
    text: string,
  ): Promise<ShellOutput<'shell.saveText'>> => {
    const path = await askWhere(suggestedName, kind);
    if (path === undefined) return null;
    await writeFile(path, text, 'utf8');
    return { path, bytes: Buffer.byteLength(text) };
  };

  const processLoad = new ProcessLoad();
  const exportsFolder = (): string => remembered.value.exportsFolder ?? app.getPath('downloads');
  const about = (): AboutApp => {
    const { runsFolder, exportsFolder: ownExports } = remembered.value;
    const next = variable('FULLHOUSE_RUNS') ?? runsFolder ?? facts.usualRunsFolder;
    return {
      version: facts.version,
      runtime: { electron: process.versions.electron, chromium: process.versions.chrome },
      folders: {
        runs: { path: next, isOwn: runsFolder !== undefined },
        exports: { path: exportsFolder(), isOwn: ownExports !== undefined },
      },
      ...(next === facts.runsFolder ? {} : { runsUntilRestart: facts.runsFolder }),
    };
  };
  const setFolder = (kind: 'runs' | 'exports', path: string | undefined): AboutApp => {
    remembered.write({ ...remembered.value, [kind === 'runs' ? 'runsFolder' : 'exportsFolder']: path });
    if (kind === 'exports') lastFolder = undefined;
    return about();
  };

  return {
    'shell.about': () => about(),
    'shell.notices': async () => {
      const text = await readFile(facts.notices, 'utf8').catch(() => {
        throw new Error(
          `The licences were not found: ${facts.notices} does not exist. In a clone, npm run notices writes it.`,
        );
      });
      return { text };
    },
    'shell.chooseFolder': async ({ kind }) => {
      const { canceled, filePaths } = await dialog.showOpenDialog(window, {
        title: kind === 'runs' ? 'Folder of runs' : 'Folder of exports',
        defaultPath: about().folders[kind].path,
        properties: ['openDirectory', 'createDirectory'],
      });
      const [path] = filePaths;
      if (canceled || path === undefined) return null;
      await access(path, constants.W_OK).catch(() => {
        throw new Error(`Nothing can be written to ${path}. Choose another folder, or change its permissions.`);
      });
      return setFolder(kind, path);
    },
    'shell.resetFolder': ({ kind }) => setFolder(kind, undefined),
    'shell.openSaved': async ({ path, inFolder = false }) => {
      if (!saved.has(path)) throw new Error(`${path} was not saved in this session.`);
      if (!existsSync(path)) throw new Error(`${path} no longer exists.`);
      const problem = !inFolder && openableExtensions.has(extname(path)) ? await shell.openPath(path) : 'no program';
      // Without a program for it, its folder is shown.
      if (problem !== '') shell.showItemInFolder(path);
      return { done: true };
    },
    'shell.export': async ({ run, kind, suggestedName, isRedacted }) => {
      const path = await askWhere(suggestedName, kind);
      if (path === undefined) return null;
      sendToPage(window.webContents, 'exporting', { path, isPrinted: kind === 'pdf' });
      if (kind !== 'pdf') return engine.call('runs.export', { run, kind, path, isRedacted });
      return printReport(path, (html) => engine.call('runs.export', { run, kind: 'html', path: html, isRedacted }));
    },
    'shell.snapshot': async ({ run, choice, suggestedName }) => {
      const path = await askWhere(suggestedName, 'fullhouse');
      return path === undefined ? null : engine.call('snapshot.write', { run, choice, path });
    },
    'shell.openSnapshot': ({ path }) => {
      if (!saved.has(path)) throw new Error(`${path} was not saved in this session.`);
      return engine.call('snapshot.open', { path });
    },
    'shell.allowHooks': async ({ plan, scope }) => {
      const { items } = await engine.call('plans.consent', { plan, scope });
      const allowed = await confirmHooks(window, plan, items);
      if (allowed) await engine.call('consent.grant', { plan, scope, texts: items.map(({ text }) => text) });
      return { allowed };
    },
    'shell.allowAlerts': async () => {
      const { notAllowed, notAllowedDigest: digest } = await engine.call('incidents.rules', {});
      if (notAllowed.length === 0) return { allowed: true };
      const allowed = await confirmAlerts(window, notAllowed);
      if (allowed) await engine.call('incidents.allow', { digest });
      return { allowed };
    },
    'shell.exportComparison': async ({ runs, kind, alignment, suggestedName }) => {
      const path = await askWhere(suggestedName, kind === 'srs' || kind === 'md' ? 'markdown' : kind);
      return path === undefined ? null : engine.call('runs.exportComparison', { runs, kind, alignment, path });
    },
    'shell.savePng': async ({ suggestedName, data }) => {
      const path = await askWhere(suggestedName, 'png');
      if (path === undefined) return null;
      await writeFile(path, data);
      return { path, bytes: data.length };
    },
    'shell.saveText': ({ suggestedName, text, kind = 'yaml' }) => saveText(suggestedName, kind, text),
    'shell.saveIncidents': ({ kind, text }) => saveText(`incidents.${kind}`, kind, text),
    'shell.openText': async ({ kind }) => {
      const filter =
        kind === 'fleet'
          ? { name: kinds.yaml.name, extensions: ['yaml', 'yml'] }
          : { name: kinds.delays.name, extensions: [kinds.delays.extension] };
      const { canceled, filePaths } = await dialog.showOpenDialog(window, {
        properties: ['openFile'],
        filters: [filter],
      });
      const [path] = filePaths;
      return canceled || path === undefined ? null : readOpenedText(path);
    },
    'shell.openRun': async () => {
      const { canceled, filePaths } = await dialog.showOpenDialog(window, {
        properties: ['openFile'],
        filters: [{ name: kinds.fullhouse.name, extensions: [kinds.fullhouse.extension] }],
      });
      const [path] = filePaths;
      return canceled || path === undefined ? null : engine.call('runs.import', { path });
    },
    'shell.captures': ({ kind }) => capturing.list(kind),
    'shell.chooseCapture': ({ id }) => {
      capturing.choose(id);
      return { done: true };
    },
    'shell.copyText': async ({ text }) => {
      await clipboard.writeText(text);
      return { done: true };
    },
    'shell.showInFolder': async ({ run }) => {
      const { runsFolder } = await engine.call('engine.state', {});
      const file = join(runsFolder, `${run}${runExtension}`);
      if (!existsSync(file)) throw new Error(`The run file ${file} no longer exists.`);
      shell.showItemInFolder(file);
      return { done: true };
    },
    'shell.processLoad': () => processLoad.read(),
    'shell.wallMode': ({ isOn }) => {
      wallMode.set(isOn);
      return { done: true };
    },
    'shell.showMenuKeys': (keys) => {
      showMenuKeys(keys);
      return { done: true };
    },
    'shell.settings': () => remembered.value,
    'shell.saveSettings': (changes) => {
      remembered.write({ ...remembered.value, ...changes });
      nativeTheme.themeSource = systemThemeOf(remembered.value.theme);
      if ('logLevel' in changes) facts.setLogLevel(remembered.value.logLevel ?? usualLogLevel);
      if ('agentIdleSeconds' in changes) {
        const seconds = changes.agentIdleSeconds ?? agentIdleBounds.usual;
        engine.call('agents.setIdle', { seconds }).catch((error: unknown) => console.error(String(error)));
      }
      if ('agentMemoryMb' in changes) {
        const mb = changes.agentMemoryMb;
        engine.call('agents.setMemory', { mb }).catch((error: unknown) => console.error(String(error)));
      }
      return { done: true };
    },
  };
}

/** CPU of this machine and of the window's processes, from one read to the next. */
class ProcessLoad {
  private before = machineTimes();

  constructor() {
    // Electron counts from the first read on, which returns 0.
    windowPercent();
  }

  /** The load since the previous read. */
  read(): ShellOutput<'shell.processLoad'> {
    const now = machineTimes();
    const passedMs = now.allMs - this.before.allMs;
    const busyMs = passedMs - (now.idleMs - this.before.idleMs);
    this.before = now;
    const cores = cpus().length;
    return {
      cores,
      machineBusyPercent: passedMs > 0 ? (100 * busyMs) / passedMs : 0,
      windowCpuPercent: windowPercent() * cores,
    };
  }
}

/** CPU of the window in percent of all cores, as Electron reports it. */
function windowPercent(): number {
  const ofWindow = app.getAppMetrics().filter(({ type }) => type === 'Tab' || type === 'GPU');
  return ofWindow.reduce((sum, { cpu }) => sum + cpu.percentCPUUsage, 0);
}

function machineTimes(): { readonly allMs: number; readonly idleMs: number } {
  const times = cpus().map((core) => core.times);
  const allMs = times.reduce((sum, { user, nice, sys, idle, irq }) => sum + user + nice + sys + idle + irq, 0);
  return { allMs, idleMs: times.reduce((sum, { idle }) => sum + idle, 0) };
}
