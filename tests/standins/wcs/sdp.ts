/** A small offer like that of a pulling server: one video, one audio, to be received or sent. */
export function offerOf(direction: 'recvonly' | 'sendonly'): string {
  return [
    'v=0',
    'o=- 1 1 IN IP4 127.0.0.1',
    's=-',
    't=0 0',
    'a=group:BUNDLE 0 1',
    ...section('audio', 0, direction, ['111'], ['111 opus/48000/2']),
    ...section('video', 1, direction, ['119'], ['119 H264/90000']),
    '',
  ].join('\r\n');
}

function section(kind: string, mid: number, direction: string, types: string[], maps: string[]): string[] {
  return [
    `m=${kind} 9 UDP/TLS/RTP/SAVPF ${types.join(' ')}`,
    'c=IN IP4 0.0.0.0',
    'a=ice-ufrag:stnd',
    'a=ice-pwd:standinstandinstandinstandin',
    `a=fingerprint:sha-256 ${Array.from({ length: 32 }, () => 'AA').join(':')}`,
    'a=setup:actpass',
    `a=mid:${mid}`,
    `a=${direction}`,
    'a=rtcp-mux',
    ...maps.map((map) => `a=rtpmap:${map}`),
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
  const mid = lines.find((each) => each.startsWith('a=mid:'));
  const direction = /^a=(recvonly|sendonly|sendrecv|inactive)\s*$/m.exec(part)?.[1] ?? 'sendrecv';
  const maps = lines.flatMap((each) => {
    const [, payload = '', codec = ''] = known.exec(each.replace(/^a=rtpmap:/, '')) ?? [];
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
    ...lines.filter((each) =>
      chosen.some(({ payload }) => each.startsWith(`a=rtpmap:${payload} `) || each.startsWith(`a=fmtp:${payload} `)),
    ),
  ];
}
