import { mount, unmount } from 'svelte';
import '../../../src/renderer/ui/styles/fonts.css';
import '../../../src/renderer/ui/styles/tokens.css';
import '../../../src/renderer/ui/styles/base.css';
import MultiviewDialog from '../../../src/renderer/features/multiview/MultiviewDialog.svelte';
import type { Played } from '../../../src/renderer/features/multiview/multiview.svelte';
import PlayerPanel from '../../../src/renderer/player/PlayerPanel.svelte';
import { PictureReader, type PictureFigures } from '../../../src/renderer/player/picture/pictureReader';
import { publishFrom } from '../../../src/renderer/player/publish/publishSources';
import type { PublisherFigures } from '../../../src/renderer/player/publish/publisherStats';
import { RelaySession } from '../../../src/renderer/player/publish/relaySession';
import { WhipSession } from '../../../src/renderer/player/publish/whipSession';
import './page.css';
import { PageEngine } from './pageEngine';
import { pageShell } from './pageShell';
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
  /** Publishes over WHIP and stores the session in `session`. */
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
  /** Opens these players side by side. */
  multiview(played: readonly Played[]): void {
    const dialog = mount(MultiviewDialog, {
      target: document.body,
      props: {
        ...{ engine: engine.client, shell: pageShell, nodes: [], played, timeZone: 'local' as const },
        onChange: (changed: Played[]) => (control.played = changed),
        onProblem: (error: unknown) => console.error(String(error)),
        onClose: () => void unmount(dialog),
      },
    });
  },
  played: [] as Played[],
  /** Figures of frames of the test pattern that are displayed without having been encoded. */
  async unencodedPicture(frames: number): Promise<(PictureFigures | undefined)[]> {
    const source = await publishFrom('pattern', 'unencoded');
    const video = Object.assign(document.createElement('video'), { muted: true, srcObject: source.stream });
    const reader = new PictureReader();
    const figures: (PictureFigures | undefined)[] = [];
    try {
      await video.play();
      // Until its font is loaded a frame can't be drawn again.
      await document.fonts.ready;
      while (figures.length < frames) {
        await new Promise((resolve) => video.requestVideoFrameCallback(resolve));
        figures.push(await reader.read(video));
      }
      return figures;
    } finally {
      reader.close();
      source.stop();
    }
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
