import { mount } from 'svelte';
import '../../../src/renderer/ui/styles/fonts.css';
import '../../../src/renderer/ui/styles/tokens.css';
import '../../../src/renderer/ui/styles/base.css';
import PlayerPanel from '../../../src/renderer/player/PlayerPanel.svelte';
import { usualMedia, type PublishMedia, type WindowProtocol } from '../../../src/domain/model/publishMedia';
import { publishFrom, type SourceChoice } from '../../../src/renderer/player/publish/publishSources';
import type { PublisherFigures } from '../../../src/renderer/player/publish/publisherStats';
import type { PublishSession } from '../../../src/renderer/player/publish/publishSession';
import { startSession } from '../../../src/renderer/player/publish/startSession';
import './page.css';
import { PageEngine } from './pageEngine';
import { panelProps } from './pageState.svelte';
import { RealEngine } from './realEngine';

const engine = new PageEngine();
const props = panelProps(engine);
const target = document.getElementById('app');
if (!target) throw new Error('The page has no #app.');
mount(PlayerPanel, { target, props });

const published: { figures: PublisherFigures[]; ended: (string | undefined)[] } = { figures: [], ended: [] };

const real = new RealEngine();

export interface PublishOptions {
  readonly node?: string;
  readonly stream?: string;
  readonly protocol?: WindowProtocol;
  readonly media?: Partial<PublishMedia>;
  readonly file?: File;
}

/** The test's interface to the page. */
const control = {
  engine,
  props,
  published,
  /** Publishes and stores the session in `session`; by default as `cam` to the page itself. */
  async publish(
    kind: SourceChoice['kind'],
    { node = 'page', stream = 'cam', protocol = 'whip', media = {}, file }: PublishOptions = {},
  ): Promise<void> {
    const all = { ...usualMedia, ...media };
    const source = await publishFrom({ kind, streamName: stream, media: all, file });
    published.figures.length = 0;
    const listener = {
      figures: (figures: PublisherFigures) => published.figures.push(figures),
      ended: (sentence: string | undefined) => published.ended.push(sentence),
    };
    const order = { engine: engine.client, target: { node, stream }, source, media: all, listener };
    control.session = await startSession(order, protocol);
  },
  session: undefined as PublishSession | undefined,
  /** From now on the player uses the engine of the test. */
  useRealEngine(): void {
    engine.real = real;
  },
  real,
};
export type PlayerPageControl = typeof control;
Object.assign(window, { playerPage: control });
