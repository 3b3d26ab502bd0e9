import { mount, unmount } from 'svelte';
import '../../../src/renderer/ui/styles/fonts.css';
import '../../../src/renderer/ui/styles/tokens.css';
import '../../../src/renderer/ui/styles/base.css';
import MultiviewDialog from '../../../src/renderer/features/multiview/MultiviewDialog.svelte';
import type { Played } from '../../../src/renderer/features/multiview/multiview.svelte';
import SpotCheckDialog from '../../../src/renderer/features/spotCheck/SpotCheckDialog.svelte';
import type { PlayableTarget } from '../../../src/renderer/features/spotCheck/spotCheckSession.svelte';
import { WindowBrowserViewers } from '../../../src/renderer/player/browserViewers/windowBrowserViewers';
import PlayerPanel from '../../../src/renderer/player/PlayerPanel.svelte';
import { PictureReader, type PictureFigures } from '../../../src/renderer/player/picture/pictureReader';
import type { RunView } from '../../../src/domain/model/run';
import { usualMedia, type PublishMedia, type WindowProtocol } from '../../../src/domain/model/publishMedia';
import { publishFrom, type SourceChoice } from '../../../src/renderer/player/publish/publishSources';
import type { PublisherFigures } from '../../../src/renderer/player/publish/publisherStats';
import type { PublishSession } from '../../../src/renderer/player/publish/publishSession';
import { startSession } from '../../../src/renderer/player/publish/startSession';
import './page.css';
import { PageEngine } from './pageEngine';
import { pageShell } from './pageShell';
import { panelProps } from './pageState.svelte';
import { recordPattern } from './recordPattern';
import { playClip } from './playClip';
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

const sessions: PublishSession[] = [];
const problems: string[] = [];
const browserViewers = new WindowBrowserViewers({
  engine: engine.client,
  onProblem: (sentence) => problems.push(sentence),
});

/** The test's interface to the page. */
const control = {
  engine,
  props,
  published,
  /** Publishes and stores the latest session in `session`; by default as `cam` to the page itself. */
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
    sessions.push(control.session);
  },
  /** Ends all publications. */
  async endPublishing(): Promise<void> {
    await Promise.all(sessions.splice(0).map((session) => session.end()));
  },
  /** Runs the browser viewers of a run, as the window does; returns what went wrong so far. */
  watch(run: RunView | null): readonly string[] {
    browserViewers.follow(run);
    return problems;
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
  /** Opens spot checks of a run, which play each stream for `playMs`. */
  spotCheck(run: string, targets: readonly PlayableTarget[], playMs: number): void {
    const dialog = mount(SpotCheckDialog, {
      target: document.body,
      props: { engine: engine.client, run, targets, playMs, onClose: () => void unmount(dialog) },
    });
  },
  played: [] as Played[],
  /** Figures of frames of the test pattern that are displayed without having been encoded. */
  async unencodedPicture(frames: number): Promise<(PictureFigures | undefined)[]> {
    const source = await publishFrom({ kind: 'pattern', streamName: 'unencoded', media: usualMedia });
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
  recordPattern,
  playClip,
  session: undefined as PublishSession | undefined,
  /** From now on the player uses the engine of the test. */
  useRealEngine(): void {
    engine.real = real;
  },
  real,
};
export type PlayerPageControl = typeof control;
Object.assign(window, { playerPage: control });
