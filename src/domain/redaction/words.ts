/** Names that every run has: they tell nothing of the customer. */
export function isEverybodysNode(name: string): boolean {
  return /^(origin|tester|audience|lab|local|player|run|you|node|server|this[- ]machine)([-_ ]?\d+)?$/i.test(
    name,
  );
}

/** Words of the program's own sentences. A stream or node named like one is replaced only where nothing else can be meant. */
const ownWords: ReadonlySet<string> = new Set(
  (
    'live stream streams camera video audio media viewer viewers test sample main first second hold ramp drain prepare phase ' +
    'plan node nodes server servers agent agents connected failed degraded stopped ended started running origin tester ' +
    'testers audience player expected measured memory network bandwidth packet packets frame frames freeze freezes ' +
    'share limit limits signalling answer answers timeout name names their while which after before where there these ' +
    'with from have been this that more most less than only over under into seconds minutes least first-packet ' +
    'first-frame whep whip rtmp webrtc still stills note notes reason reasons interrupted inconclusive pass fail local ' +
    'lean full demo root user users host hosts file files process threads cores kernel buffer buffers socket sockets'
  ).split(' '),
);

/** How far a value may be replaced outside of the fields that hold nothing else. */
export type Reach =
  /** Within other words too: it is long enough to be nobody's word. */
  | 'anywhere'
  /** Where it stands by itself. */
  | 'word'
  /** In quotes and as a part of an address. */
  | 'place';

export function reachOf(value: string): Reach {
  if (value.length < 3 || /^\d+$/.test(value) || ownWords.has(value.toLowerCase())) return 'place';
  if (/^[\d.]+$/.test(value) || /^[0-9a-f:]+$/i.test(value)) return 'word';
  return value.length >= 5 ? 'anywhere' : 'word';
}
