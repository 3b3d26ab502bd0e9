/**
 * An offer like that of a pulling server: one audio, one video, to be received or sent, with the codecs, feedback,
 * candidates and sources that such descriptions have, about 4 kB.
 */
export function offerOf(direction: 'recvonly' | 'sendonly'): string {
  return [
    'v=0',
    'o=- 1 1 IN IP4 127.0.0.1',
    's=-',
    't=0 0',
    'a=group:BUNDLE 0 1',
    'a=msid-semantic: WMS *',
    ...section('audio', 0, direction, ['111 opus/48000/2', '0 PCMU/8000', '8 PCMA/8000', '9 G722/8000'], []),
    ...section(
      'video',
      1,
      direction,
      ['119 H264/90000', '127 H264/90000', '100 VP8/90000', '101 VP9/90000'],
      ['nack', 'nack pli', 'ccm fir', 'goog-remb', 'transport-cc'],
    ),
    '',
  ].join('\r\n');
}

const extensions = [
  'urn:ietf:params:rtp-hdrext:ssrc-audio-level',
  'http://www.webrtc.org/experiments/rtp-hdrext/abs-send-time',
  'http://www.ietf.org/id/draft-holmer-rmcat-transport-wide-cc-extensions-01',
  'urn:3gpp:video-orientation',
  'urn:ietf:params:rtp-hdrext:sdes:mid',
];

function section(kind: string, mid: number, direction: string, maps: string[], feedback: string[]): string[] {
  const types = maps.map((map) => map.split(' ')[0] ?? '');
  const ssrc = 1_000_000_007 + mid;
  return [
    `m=${kind} 9 UDP/TLS/RTP/SAVPF ${types.join(' ')}`,
    'c=IN IP4 0.0.0.0',
    'a=rtcp:9 IN IP4 0.0.0.0',
    ...[31_001, 31_003].flatMap((port, index) => [
      `a=candidate:${index + 1} 1 udp 2130706431 10.0.0.${index + 8} ${port} typ host generation 0`,
      `a=candidate:${index + 3} 1 tcp 1671430143 10.0.0.${index + 8} ${port} typ host tcptype passive generation 0`,
    ]),
    'a=ice-ufrag:stnd',
    'a=ice-pwd:standinstandinstandinstandin',
    `a=fingerprint:sha-256 ${Array.from({ length: 32 }, () => 'AA').join(':')}`,
    'a=setup:actpass',
    `a=mid:${mid}`,
    ...extensions.map((uri, index) => `a=extmap:${index + 1} ${uri}`),
    `a=${direction}`,
    'a=rtcp-mux',
    'a=rtcp-rsize',
    ...maps.map((map) => `a=rtpmap:${map}`),
    ...types.flatMap((type) => feedback.map((each) => `a=rtcp-fb:${type} ${each}`)),
    ...(direction === 'sendonly'
      ? [`a=ssrc:${ssrc} cname:standin`, `a=ssrc:${ssrc} msid:standin ${kind}`, `a=msid:standin ${kind}`]
      : []),
  ];
}

const turned: Readonly<Record<string, string>> = {
  recvonly: 'sendonly',
  sendonly: 'recvonly',
  sendrecv: 'recvonly',
  inactive: 'inactive',
};
const known = /^(\d+) (opus\/48000|H264\/90000|VP8\/90000|PCMU\/8000|PCMA\/8000)/i;

/**
 * The answer of an ICE-lite server: complete, with all candidates and the common codecs. Undefined if a
 * section has no common codec. Clients neither send nor accept candidates later.
 */
export function answerTo(offer: string, port: number): string | undefined {
  const parts = offer.split(/\r?\n(?=m=)/);
  const bundle = /^a=group:BUNDLE .*$/m.exec(parts[0] ?? '')?.[0]?.trim();
  const media = parts.slice(1);
  if (media.length === 0) return undefined;
  const answers = media.map((part) => answerSection(part, port));
  if (answers.some((answer) => answer === undefined)) return undefined;
  return [
    'v=0',
    'o=standin 2 2 IN IP4 127.0.0.1',
    's=standin',
    't=0 0',
    'a=ice-lite',
    ...(bundle ? [bundle] : []),
    ...answers.flatMap((answer) => answer ?? []),
    '',
  ].join('\r\n');
}

function answerSection(part: string, port: number): string[] | undefined {
  const lines = part.split(/\r?\n/);
  const [, kind, , protocol] = /^m=(\S+) (\S+) (\S+)/.exec(lines[0] ?? '') ?? [];
  if (!kind || !protocol) return undefined;
  const mid = lines.find((line) => line.startsWith('a=mid:'));
  const direction = /^a=(recvonly|sendonly|sendrecv|inactive)\s*$/m.exec(part)?.[1] ?? 'sendrecv';
  const maps = lines.flatMap((line) => {
    const [, payload = '', codec = ''] = known.exec(line.replace(/^a=rtpmap:/, '')) ?? [];
    return codec ? [{ payload, codec }] : [];
  });
  const [first] = maps;
  if (!first) return undefined;
  const chosen = maps.filter(({ codec }) => codec === first.codec);
  return [
    `m=${kind} ${port} ${protocol} ${chosen.map(({ payload }) => payload).join(' ')}`,
    'c=IN IP4 127.0.0.1',
    `a=rtcp:${port} IN IP4 127.0.0.1`,
    `a=candidate:1 1 udp 2130706431 127.0.0.1 ${port} typ host`,
    `a=candidate:2 1 tcp 1671430143 127.0.0.1 ${port} typ host tcptype passive`,
    'a=end-of-candidates',
    'a=ice-ufrag:lite',
    'a=ice-pwd:litelitelitelitelitelite',
    `a=fingerprint:sha-256 ${Array.from({ length: 32 }, () => 'BB').join(':')}`,
    'a=setup:passive',
    ...(mid ? [mid] : []),
    `a=${turned[direction] ?? 'sendonly'}`,
    'a=rtcp-mux',
    ...lines.filter((line) =>
      chosen.some(({ payload }) => line.startsWith(`a=rtpmap:${payload} `) || line.startsWith(`a=fmtp:${payload} `)),
    ),
  ];
}
