import { mount } from 'svelte';
import '../../../src/renderer/styles/fonts.css';
import '../../../src/renderer/styles/tokens.css';
import '../../../src/renderer/styles/base.css';
import { publishFrom, type PublishKind } from '../../../src/renderer/player/publishSources';
import type { PublisherFigures } from '../../../src/renderer/player/publisherStats';
import { WhipSession } from '../../../src/renderer/player/whipSession';
import Page from './Page.svelte';
import { PageEngine } from './pageEngine';
import { PageState } from './pageState.svelte';

const engine = new PageEngine();
const page = new PageState();
const target = document.getElementById('app');
if (!target) throw new Error('The page has no #app.');
mount(Page, { target, props: { engine, page } });

const published: { figures: PublisherFigures[]; ended: (string | undefined)[] } = { figures: [], ended: [] };

/** What the test drives the page with. */
const control = {
  engine,
  page,
  published,
  async publish(kind: PublishKind, stream = 'cam'): Promise<WhipSession> {
    const source = await publishFrom(kind, stream);
    return WhipSession.start(engine.client, { node: 'page', stream }, source, {
      figures: (figures) => published.figures.push(figures),
      ended: (sentence) => published.ended.push(sentence),
    });
  },
};
export type PlayerPageControl = typeof control;
Object.assign(window, { playerPage: control });
