import { turnAddress, type PlanTurn } from '../model/turn';
import type { Plan, Audience } from '../model/plan';
import { audiencesOf } from '../model/distribution';

/** What is wrong with the TURN server of an audience, one sentence; undefined if nothing is. */
export function turnFault({ turn, protocol }: Pick<Audience, 'turn' | 'protocol'>): string | undefined {
  if (turn === undefined) return undefined;
  if (protocol === 'turn') {
    if (turn.share !== 100 || turn.url !== undefined)
      return 'The protocol turn loads the TURN server of the origin with all viewers. Remove "share" and "url".';
  } else if (turn.bitrateKbps !== undefined)
    return 'The bitrate is that of the stream. Remove it, or use the protocol turn.';
  if (turn.url === undefined && protocol !== 'turn') {
    if (turn.username !== undefined || turn.password !== undefined || turn.secret !== undefined)
      return 'The credentials are those of the address: add "url", or remove them to use the TURN server of the origin.';
    if (protocol === 'wcs') return 'A WCS lists no TURN server. Add its "url".';
  }
  const address = turn.url === undefined ? undefined : turnAddress(turn.url);
  if (turn.selfSigned && protocol !== 'turn' && address?.transport !== 'tls')
    return 'Only a "turns:" address has a certificate. Remove "selfSigned", or write such an address.';
  if (turn.password !== undefined && turn.secret !== undefined)
    return 'A TURN server has either a password or a shared secret. Remove one of them.';
  return undefined;
}

/** In one line, e.g. `10 % through turn.example:3478 (TCP)`; undefined without one. */
export function turnText(turn: PlanTurn | undefined): string | undefined {
  if (turn === undefined) return undefined;
  const server = turn.url === undefined ? undefined : turnAddress(turn.url);
  const host = server && (server.host.includes(':') ? `[${server.host}]` : server.host);
  const where = server ? `${host}:${server.port} (${server.transport.toUpperCase()})` : "the origin's TURN server";
  return `${turn.share} % through ${where}`;
}

/** Rows of a table about a run: its audiences with a TURN server. */
export function turnRows(plan: Plan): ReadonlyArray<{ readonly name: string; readonly text: string }> {
  return audiencesOf(plan).flatMap(({ turn, label }) => {
    const text = turnText(turn);
    return text === undefined ? [] : [{ name: label === undefined ? 'Relayed' : `Relayed of ${label}`, text }];
  });
}
