/** Names in every run: they do not identify the customer. */
export function isCommonNodeName(name: string): boolean {
  // `audience:2` stands for one of several audiences; samples refer to it.
  return /^(audience:\d{1,4}|\*|window|origin|tester|audience|lab|local|player|run|you|node|server|this[- ]machine)([-_ ]?\d+)?$/i.test(
    name,
  );
}

/**
 * Words of the program's sentences. A stream or node with such a name is replaced only where the match is unambiguous.
 */
const programWords: ReadonlySet<string> = new Set(
  (
    'live stream streams camera video audio media picture black green vmaf viewer viewers test sample main first second hold ramp drain prepare phase ' +
    'plan node nodes server servers agent agents connected failed degraded stopped ended started running origin tester ' +
    'testers audience player expected measured memory network bandwidth packet packets frame frames freeze freezes ' +
    'share limit limits signalling answer answers timeout name names their while which after before where there these ' +
    'with from have been this that more most less than only over under into seconds minutes least first-packet ' +
    'first-frame whep whip rtmp webrtc still stills note notes reason reasons interrupted inconclusive pass fail local ' +
    'browser full demo root user users host hosts file files process threads cores kernel buffer buffers socket sockets'
  ).split(' '),
);

/** How far a value may be replaced outside of its own fields. */
export type ReplacementScope =
  /** Also within words: it is long enough to be distinctive. */
  | 'anywhere'
  /** As a separate word. */
  | 'word'
  /** In quotes and as part of an address. */
  | 'place';

export function scopeOf(value: string): ReplacementScope {
  if (value.length < 3 || /^\d+$/.test(value) || programWords.has(value.toLowerCase())) return 'place';
  if (/^[\d.]+$/.test(value) || /^[0-9a-f:]+$/i.test(value)) return 'word';
  return value.length >= 5 ? 'anywhere' : 'word';
}
