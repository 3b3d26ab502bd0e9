import type { CauseText } from './cause';

/**
 * Causes that differ by a number of a protocol. A number without a name is written as it is: `http-418`,
 * `left-reason-99`.
 */
export interface NumberedFamily {
  /** Name of the constructor in Go. */
  readonly go: string;
  /** What the number is, and who defines it. */
  readonly number: string;
  readonly prefix: string;
  /** Names by number; a family without names writes the number itself. */
  readonly names?: Readonly<Record<number, string>>;
  /** Before a number without a name. */
  readonly beforeNumber?: string;
  /** Numbers with words of their own, for the docs. */
  readonly explained?: readonly string[];
  /** `what` is the number, or its name. */
  readonly text: (what: string) => CauseText;
  readonly response?: (number: number) => 'refusal' | 'late' | undefined;
}

/** What an HTTP or RTSP status says about a stream: RFC 9110 and 2326 agree on these. */
const statuses: Readonly<Record<string, CauseText>> = {
  401: {
    title: 'The server requires credentials',
    advice: 'Check the token, or the user and the password of the stream.',
  },
  403: {
    title: 'The server forbids the stream',
    advice: 'Check the token, and whether the server allows the address of the tester.',
  },
  404: { title: 'The stream was not found', advice: 'Check the name of the stream, and that it is published.' },
  405: {
    title: 'The server does not allow the request',
    advice: 'Check the address: its path may serve something else.',
  },
  406: { title: "The server can't serve what the viewer accepts", advice: 'Check the address and the codecs.' },
  408: { title: 'The server waited too long for the request', advice: 'Check the CPU of the tester, and the network.' },
  409: { title: 'The server reports a conflict', advice: 'Check whether the stream or the session exists already.' },
  429: { title: 'The server limits the rate of requests', advice: 'Raise its limit for the testers, or lower `rate`.' },
  453: { title: 'The server has too little bandwidth left', advice: 'Check its limit of bandwidth.' },
  461: { title: 'The server does not support the transport', advice: 'Allow RTP over TCP or UDP on the server.' },
  500: { title: 'The server failed', advice: 'See its log.' },
  501: { title: 'The server does not support the request', advice: 'Check the address and the version of the server.' },
  502: { title: 'The proxy got no valid response', advice: 'Check the server behind the proxy.' },
  503: { title: 'The server is overloaded or out of sessions', advice: 'Check its load and its limit of sessions.' },
  504: { title: 'The proxy got no response in time', advice: 'Check the load of the server behind the proxy.' },
};

const byStatus =
  (protocol: string) =>
  (status: string): CauseText => {
    const known = statuses[status];
    return {
      title: `${known?.title ?? 'The server refused the request'} (${protocol} ${status})`,
      advice: known?.advice ?? 'See the example and the log of the server.',
    };
  };

/** A timeout of the server (408) may be the tester's fault; a status that also follows a wait for something is late. */
function ofStatus(status: number): 'refusal' | 'late' | undefined {
  if (status === 408) return undefined;
  return status >= 500 && status < 600 && ![501, 503, 505, 511].includes(status) ? 'late' : 'refusal';
}

const turnCodes: Readonly<Record<string, CauseText>> = {
  401: { title: 'The TURN server refused the credentials', advice: 'Check user, password or secret under `turn`.' },
  403: { title: 'The TURN server does not allow the peer', advice: 'Check its list of denied peers.' },
  437: {
    title: 'The TURN server has another allocation of this address',
    advice: 'Wait until allocations of an earlier run have expired.',
  },
  438: { title: 'The nonces of the TURN server expire too fast', advice: 'Raise its lifetime of nonces.' },
  486: { title: 'The quota of the TURN server is used up', advice: 'Raise its quota per user or in total.' },
  508: {
    title: 'The TURN server has no port or bandwidth left',
    advice: 'Widen its range of ports, or raise its limit of bandwidth.',
  },
};

const spaced = (name: string): string => name.replaceAll('-', ' ');

export const numberedFamilies: readonly NumberedFamily[] = [
  {
    go: 'HTTPCause',
    number: 'a status of HTTP',
    prefix: 'http-',
    explained: Object.keys(statuses),
    text: byStatus('HTTP'),
    response: ofStatus,
  },
  {
    go: 'RTSPCause',
    number: 'a status of RTSP',
    prefix: 'rtsp-',
    text: byStatus('RTSP'),
    response: ofStatus,
  },
  {
    go: 'TURNCause',
    number: 'an error code of TURN (RFC 8656)',
    prefix: 'turn-',
    explained: Object.keys(turnCodes),
    text: (code) =>
      turnCodes[code] ?? {
        title: `The TURN server refused (${code})`,
        advice: 'See the example and the log of the TURN server.',
      },
    response: () => 'refusal',
  },
  {
    go: 'AlertCause',
    number: 'the description of a DTLS alert (RFC 5246)',
    prefix: 'alert-',
    names: {
      0: 'close-notify',
      10: 'unexpected-message',
      20: 'bad-record-mac',
      21: 'decryption-failed',
      22: 'record-overflow',
      30: 'decompression-failure',
      40: 'handshake-failure',
      41: 'no-certificate',
      42: 'bad-certificate',
      43: 'unsupported-certificate',
      44: 'certificate-revoked',
      45: 'certificate-expired',
      46: 'certificate-unknown',
      47: 'illegal-parameter',
      48: 'unknown-ca',
      49: 'access-denied',
      50: 'decode-error',
      51: 'decrypt-error',
      60: 'export-restriction',
      70: 'protocol-version',
      71: 'insufficient-security',
      80: 'internal-error',
      90: 'user-canceled',
      100: 'no-renegotiation',
      110: 'unsupported-extension',
      120: 'no-application-protocol',
    },
    text: (alert) =>
      alert === 'close-notify'
        ? {
            title: 'The server closed the DTLS session',
            advice: 'See the log of the server for why it closed the session.',
          }
        : {
            title: `The server ended DTLS with alert ${spaced(alert)}`,
            advice: 'See the log of the server; RFC 5246, 7.2 explains the alert.',
          },
  },
  {
    go: 'LeftCause',
    number: "the reason of LiveKit's leave request (`DisconnectReason`)",
    prefix: 'left-',
    beforeNumber: 'reason-',
    names: {
      2: 'duplicate-identity',
      3: 'server-shutdown',
      4: 'removed',
      5: 'room-deleted',
      6: 'state-mismatch',
      7: 'join-failure',
      8: 'migration',
      10: 'room-closed',
      14: 'connection-timeout',
      15: 'media-failure',
    },
    text: (reason) => ({
      title: `The server disconnected the participant: ${spaced(reason)}`,
      advice: 'See the log of the server, and whether another participant has the same identity.',
    }),
  },
];
