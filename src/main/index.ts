import { join } from 'node:path';
import { app, dialog, nativeTheme, Notification, powerMonitor, safeStorage, session } from 'electron';
import { version } from '../../package.json';
import { settings, type ShellEvents } from '../contract/shell';
import { usualLogLevel, type LogLevel } from '../domain/model/logLevel';
import { ignoreClosedOutputs } from '../engine/base/closedOutputs';
import { declareScheme, servePage } from './appPage';
import { confirmClosing, closingText } from './confirmClosing';
import { BackgroundTray } from './background';
import { serveBridge, sendToPage } from './bridge';
import { Capturing } from './capturing';
import { Closing } from './closing';
import { CrashFiles } from './crashes/crashFiles';
import { reloadAfterCrash, startCrashReporter, watchCrashes } from './crashes/watchCrashes';
import { appVersions, diagnosticsHandlers } from './diagnostics/diagnosticsHandlers';
import { EngineProcess } from './engineProcess';
import { guardAllPages, guardPermissions } from './guards';
import { noticesOf } from './incidentNotices';
import { JsonFile } from './jsonFile';
import { Keychain, savedSecrets } from './keychain';
import { openAppLog, recordOutput } from './log/openAppLog';
import { masking } from './log/knownSecrets';
import { createMainWindow, systemThemeOf } from './mainWindow';
import { setMenu } from './menu';
import { linksIn } from './appLink';
import { openLink } from './openLink';
import { appPaths } from './paths';
import { runFilesIn } from './runFiles';
import { shellHandlers } from './shellHandlers';
import { instanceSocket, removeStaleSocket } from './staleSocket';
import { setSwitches } from './switches';
import { reportTimings, timing } from './timings';
import { noteVersionOrAsk, openUpdates, versionFile } from './updates/openUpdates';
import { updateHandlers } from './updates/updateHandlers';
import { Waiting } from './waiting';
import { rememberedPlace } from './windowPlace';
import { errorText } from '../domain/text/errorText';
import { variable } from '../engine/base/variables';

/** The composition root of the desktop app. */

/** The user waits this long at most for a run to be stopped when the app is closed. */
const closeLimitMs = 5000;
/** Max wait when the user chose to stop the run: a large audience takes longer to disconnect. */
const stopLimitMs = 20_000;

timing('loaded');
// Every page is sandboxed, whatever its window requests. Chromium has no sandbox as root, where the start passes
// --no-sandbox.
if (!app.commandLine.hasSwitch('no-sandbox')) app.enableSandbox();
startCrashReporter();
setSwitches(app.commandLine);
declareScheme();
guardAllPages();

// Files may be opened before the window exists (on a Mac even before the app is ready); they wait here.
const openedFiles = new Waiting(runFilesIn(process.argv.slice(1), process.cwd()));
app.on('open-file', (event, path) => {
  event.preventDefault();
  openedFiles.add(path);
});
// So may links; the system's installer registers the scheme.
const openedLinks = new Waiting(linksIn(process.argv.slice(1)));
app.on('open-url', (event, link) => {
  event.preventDefault();
  openedLinks.add(link);
});

const socketBefore = instanceSocket(app.getPath('userData'));
if (app.requestSingleInstanceLock()) {
  removeStaleSocket(socketBefore);
  app
    .whenReady()
    .then(start)
    .catch((error: unknown) => {
      dialog.showErrorBox('Fullhouse could not start', errorText(error));
      app.exit(1);
    });
} else {
  app.quit();
}

function start(): void {
  timing('electron-ready');
  ignoreClosedOutputs();
  const paths = appPaths();
  const log = openAppLog(paths.log);
  const crashes = new CrashFiles({
    folder: paths.crashes,
    dumps: app.getPath('crashDumps'),
    lastLines: (count) => log.lastLines(count),
    about: Object.entries(appVersions(version)).map(([name, of]) => `${name}: ${of}`),
  });
  crashes.collectLeft();
  log.add(
    'info',
    'main',
    `Fullhouse ${version} started: ${process.platform} ${process.arch}, Electron ${process.versions.electron}.`,
  );
  // A page that is still loading receives nothing.
  const problems = new Waiting<string>();
  const problem = (sentence: string): void => {
    console.error(sentence);
    problems.add(sentence);
  };
  const interruptions = new Waiting<ShellEvents['interrupted']>();

  watchCrashes(crashes, problem);

  const data = app.getPath('userData');
  const file = versionFile(data, problem);
  const change = noteVersionOrAsk(data, version, file);
  if (change === 'quit') return app.exit(1);
  const remembered = new JsonFile(join(data, 'settings.json'), settings, settings.parse({}), problem);
  const place = new JsonFile(join(data, 'window.json'), rememberedPlace, undefined, problem);
  nativeTheme.themeSource = systemThemeOf(remembered.value.theme);
  log.limit = remembered.value.logLevel ?? usualLogLevel;

  const runsFolder = variable('FULLHOUSE_RUNS') ?? remembered.value.runsFolder ?? paths.runs;
  const engine = new EngineProcess(
    { engine: paths.engine, runReader: paths.runReader },
    {
      runsFolder,
      // Read at each start of the engine, also after a crash.
      get agentIdleSeconds() {
        return remembered.value.agentIdleSeconds;
      },
      get agentMemoryMb() {
        return remembered.value.agentMemoryMb;
      },
      get logLevel() {
        return log.limit;
      },
      agentsFolder: paths.agents,
      labFolder: paths.lab,
      watchFolder: join(data, 'watched'),
      codeFolder: join(data, 'code'),
      fleetFile: join(data, 'fleet.yaml'),
      knownHostsFile: join(data, 'known_hosts'),
      rulesFolder: join(data, 'rules'),
      familiesFolder: join(data, 'families'),
      viewerPageFolder: paths.viewerPage,
      versions: {
        fullhouse: version,
        electron: process.versions.electron,
        node: process.versions.node,
      },
    },
    problem,
    (run, sentence) => {
      console.error(sentence);
      interruptions.add({ run, sentence });
    },
    masking(
      new Keychain(new JsonFile(join(data, 'secrets.json'), savedSecrets, {}, problem), safeStorage, problem),
      log.mask,
    ),
    () => closing.workChanged(),
    {
      output: (stdout, stderr) => {
        recordOutput(log, stdout, 'info', process.stdout);
        recordOutput(log, stderr, 'error', process.stderr);
      },
      crashed: (code, pid) => void crashes.record('engine', `It ended with code ${code}`, pid),
    },
    (news) => {
      // A person who works in the window sees it there.
      if (window.isFocused() || !Notification.isSupported()) return;
      for (const notice of noticesOf(news)) {
        const shown = new Notification(notice);
        shown.on('click', () => closing.comeBack());
        shown.show();
      }
    },
  );
  engine.start();

  guardPermissions(session.defaultSession);
  const capturing = new Capturing(session.defaultSession);
  servePage(paths.page);

  const importRun = (path: string) => engine.call('runs.import', { path });
  const window = createMainWindow({
    preload: paths.preload,
    icon: paths.icon,
    isDark: nativeTheme.shouldUseDarkColors,
    place,
  });
  const tray = new BackgroundTray(paths.icon, {
    show: () => closing.comeBack(),
    stop: () => app.quit(),
  });
  let closeLimit = closeLimitMs;
  const closing = new Closing({
    work: () => engine.work,
    ask: async (work, action) => {
      const answer = await confirmClosing(window, work, action);
      if (answer === 'stop') closeLimit = stopLimitMs;
      return answer;
    },
    hide: () => {
      window.hide();
      if (engine.work) tray.show(`Fullhouse: ${closingText(engine.work).message}`);
    },
    show: () => {
      tray.remove();
      if (window.isMinimized()) window.restore();
      window.show();
      window.focus();
    },
    quit: () => app.quit(),
  });
  window.on('close', (event) => {
    if (!closing.mayClose()) event.preventDefault();
  });
  const page = window.webContents;
  const updates = openUpdates(
    {
      ...{ data, version, file, log },
      address: () => remembered.value.updateAddress,
      changed: (state) => sendToPage(page, 'updates', state),
    },
    change,
  );
  const saved = new Set<string>();
  const diagnostics = diagnosticsHandlers({
    ...{ window, engine, log, crashes, version, saved, crashFolder: paths.crashes },
    settings: () => remembered.value,
    updates: () => updates.state,
  });
  const setLogLevel = (level: LogLevel): void => {
    log.limit = level;
    engine.call('log.setLevel', { level }).catch((error: unknown) => console.error(String(error)));
  };
  const facts = { version, runsFolder, usualRunsFolder: paths.runs, notices: paths.notices, saved, setLogLevel };
  const reported = (act: () => unknown) => (): void =>
    void Promise.resolve()
      .then(act)
      .catch((error: unknown) => problem(errorText(error)));
  const showMenuKeys = setMenu(
    (choice) => sendToPage(page, 'menu', choice),
    () => closing.quit(),
    {
      saveDiagnostics: reported(() => diagnostics['shell.saveDiagnostics']({})),
      showCrashFiles: reported(() => diagnostics['shell.showCrashFiles']({})),
    },
  );
  serveBridge(
    page,
    {
      ...shellHandlers(window, engine, remembered, facts, capturing, showMenuKeys),
      ...diagnostics,
      ...updateHandlers(window, updates, (updateAddress) => remembered.write({ ...remembered.value, updateAddress })),
    },
    importRun,
  );
  reportTimings(window);

  const showRun = (path: string): void => {
    importRun(path)
      .then((summary) => sendToPage(page, 'runOpened', summary))
      .catch((error: unknown) => problem(errorText(error)));
  };
  // One question at a time, and the first one in front of the window: not before it is shown.
  let lastLink = new Promise<void>((resolve) => window.once('show', () => resolve()));
  const askLink = (link: string): void => {
    lastLink = lastLink.then(() =>
      openLink(window, link, {
        openRun: showRun,
        openPlan: (plan) => sendToPage(page, 'planOpened', plan),
        problem,
      }),
    );
  };
  const sendShown = (): void =>
    sendToPage(page, 'windowShown', { isShown: window.isVisible() && !window.isMinimized() });
  // Some window managers send no `restore`, e.g. for a full screen; an event more costs nothing.
  const changes = [
    'show',
    'hide',
    'minimize',
    'restore',
    'focus',
    'maximize',
    'enter-full-screen',
    'leave-full-screen',
  ];
  for (const change of changes) window.on(change as 'show', sendShown);
  page.on('dom-ready', sendShown);
  page.on('dom-ready', () => {
    engine.connectPage(page);
    problems.listen((sentence) => sendToPage(page, 'problem', sentence));
    interruptions.listen((interruption) => sendToPage(page, 'interrupted', interruption));
    openedFiles.listen(showRun);
    openedLinks.listen(askLink);
  });
  reloadAfterCrash(page, crashes);

  app.on('second-instance', (_event, args, workingFolder) => {
    closing.comeBack();
    runFilesIn(args.slice(1), workingFolder).forEach((path) => openedFiles.add(path));
    linksIn(args.slice(1)).forEach((link) => openedLinks.add(link));
  });
  // The dock of a Mac, and starting the app again there.
  app.on('activate', () => closing.comeBack());
  // One window, one run: without the window the app has nothing to do, on a Mac too.
  app.on('window-all-closed', () => app.quit());

  // A closed terminal ends the app in the same order as its window does.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => app.quit());
  // So does a system shutdown or logout: there is no time for a question.
  powerMonitor.on('shutdown', () => app.quit());
  if (process.platform === 'win32') window.on('session-end', () => app.quit());

  let isClosed = false;
  app.on('before-quit', (event) => {
    closing.ending();
    if (isClosed) return;
    event.preventDefault();
    void engine.close(closeLimit).finally(() => {
      isClosed = true;
      // The runs are closed; an installer may replace the app now.
      if (!updates.installConfirmed()) app.quit();
    });
  });
}
