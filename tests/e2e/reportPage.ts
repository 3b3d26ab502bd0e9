import { pathToFileURL } from 'node:url';
import type { Page } from 'playwright-core';
import type { StartedApp } from './app';

/** Current state of a report's chart. */
export interface ReportChartSeen {
  readonly title: string;
  /** Length of its longest line in px; 0 when it draws none. */
  readonly longestPx: number;
  readonly axis: readonly string[];
  /** Time of the crosshair; absent without one. */
  readonly crosshair: string | undefined;
  readonly values: readonly string[];
}

/** A report in a separate window, without network. */
export interface ReportPage {
  readonly page: Page;
  /** Console errors, including violations of the content security policy. */
  readonly errors: string[];
  /** Requested addresses, except for data URLs. */
  requests(): Promise<string[]>;
  /** Loads the report again, with or without its script. */
  load(withScript: boolean): Promise<void>;
  charts(): Promise<ReportChartSeen[]>;
  close(): Promise<void>;
}

const partition = 'report-page';

/** Opens an HTML report in the runtime of the app, in a separate session: the app's session refuses other pages. */
export async function openReport(app: StartedApp, path: string): Promise<ReportPage> {
  const opened = app.electron.waitForEvent('window');
  await app.electron.evaluate(({ BrowserWindow, session }, name) => {
    const own = session.fromPartition(name);
    const asked: string[] = [];
    Object.assign(own, { asked });
    own.enableNetworkEmulation({ offline: true });
    own.webRequest.onBeforeRequest((details, answer) => {
      asked.push(details.url);
      answer({});
    });
    const webPreferences = { partition: name, sandbox: true, backgroundThrottling: false };
    return new BrowserWindow({ width: 1280, height: 900, webPreferences }).loadURL('about:blank');
  }, partition);
  const page = await opened;
  const devTools = await page.context().newCDPSession(page);
  const errors: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text());
  });
  page.on('pageerror', (error) => errors.push(error.message));

  return {
    page,
    errors,
    requests: async () => {
      const asked = await app.electron.evaluate(
        ({ session }, name) => (session.fromPartition(name) as unknown as { asked: string[] }).asked,
        partition,
      );
      return asked.filter((url) => !/^(data|about|devtools):/.test(url));
    },
    load: async (withScript) => {
      await devTools.send('Emulation.setScriptExecutionDisabled', { value: !withScript });
      await page.goto(pathToFileURL(path).href);
      if (withScript) await page.locator('html.scripted').waitFor();
    },
    charts: () =>
      page.locator('figure[data-chart]').evaluateAll((figures) =>
        figures.map((figure) => {
          const texts = (selector: string) =>
            [...figure.querySelectorAll(selector)].map((element) => element.textContent ?? '');
          const lines = [...figure.querySelectorAll<SVGPathElement>('svg.chart path.line')];
          return {
            title: texts('figcaption b').join(''),
            longestPx: Math.max(0, ...lines.map((line) => line.getTotalLength())),
            axis: texts('svg.chart .tick.x'),
            crosshair: texts('svg.chart .chip-text')[0],
            values: texts('[data-trace]'),
          };
        }),
      ),
    close: () => page.close(),
  };
}
