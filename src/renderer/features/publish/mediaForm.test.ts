import { describe, expect, it } from 'vitest';
import { usualMedia, windowProtocolsOf, type PublishMedia } from '../../../domain/model/publishMedia';
import {
  audioProblem,
  codecProblem,
  fpsProblem,
  layersProblem,
  mediaSummary,
  possibleMedia,
  readKbps,
  type MediaContext,
} from './mediaForm';

const context = (over: Partial<MediaContext> = {}): MediaContext => ({
  target: { name: 'sfu', server: 'livekit' },
  protocol: 'livekit',
  source: 'pattern',
  encodes: ['h264', 'vp8', 'vp9'],
  ...over,
});
const media = (over: Partial<PublishMedia> = {}): PublishMedia => ({ ...usualMedia, ...over });

describe('what of the settings is possible', () => {
  it('depends on the protocols of the server, the best first', () => {
    expect(windowProtocolsOf(['rtmp', 'livekit', 'rtsp', 'whip'])).toEqual(['whip', 'livekit', 'rtmp']);
    expect([windowProtocolsOf(), windowProtocolsOf([])]).toEqual([['whip'], []]);
  });

  it('depends on what the window encodes and the server takes', () => {
    expect(codecProblem('vp9', context())).toBeUndefined();
    expect(codecProblem('av1', context())).toBe("This window can't encode AV1.");
    expect(codecProblem('vp8', context({ protocol: 'rtmp' }))).toBe('Over RTMP ffmpeg repackages H.264 only.');
    expect(codecProblem('h264', context({ protocol: 'srt' }))).toBeUndefined();
    const wcs = context({ target: { name: 'wcs-1', server: 'wcs' }, protocol: 'wcs' });
    expect([codecProblem('vp8', wcs), codecProblem('vp9', wcs)]).toEqual([
      ...[undefined, 'wcs-1 takes H.264 and VP8 only.'],
    ]);
  });

  it('has several layers over WHIP and LiveKit, of codecs and sizes that Chromium splits', () => {
    const hd = media({ codec: 'vp8', size: '1280x720' });
    expect([2, 3].map((layers) => layersProblem(layers, hd, context()))).toEqual([undefined, undefined]);
    expect(layersProblem(2, hd, context({ protocol: 'srt' }))).toBe('Simulcast needs WHIP or LiveKit, not SRT.');
    expect(layersProblem(2, hd, context({ protocol: 'whip', target: { name: 'lab', server: 'lab' } }))).toBe(
      'lab takes one layer only.',
    );
    expect(layersProblem(2, { ...hd, codec: 'vp9' }, context())).toBe('Simulcast needs H.264 and VP8.');
    expect(layersProblem(3, media(), context())).toBe('3 layers need a width of 960 or more.');
    expect(layersProblem(2, media({ size: '426x240' }), context())).toBe('2 layers need a width of 480 or more.');
    // The size of a file is not known before it is played.
    expect(layersProblem(3, media(), context({ source: 'file' }))).toBeUndefined();
    expect(layersProblem(1, media({ size: '426x240' }), context({ protocol: 'rtmp' }))).toBeUndefined();
  });

  it('has 30 frames a second of a file at most', () => {
    expect(fpsProblem(50, 'file')).toBe('A video file is captured with up to 30 fps.');
    expect([fpsProblem(30, 'file'), fpsProblem(60, 'pattern')]).toEqual([undefined, undefined]);
    expect(possibleMedia(media({ fps: 60 }), context({ source: 'file' })).fps).toBe(30);
    expect(possibleMedia(media({ fps: 60 }), context()).fps).toBe(60);
  });

  it('has no sound of a capture', () => {
    expect(audioProblem('window')).toBe('The window is captured without sound.');
    expect(audioProblem('file')).toBeUndefined();
  });

  it('replaces what is not possible by what is closest', () => {
    const wanted = media({ codec: 'av1', layers: 3, size: '640x360' });
    expect(possibleMedia(wanted, context())).toEqual({ ...wanted, codec: 'h264', layers: 2 });
    expect(possibleMedia(media({ size: '1280x720' }), context()).layers).toBe(1);
    expect(possibleMedia(wanted, context({ protocol: 'rtmp', source: 'screen' }))).toEqual({
      ...wanted,
      ...{ codec: 'h264', layers: 1, audio: false },
    });
  });
});

describe('the line about the settings', () => {
  it('has what is sent', () => {
    expect(mediaSummary(media({ size: '1280x720' }), context())).toBe(
      'H.264 · 1280 × 720 · 25 fps · max 1,500 kbit/s · Opus',
    );
    const several = media({ codec: 'vp8', size: '1920x1080', fps: 60, maxKbps: 700, layers: 3, audio: false });
    expect(mediaSummary(several, context({ source: 'screen' }))).toBe(
      'VP8 · max 1920 × 1080 · 60 fps · max 700 kbit/s · 3 layers · no audio',
    );
    expect(mediaSummary(media(), context({ source: 'file', protocol: 'rtmp' }))).toBe(
      'H.264 · as the file · max 1,500 kbit/s · AAC',
    );
  });
});

it('reads a bitrate as typed', () => {
  expect([readKbps(' '), readKbps('1,200')]).toEqual([{}, { maxKbps: 1200 }]);
  for (const text of ['49', '20,001', '10.5', 'fast'])
    expect(readKbps(text).problem).toBe('Enter a bitrate from 50 to 20,000 kbit/s.');
});
