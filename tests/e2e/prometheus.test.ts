import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../integration/servers/freePort';
import { startNodeExporter, type RealProgram } from '../integration/servers/nodeExporter';
import { startPrometheus } from '../integration/servers/prometheus';
import { cleanUp } from '../integration/support';
import { startApp, until, type StartedApp } from './app';

/** With an existing Prometheus: it scrapes a run of the app, and its data is imported as a run. */
describe('with a Prometheus', () => {
  let app: StartedApp;
  let port: number;
  let prometheus: RealProgram;

  beforeAll(async () => {
    port = await freePort();
    const exporter = await startNodeExporter();
    prometheus = await startPrometheus([`127.0.0.1:${port}`, exporter.url.slice('http://'.length)]);
    app = await startApp({ width: 1440, height: 900 });
  });
  afterAll(async () => {
    await app?.close();
    await cleanUp();
  });

  const at = (id: string) => app.page.getByTestId(id);
  const say = async (title: string): Promise<void> => {
    await app.page.keyboard.press('Control+k');
    await app.find('palette').locator('input').fill(title);
    await app.page.keyboard.press('Enter');
  };

  it('exports its figures at a port, shows the address, and is scraped', async () => {
    await app.find('startLabPull').waitFor();
    await say('Serve metrics');
    await at('metrics-port').fill(String(port));
    await at('metrics-switch').click();
    expect(await at('metrics-address').textContent()).toBe(`http://127.0.0.1:${port}/metrics`);
    await app.page.keyboard.press('Escape');
    expect(await at('metrics-chip').textContent()).toContain(`:${port}`);

    await app.find('startLabPull').click();
    await until('the run is scraped', async () => {
      const answer = await fetch(`${prometheus.url}/api/v1/query?query=sum(fullhouse_viewers_connected)>5`);
      const { data } = (await answer.json()) as { data: { result: unknown[] } };
      return data.result.length > 0;
    });
    await app.page.keyboard.press('Control+.');
    await app.find('verdict').waitFor();
  });

  it('imports a run from the Prometheus data', async () => {
    await app.find('runsTab').click();
    await at('import-button').click();
    await at('prometheus-url').fill('127.0.0.1:1');
    await at('prometheus-inspect').click();
    await app.page.getByText(/Nothing listens at http:\/\/127\.0\.0\.1:1; check the port/).waitFor();

    await at('prometheus-url').fill(prometheus.url);
    await at('prometheus-inspect').click();
    await at('import-nodes').waitFor();
    const found = await at('import-nodes').locator('li').allTextContents();
    expect(found.some((row) => /127\.0\.0\.1-\d+\s*host/.test(row))).toBe(true);
    expect(found.some((row) => /Fullhouse/.test(row))).toBe(true);
    await at('import-step').fill('1s');
    expect(await at('import-samples').textContent()).toMatch(/≈ [\d,]+\s+every 1s/);
    await at('import-start').click();

    await at('imported-step').waitFor();
    expect(await at('imported-step').textContent()).toContain('1 s');
    expect(await app.find('verdictSentence').textContent()).toBe(
      'Imported from a Prometheus: no load was requested, so there is no verdict.',
    );
    expect(await at('imported-missing').textContent()).toContain('none');
    expect(app.pageErrors).toEqual([]);
  });

  it('stops the export', async () => {
    await at('metrics-chip').click();
    await at('metrics-switch').click();
    await at('metrics-port').waitFor();
    await app.page.keyboard.press('Escape');
    expect(await at('metrics-chip').count()).toBe(0);
    await expect(fetch(`http://127.0.0.1:${port}/metrics`)).rejects.toThrow();
  });
});
