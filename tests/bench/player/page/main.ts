import { mount } from 'svelte';
import '../../../../src/renderer/ui/styles/fonts.css';
import '../../../../src/renderer/ui/styles/tokens.css';
import '../../../../src/renderer/ui/styles/base.css';
import { GlassReader } from '../../../../src/renderer/player/clock/glassToGlass';
import { PictureReader } from '../../../../src/renderer/player/picture/pictureReader';
import PlayerPanel from '../../../../src/renderer/player/PlayerPanel.svelte';
import { createPeer, gatheredOffer, leave } from '../../../../src/renderer/player/protocols/peer';
import { publishFrom } from '../../../../src/renderer/player/publish/publishSources';
import { usualMedia } from '../../../../src/domain/model/publishMedia';
import { WhipSession } from '../../../../src/renderer/player/publish/whipSession';
import { PageEngine, type Origin } from '../../../player/page/pageEngine';
import { panelProps } from '../../../player/page/pageState.svelte';

/**
 * Plays the test pattern of this page from the lab in turn: in a bare video element, in one whose clock is read, in one
 * whose picture is analysed, and in the control player with all of its figures.
 */
declare global {
  interface Window {
    /** Exposed by the bench, since the page's engine makes no requests. */
    labPost: Origin['post'];
    labDelete: Origin['remove'];
    playerBench: typeof control;
  }
}

const engine = new PageEngine();
engine.origin = { post: (path, offer) => window.labPost(path, offer), remove: (path) => window.labDelete(path) };
const props = panelProps(engine);
const app = document.getElementById('app');
const bare = document.getElementById('bare') as HTMLVideoElement | null;
if (!app || !bare) throw new Error('The page has no #app or no #bare.');
mount(PlayerPanel, { target: app, props });

const target = { node: 'page', stream: 'cam' };
/** Ten times as often as the player does, since one picture a second costs less than the noise. */
const pictureEveryMs = 100;
let frames = 0;
let clocksRead = 0;
let picturesAnalysed = 0;
let end: () => Promise<void> = () => Promise.resolve();

async function playBare(video: HTMLVideoElement, onFrame: (frame: VideoFrameCallbackMetadata) => void): Promise<void> {
  const peer = createPeer();
  const media = new MediaStream();
  peer.addEventListener('track', ({ track }) => media.addTrack(track));
  for (const kind of ['video', 'audio']) peer.addTransceiver(kind, { direction: 'recvonly' });
  const { session, answerSdp } = await engine.client.call('signal.whep', {
    ...target,
    offerSdp: await gatheredOffer(peer),
  });
  await peer.setRemoteDescription({ type: 'answer', sdp: answerSdp });
  video.srcObject = media;
  let isEnded = false;
  const each = (_: number, frame: VideoFrameCallbackMetadata): void => {
    if (isEnded) return;
    frames += 1;
    onFrame(frame);
    video.requestVideoFrameCallback(each);
  };
  video.requestVideoFrameCallback(each);
  end = async () => {
    isEnded = true;
    video.srcObject = null;
    await leave(peer, engine.client, session);
  };
}

/** Does this too when it ends. */
function endWith(act: () => void): void {
  const endPlaying = end;
  end = async () => {
    act();
    await endPlaying();
  };
}

const control = {
  async publish(): Promise<void> {
    const source = await publishFrom({ kind: 'pattern', streamName: target.stream, media: usualMedia });
    const listener = { figures: () => undefined, ended: () => undefined };
    await WhipSession.start({ engine: engine.client, target, source, media: usualMedia, listener }, 'whip');
  },
  /** Ends what is played, then plays this way; nothing with `none`. */
  async play(way: 'bare' | 'clock' | 'picture' | 'player' | 'none'): Promise<void> {
    await end();
    end = () => Promise.resolve();
    app.hidden = way !== 'player';
    bare.hidden = way === 'player';
    if (way === 'bare') await playBare(bare, () => undefined);
    if (way === 'clock') {
      const reader = new GlassReader();
      await playBare(bare, (frame) => {
        reader.onFrame(bare, frame);
        clocksRead = reader.samples.summary(frame.presentationTime)?.count ?? 0;
      });
      endWith(() => reader.close());
    }
    if (way === 'picture') {
      const reader = new PictureReader();
      await playBare(bare, () => undefined);
      const read = (): Promise<void> =>
        reader.read(bare).then((figures) => {
          if (figures?.ssim !== undefined) picturesAnalysed += 1;
        });
      const timer = setInterval(() => void read(), pictureEveryMs);
      endWith(() => {
        clearInterval(timer);
        reader.close();
      });
    }
    if (way !== 'player') return;
    Object.assign(props, { stream: target.stream, runId: 'run', runStartedMs: Date.now() });
    end = () => {
      props.stream = null;
      return Promise.resolve();
    };
  },
  /** Frames presented by a bare video element, clocks read since it plays, pictures compared so far. */
  counts: () => ({ frames, clocksRead, picturesAnalysed }),
  /** The latest figures of the player. */
  figures: () => engine.reports.at(-1)?.values,
};
window.playerBench = control;
