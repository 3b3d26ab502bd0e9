import type { DecoderResult } from '../../../contract/delayCalls';
import { videoCodecs, type VideoCodec } from '../../../domain/model/videoCodecs';
import { errorText } from '../../../domain/text/errorText';
import { codecsIn } from '../publish/mediaRules';
import type { PublishEngine } from '../publish/publishSession';
import { PathMeter } from './pathMeter';

/** What this page encodes for WebRTC. */
export const encodedHere = (): readonly VideoCodec[] =>
  codecsIn(RTCRtpSender.getCapabilities('video')?.codecs ?? [], videoCodecs);

/** Carries out the orders of a delay test in this page, one after the other; resolves when it is over. */
export async function decode(engine: PublishEngine, test: string, place: HTMLElement): Promise<void> {
  const meter = new PathMeter(engine, place);
  const encodes = [...encodedHere()];
  let result: DecoderResult | undefined;
  try {
    for (;;) {
      const { order } = await engine.call('delayDecoder.next', { test, encodes, ...(result ? { result } : {}) });
      if (!order) return;
      try {
        result = await meter.do(
          order,
          async (step, share) => (await engine.call('delayDecoder.progress', { test, step, share })).isWanted,
        );
      } catch (error) {
        result = { failed: errorText(error).slice(0, 2000), ...(meter.hasEnded ? { hasEnded: true } : {}) };
      }
    }
  } finally {
    await meter.end();
  }
}
