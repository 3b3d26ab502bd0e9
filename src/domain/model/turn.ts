/** A share of an audience uses a TURN server, with relayed candidates only; the others are direct. */
export interface PlanTurn {
  /** Percent of the viewers, above 0 to 100; all by default. */
  readonly share: number;
  /** For the protocol `turn`: what each viewer sends through the relay, in kbit/s. */
  readonly bitrateKbps?: number;
  /** `turn:HOST:PORT?transport=udp|tcp` or `turns:HOST:PORT`; by default the first one that the origin lists. */
  readonly url?: string;
  readonly username?: string;
  /** A reference such as `$env:NAME`. Not together with `secret`. */
  readonly password?: string;
  /** A reference to the secret shared with the server, for temporary credentials. */
  readonly secret?: string;
  /** The certificate of a `turns:` server is not checked; for the protocol `turn` also by the origin's setting. */
  readonly selfSigned?: boolean;
}

/** Characters of an address or a credential. */
export const maxTurnText = 1000;

/** What each viewer of a TURN server alone sends, in kbit/s. */
export const defaultTurnKbps = 500;
export const maxTurnKbps = 100_000;

export type TurnTransport = 'udp' | 'tcp' | 'tls';

export interface TurnAddress {
  /** Without the brackets of IPv6. */
  readonly host: string;
  readonly port: number;
  readonly transport: TurnTransport;
}

const pattern = /^(turns?):(\[[0-9a-f:.]+\]|[^\s:/@?[\]]+)(?::(\d{1,5}))?(?:\?transport=(udp|tcp))?$/i;

/** A TURN address (RFC 7065); undefined if it is none. DTLS (`turns:` over UDP) is not supported. */
export function turnAddress(text: string): TurnAddress | undefined {
  const [, scheme = '', host = '', port, transport] = pattern.exec(text) ?? [];
  if (scheme === '') return undefined;
  const isSecure = scheme.toLowerCase() === 'turns';
  const over = transport?.toLowerCase() === 'tcp' ? 'tcp' : 'udp';
  const number = port === undefined ? (isSecure ? 5349 : 3478) : Number(port);
  if (number < 1 || number > 65_535 || (isSecure && transport !== undefined && over === 'udp')) return undefined;
  return { host: host.replace(/^\[|\]$/g, ''), port: number, transport: isSecure ? 'tls' : over };
}
