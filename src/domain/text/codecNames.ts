/** H.264 profiles by profile_idc, and Baseline with constraint_set1 (H.264 annex A.2.1). */
function h264Profile(profileLevelId: string): string | undefined {
  const idc = Number.parseInt(profileLevelId.slice(0, 2), 16);
  const constraints = Number.parseInt(profileLevelId.slice(2, 4), 16);
  if (idc === 0x42) return (constraints & 0x40) !== 0 ? 'CBP' : 'BP';
  if (idc === 0x4d) return 'MP';
  if (idc === 0x64) return (constraints & 0x0c) === 0x0c ? 'CHP' : 'HiP';
  return undefined;
}

/** `H.264 CBP`, `VP8`, ... from the codec's MIME type and its fmtp line; undefined without a MIME type. */
export function videoCodecName(mimeType: string | undefined, fmtpLine: string | undefined): string | undefined {
  const name = mimeType?.split('/')[1];
  if (name === undefined) return undefined;
  const plain = name.toUpperCase();
  if (plain === 'H265' || plain === 'HEVC') return 'H.265';
  if (plain !== 'H264' && plain !== 'AVC') return abbreviation(name);
  const profileLevelId = /profile-level-id=([0-9a-f]{6})/i.exec(fmtpLine ?? '')?.[1];
  const profile = profileLevelId === undefined ? undefined : h264Profile(profileLevelId);
  return profile === undefined ? 'H.264' : `H.264 ${profile}`;
}

const mp4Codecs: Readonly<Record<string, string>> = {
  hvc1: 'H.265',
  hev1: 'H.265',
  vp09: 'VP9',
  av01: 'AV1',
  mp4a: 'AAC',
  opus: 'Opus',
  'ac-3': 'AC-3',
  'ec-3': 'E-AC-3',
};

/** `H.264 CBP`, `AAC`, ... from a codec as MP4 and HLS write it (RFC 6381), e.g. `avc1.42c01e`. */
export function mp4CodecName(codec: string | undefined): string | undefined {
  if (!codec) return undefined;
  const [kind = '', details] = codec.split('.');
  // MPEG audio shares its first part with AAC.
  if (/^mp4a\.(40\.34|69|6b)$/i.test(codec) || kind === 'mp3') return 'MP3';
  if (kind === 'avc1' || kind === 'avc3') return videoCodecName('video/H264', details && `profile-level-id=${details}`);
  return mp4Codecs[kind.toLowerCase()] ?? codec;
}

/** Display names that differ from those in RTP. */
const audioNames: Readonly<Record<string, string>> = { opus: 'Opus', speex: 'Speex', 'mpeg4-generic': 'AAC' };

/** `aac` and `vp8` are abbreviations, whatever case a server writes them in. */
function abbreviation(name: string): string {
  return /^[a-z0-9]{2,4}$/.test(name) ? name.toUpperCase() : name;
}

export function audioCodecName(mimeType: string | undefined): string | undefined {
  const name = mimeType?.split('/')[1];
  if (name === undefined) return undefined;
  return audioNames[name.toLowerCase()] ?? abbreviation(name);
}

/** Chromium calls its H.264 decoder after the project; the library in it is libavcodec. */
export function decoderName(implementation: string | undefined): string | undefined {
  if (implementation === undefined || implementation === 'unknown') return undefined;
  return implementation === 'FFmpeg' ? 'libavcodec' : implementation;
}

const softwareDecoders = /libavcodec|ffmpeg|libvpx|vpxvideo|dav1d|libaom|libgav1|openh264/i;

/** Where it decodes, e.g. "decoded in software"; undefined if the browser does not report it. */
export function decoderKind(decoder: string | undefined): 'software' | 'hardware' | undefined {
  if (decoder === undefined) return undefined;
  return softwareDecoders.test(decoder) ? 'software' : 'hardware';
}
