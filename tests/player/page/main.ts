import { mount } from 'svelte';
import '../../../src/renderer/ui/styles/fonts.css';
import '../../../src/renderer/ui/styles/tokens.css';
import '../../../src/renderer/ui/styles/base.css';
import PlayerPanel from '../../../src/renderer/player/PlayerPanel.svelte';
import { publishFrom } from '../../../src/renderer/player/publish/publishSources';
import type { PublisherFigures } from '../../../src/renderer/player/publish/publisherStats';
import { RelaySession } from '../../../src/renderer/player/publish/relaySession';
import { WhipSession } from '../../../src/renderer/player/publish/whipSession';
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

/** The test's interface to the page. */
const control = {
  engine,
  props,
  published,
  /** Publishes and stores the session in `session`. */
  async publish(kind: Parameters<typeof publishFrom>[0], node = 'page', stream = 'cam'): Promise<void> {
    const source = await publishFrom(kind, stream);
    control.session = await WhipSession.start(engine.client, { node, stream }, source, {
      figures: (figures) => published.figures.push(figures),
      ended: (sentence) => published.ended.push(sentence),
    });
  },
  /** Publishes the test pattern to a node over RTMP, through the engine of the test. */
  async relay(node: string, stream: string): Promise<void> {
    const source = await publishFrom('pattern', stream);
    control.relayed = await RelaySession.start(engine.client, { node, stream }, source, (sentence) =>
      published.ended.push(sentence),
    );
  },
  relayed: undefined as RelaySession | undefined,
  session: undefined as WhipSession | undefined,
  /** From now on the player uses the engine of the test. */
  useRealEngine(): void {
    engine.real = real;
  },
  real,
};
export type PlayerPageControl = typeof control;
Object.assign(window, { playerPage: control });
