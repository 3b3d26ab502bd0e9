import type { RecordedCodec, RecordedSection, RecordedViewer, SeenMessages } from '../../contract/recordedViewer';
import type { MeasuredViewer } from './recorded';

/** What a row compares: a set, a word, or a number. Undefined: nothing of it was received. */
export type RowValue =
  | { readonly items: readonly string[] }
  | { readonly word: string }
  | {
      readonly number: number;
      readonly unit: '/s' | 'ms' | 'bytes/s' | 'bytes' | '';
      /** The difference up to which two numbers are equal in any case: one message more or less, scheduling. */
      readonly tolerance: number;
    };

export interface FidelityRow {
  readonly group: RowGroup;
  readonly name: string;
  readonly value: RowValue | undefined;
}

/** In this order. Those of the session are the same under every condition. */
const rowGroups = [
  'SDP offer',
  'DTLS',
  'ICE',
  'RTCP',
  'Transport-wide feedback',
  'Repair',
  'Upstream',
  'End',
  'Player',
] as const;
export type RowGroup = (typeof rowGroups)[number];
export const ofSession: ReadonlySet<RowGroup> = new Set(['SDP offer', 'DTLS']);

/** Two recordings of one viewer differ by up to this on a machine with other work. */
const msTolerance = 5;

const list = (items: readonly string[] | null | undefined): RowValue => ({ items: [...new Set(items ?? [])] });
const text = (word: string): RowValue => ({ word });
const ms = (number: number | undefined): RowValue | undefined =>
  number === undefined ? undefined : { number, unit: 'ms', tolerance: msTolerance };
const plain = (number: number | undefined, tolerance = 1): RowValue | undefined =>
  number === undefined ? undefined : { number, unit: '', tolerance };

/** All rows of a viewer; the same for every viewer. */
export function rowsOf({ received, player }: MeasuredViewer): readonly FidelityRow[] {
  const { offer, clientHello, stun, transportFeedback, repair, seconds } = received;
  const rate = (count: number, unit: '/s' | 'bytes/s' = '/s'): RowValue => ({
    number: seconds > 0 ? count / seconds : 0,
    unit,
    tolerance: 1.5 / seconds,
  });
  const row =
    (group: RowGroup) =>
    (name: string, value: RowValue | undefined): FidelityRow => ({ group, name, value });
  const [sdp, dtls, ice, rtcp] = [row('SDP offer'), row('DTLS'), row('ICE'), row('RTCP')];
  const [feedback, repairs, player_] = [row('Transport-wide feedback'), row('Repair'), row('Player')];
  const hello = (name: string, pick: (facts: NonNullable<typeof clientHello>) => RowValue): FidelityRow =>
    dtls(name, clientHello && pick(clientHello));
  const parts = partsOf(received.rtcp);
  const part = (name: string): RowValue => rate(parts.get(name) ?? 0);
  return [
    sdp('session attributes', list(offer.attributes)),
    ...offerRows(offer.sections).map(([name, value]) => sdp(name, value)),
    dtls('role', text(clientHello ? 'client' : 'server')),
    hello('versions', ({ versions, version }) => list((versions?.length ? versions : [version]).map(dtlsName.version))),
    hello('cipher suites', ({ cipherSuites }) => list(cipherSuites?.map(dtlsName.suite))),
    hello('groups', ({ groups }) => list(groups?.map(dtlsName.group))),
    hello('SRTP profiles', ({ srtpProfiles }) => list(srtpProfiles?.map(dtlsName.srtp))),
    hello('signatures', ({ signatures }) => list(signatures)),
    hello('extensions', ({ extensions }) => list(extensions)),
    hello('records of the ClientHello', ({ fragments }) => text(String(fragments))),
    hello('version of its record', ({ recordVersion }) => text(dtlsName.version(recordVersion))),
    ice('attributes of checks', list(checkAttributes(stun))),
    ice('kinds of checks', list(checkKinds(stun))),
    ice('checks', rate((stun ?? []).reduce((sum, { count }) => sum + count, 0))),
    ice('answer to first check', ms(received.checkAfterMs)),
    ice('first check to DTLS', ms(received.helloAfterMs)),
    ice('DTLS to keys', ms(received.keysAfterMs)),
    rtcp('compound packets', list(received.rtcp?.map(({ kind }) => kind))),
    ...[
      'report about video',
      'report about audio',
      'report about rtx',
      'SDES',
      'NACK',
      'PLI',
      'FIR',
      'TWCC',
      'REMB',
      'XR',
    ].map((name) => rtcp(name, part(name))),
    rtcp('length of the canonical name', plain(received.canonicalNameLength)),
    feedback('interval', ms(transportFeedback?.medianIntervalMs)),
    feedback('packets in one', plain(transportFeedback?.medianPackets)),
    feedback(
      'size of one',
      transportFeedback && { number: transportFeedback.medianBytes, unit: 'bytes', tolerance: 4 },
    ),
    repairs('gap to first NACK', ms(repair?.medianFirstMs)),
    repairs('interval of repeated NACKs', ms(repair?.medianRetryMs)),
    repairs('NACKs for a packet that never comes, max', plain(repair?.triesMost)),
    repairs(
      'repaired after a single NACK',
      repair && text(repair.askedOnce * 2 >= repair.repaired && repair.repaired > 0 ? 'most' : 'few'),
    ),
    row('Upstream')('datagrams', rate(received.upstreamPackets ?? 0)),
    row('Upstream')('UDP payload', rate(received.upstreamBytes ?? 0, 'bytes/s')),
    row('End')('in order', text((received.end ?? []).join(', ') || 'nothing')),
    player_('packets received', rate(player.packets)),
    player_('packets lost', rate(player.lost)),
    player_('frames', rate(player.frames)),
    player_('freezes', plain(player.freezes, 0)),
    player_('jitter', ms(player.jitterMs)),
  ];
}

function offerRows(sections: readonly RecordedSection[]): Array<readonly [string, RowValue | undefined]> {
  return ['video', 'audio'].flatMap((kind): Array<readonly [string, RowValue | undefined]> => {
    const section = sections.find((section) => section.kind === kind);
    const of = (pick: (found: RecordedSection) => RowValue): RowValue | undefined => section && pick(section);
    return [
      [`${kind}: transport`, of(({ protocol, direction }) => text(`${protocol} ${direction}`))],
      [`${kind}: setup`, of(({ setup }) => text(setup))],
      [`${kind}: formats`, of(({ codecs }) => list(codecs.filter(({ repairs }) => !repairs).map(formatName)))],
      [
        `${kind}: formats with RTX`,
        of(({ codecs }) => list(codecs.flatMap(({ repairs }) => (repairs ? [shortFormat(repairs)] : [])))),
      ],
      [`${kind}: feedback`, of(({ codecs }) => list(feedbackOf(codecs)))],
      [`${kind}: header extensions`, of(({ extensions }) => list(extensions?.map(shortUri)))],
      [`${kind}: attributes`, of(({ attributes }) => list(attributes))],
      [
        `${kind}: length of ufrag and password`,
        of(({ ufragLength, passwordLength }) => text(`${ufragLength}, ${passwordLength}`)),
      ],
    ];
  });
}

const formatName = ({ name, parameters }: RecordedCodec): string => shortFormat(`${name} ${parameters ?? ''}`);

/** `H264 42e01f, mode 1`, `VP9 profile-id=0`, `opus/48000/2`. */
function shortFormat(format: string): string {
  const [name = '', parameters = ''] = format.trim().split(' ');
  const h264 = /packetization-mode=(\d).*profile-level-id=(\w+)/.exec(parameters);
  if (h264) return `H264 ${h264[2]}, mode ${h264[1]}`;
  return [name.replace('/90000', ''), name.startsWith('opus') ? '' : parameters].filter(Boolean).join(' ');
}

/** `nack`, or `nack (some formats)`; redundancy and retransmissions have none of their own. */
function feedbackOf(codecs: readonly RecordedCodec[]): readonly string[] {
  const with_ = codecs.filter(({ feedback }) => feedback && feedback.length > 0);
  const media = with_.filter(({ name }) => !name.startsWith('flexfec'));
  const all = [...new Set(with_.flatMap(({ feedback }) => feedback ?? []))];
  return all.map((name) => (media.every(({ feedback }) => feedback?.includes(name)) ? name : `${name} (some formats)`));
}

/** The last part of an extension's URI, which is what it is known by. */
const shortUri = (uri: string): string => uri.split(/[/:]/).at(-1) ?? uri;

function checkAttributes(stun: SeenMessages): readonly string[] {
  const requests = (stun ?? []).filter(({ kind }) => kind.startsWith('request'));
  return [...new Set(requests.flatMap(({ kind }) => kind.split(' ').slice(1)))];
}

function checkKinds(stun: SeenMessages): readonly string[] {
  return (stun ?? []).map(({ kind }) => {
    const [what = ''] = kind.split(' ');
    if (what !== 'request') return what;
    return kind.includes('USE-CANDIDATE') ? 'request that nominates' : 'request';
  });
}

/** Counts of the packets in compound packets; of reports, the blocks about each stream. */
function partsOf(compounds: RecordedViewer['rtcp']): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { kind, count } of compounds ?? [])
    for (const part of kind.split('+')) {
      const about = /^RR\((.*)\)$/.exec(part)?.[1];
      const names =
        about === undefined
          ? [part]
          : about
              .split(',')
              .filter(Boolean)
              .map((stream) => `report about ${stream}`);
      for (const name of names) counts.set(name, (counts.get(name) ?? 0) + count);
    }
  return counts;
}

/** Names of numbers in a ClientHello, by the registries of IANA; others keep their hexadecimal number. */

const versions: Readonly<Record<string, string>> = { feff: 'DTLS 1.0', fefd: 'DTLS 1.2', fefc: 'DTLS 1.3' };
const groups: Readonly<Record<string, string>> = {
  '0017': 'P-256',
  '0018': 'P-384',
  '0019': 'P-521',
  '001d': 'X25519',
  '11ec': 'X25519MLKEM768',
};
const srtpProfiles: Readonly<Record<string, string>> = {
  '0001': 'AES128_CM_HMAC_SHA1_80',
  '0002': 'AES128_CM_HMAC_SHA1_32',
  '0007': 'AEAD_AES_128_GCM',
  '0008': 'AEAD_AES_256_GCM',
};
const suites: Readonly<Record<string, string>> = {
  '1301': 'AES_128_GCM_SHA256 (1.3)',
  '1302': 'AES_256_GCM_SHA384 (1.3)',
  '1303': 'CHACHA20_POLY1305_SHA256 (1.3)',
  c02b: 'ECDHE_ECDSA_AES_128_GCM_SHA256',
  c02c: 'ECDHE_ECDSA_AES_256_GCM_SHA384',
  c02f: 'ECDHE_RSA_AES_128_GCM_SHA256',
  c030: 'ECDHE_RSA_AES_256_GCM_SHA384',
  cca8: 'ECDHE_RSA_CHACHA20_POLY1305_SHA256',
  cca9: 'ECDHE_ECDSA_CHACHA20_POLY1305_SHA256',
  c009: 'ECDHE_ECDSA_AES_128_CBC_SHA',
  c00a: 'ECDHE_ECDSA_AES_256_CBC_SHA',
  c013: 'ECDHE_RSA_AES_128_CBC_SHA',
  c014: 'ECDHE_RSA_AES_256_CBC_SHA',
  '009c': 'RSA_AES_128_GCM_SHA256',
  '002f': 'RSA_AES_128_CBC_SHA',
  '0035': 'RSA_AES_256_CBC_SHA',
};

const named = (names: Readonly<Record<string, string>>) => (number: string) => names[number] ?? number;

const dtlsName = {
  version: named(versions),
  group: named(groups),
  srtp: named(srtpProfiles),
  suite: named(suites),
};
