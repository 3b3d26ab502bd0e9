import { expect } from 'vitest';
import { decoded, encoded } from '../../src/contract/bytesInJson';
import { engineEvents, type EngineCallName, type EngineEventName } from '../../src/contract/engine';
import type { LocalSource } from '../../src/domain/model/localSources';
import type { NodeSettings } from '../../src/domain/model/nodeSettings';
import type { PlayerProtocol } from '../../src/domain/model/playerProtocols';
import type { SeriesId } from '../../src/domain/series/series';
import type { PublisherFigures } from '../../src/renderer/player/publish/publisherStats';
import { until } from '../e2e/app';
import { startLiveKit } from '../integration/servers/livekit';
import { engineInTemporaryFolder, later, viewerPageFolder, type TestEngine } from '../integration/support';
import type { PublishOptions } from './page/main';
import { openPlayerPage, type PlayerPage } from './playerPage';

/** The control player in its page under the window's policy, on a real engine. */
export class RealPlayer {
  private constructor(
    readonly page: PlayerPage['page'],
    readonly errors: PlayerPage['errors'],
    readonly engine: TestEngine,
  ) {}

  /** Closed by `cleanUp`. */
  static async open(): Promise<RealPlayer> {
    const engine = engineInTemporaryFolder({ viewerPageFolder });
    const player = await openPlayerPage();
    later(() => player.close());
    const { page } = player;
    await page.exposeFunction('callEngine', async (name: EngineCallName, input: string) => {
      try {
        return encoded({ output: await engine.client.call(name, decoded(input) as never) });
      } catch (error) {
        return encoded({ error: (error as Error).message });
      }
    });
    for (const name of Object.keys(engineEvents) as EngineEventName[])
      if (name.startsWith('player') || name === 'sessionEnded')
        engine.client.on(name, (payload: unknown) => {
          const event = { name, payload: encoded(payload) };
          page
            .evaluate(({ name: id, payload: text }) => window.playerPage.real.event(id, text), event)
            .catch(() => undefined);
        });
    await page.evaluate(() => window.playerPage.useRealEngine());
    return new RealPlayer(page, player.errors, engine);
  }

  async addNode(name: string, settings: NodeSettings, secrets: Record<string, string> = {}): Promise<void> {
    await this.engine.client.call('nodes.add', { name, settings, secrets });
  }

  /** A node on a LiveKit that has just been started. */
  async addLiveKit(name: string): Promise<void> {
    const server = await startLiveKit();
    later(() => server.stop());
    const { url, apiKey, apiSecret } = server;
    await this.addNode(name, { server: 'livekit', url, apiKey }, { apiSecret });
    await until('LiveKit is live', async () => {
      const { nodes } = await this.engine.client.call('engine.state', {});
      return nodes.some(({ id, state }) => id === name && state === 'live');
    });
  }

  /** Text of an element. */
  shows(testId: string): Promise<string> {
    return this.page.getByTestId(testId).innerText();
  }

  /** Plays the stream, over a protocol other than the preferred one if named, until frames are presented; returns the frame rate. */
  async play(node: string, stream: string, protocol?: PlayerProtocol): Promise<number> {
    await this.page.evaluate(
      ([id, name]) => {
        const { playerPage } = window;
        playerPage.engine.reports.length = 0;
        Object.assign(playerPage.props, { node: { id, name: id }, stream: name });
      },
      [node, stream] as const,
    );
    if (protocol !== undefined) await this.page.getByLabel('Protocol').selectOption(protocol);
    return until(`${stream} of ${node}`, async () => {
      const { state, fps } = await this.page.evaluate(() => ({
        state: document.querySelector<HTMLElement>('[data-testid=player]')?.dataset['state'],
        fps: window.playerPage.engine.reports.at(-1)?.values.playerFrameRate ?? 0,
      }));
      return state === 'playing' && fps > 12 ? fps : undefined;
    });
  }

  /** The last value that was reported. */
  latest(series: SeriesId): Promise<number> {
    return until(`a report of ${series}`, () =>
      this.page.evaluate(
        (name) =>
          window.playerPage.engine.reports
            .map(({ values }) => values[name])
            .filter((value) => value !== undefined)
            .at(-1),
        series,
      ),
    );
  }

  /** Stops playing. */
  async stop(): Promise<void> {
    await this.page.evaluate(() => {
      window.playerPage.props.stream = null;
    });
  }

  /** Publishes from the window; `file` is the one of the page's input. */
  async publish(kind: LocalSource, options: Omit<PublishOptions, 'file'>): Promise<void> {
    await this.page.evaluate(
      ([source, order]) => {
        window.playerPage.published.ended.length = 0;
        const [file] = document.querySelector<HTMLInputElement>('#file')?.files ?? [];
        return window.playerPage.publish(source, { ...order, ...(file && { file }) });
      },
      [kind, options] as const,
    );
  }

  /** The figures of the publication, once they are as expected. */
  sent(isExpected: (figures: PublisherFigures) => boolean): Promise<PublisherFigures> {
    return until('figures of the publication', async () => {
      const figures = await this.page.evaluate(() => window.playerPage.published.figures.at(-1));
      return figures && isExpected(figures) ? figures : undefined;
    });
  }

  /** Stops playing and publishing. */
  async endPublishing(sessions = 1): Promise<void> {
    await this.stop();
    await this.page.evaluate(() => window.playerPage.endPublishing());
    expect(await this.page.evaluate(() => window.playerPage.published.ended)).toEqual(
      Array.from({ length: sessions }, () => undefined),
    );
  }
}
