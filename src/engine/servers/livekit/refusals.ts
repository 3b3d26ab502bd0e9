import { FullhouseError } from '../../../contract/calls';
import { byPlace, secretFix } from '../../base/secretPlace';
import type { HttpResponse } from '../../links/http/httpLink';
import { parseForeignJson } from '../../../domain/budget/foreignJson';

/** A call that LiveKit did not accept. */
export interface RefusedCall {
  readonly who: string;
  /** e.g. `ListRooms`. */
  readonly method: string;
  /** What the token granted, e.g. `roomList`. */
  readonly grant: string;
  readonly apiKey: string;
  /** This machine's clock at the call. */
  readonly nowMs: number;
  readonly answer: HttpResponse;
}

/**
 * The message for a refused call. LiveKit's response may contain the entire token, so it is only searched for known
 * words and never shown, except the message of a JSON error.
 */
export function refusal(call: RefusedCall): FullhouseError {
  const { who, method, grant, apiKey, answer } = call;
  const { status, body } = answer;
  const fault = (code: string, sentence: string): FullhouseError => new FullhouseError(code, `${who}: ${sentence}.`);
  const isToken = /^invalid token/.test(body);
  if (status === 401 && body.startsWith('invalid API key'))
    return fault(
      'livekit-key',
      `API key "${apiKey}" is unknown to LiveKit; ${byPlace('check apiKey of the node', "check it in the node's settings")}`,
    );
  if (status === 401 && isToken && /cryptographic primitive|signature/.test(body))
    return fault(
      'livekit-secret',
      `the API secret does not match the key "${apiKey}"; ${secretFix(who, 'apiSecret', 'enter the secret again')}`,
    );
  if (status === 401 && isToken && /\((nbf|iat|exp)\)/.test(body)) return clockFault(call);
  const twirp = twirpError(body);
  if (status === 401 && twirp)
    return fault(
      'livekit-grant',
      `LiveKit refused ${method} although the token grants ${grant}; this API key may be restricted`,
    );
  if (status === 401)
    return fault(
      'livekit-token',
      `LiveKit rejected the token for ${method}; check the API key, its secret and any proxy in front of the server`,
    );
  if (twirp?.code === 'bad_route')
    return fault(
      'livekit-version',
      `this LiveKit has no ${method} call; it may be too old for this version of Fullhouse`,
    );
  if (twirp) return fault(`livekit-${twirp.code}`, `LiveKit failed ${method}: ${twirp.msg} (${twirp.code})`);
  if (status === 404) return fault('http-404', 'no LiveKit API at this address; check the address and the port');
  if (status === 429) return fault('http-429', 'too many requests (HTTP 429)');
  if (status >= 500) return fault(`http-${status}`, `${method} failed with HTTP ${status} (server error)`);
  return fault(`http-${status}`, `${method} returned HTTP ${status}, which is not a LiveKit response`);
}

function clockFault({ who, nowMs, answer }: RefusedCall): FullhouseError {
  const isAhead = answer.body.includes('(exp)');
  const serverMs = Date.parse(answer.headers.date ?? '');
  const skew = Number.isNaN(serverMs) ? '' : `${Math.max(1, Math.round(Math.abs(serverMs - nowMs) / 60_000))} min `;
  return new FullhouseError(
    'clock-skew',
    isAhead
      ? `${who}: LiveKit rejected the token as expired: its clock is ${skew}ahead of this machine's. Synchronise both clocks by NTP.`
      : `${who}: LiveKit rejected the token as not valid yet: its clock is ${skew}behind this machine's. Synchronise both clocks by NTP.`,
  );
}

/** Errors of its API are JSON; those of layers before it (keys, signatures) are plain text. */
function twirpError(body: string): { readonly code: string; readonly msg: string } | undefined {
  try {
    const raw: unknown = parseForeignJson(body);
    if (typeof raw !== 'object' || raw === null) return undefined;
    const { code, msg } = raw as { code?: unknown; msg?: unknown };
    if (typeof code !== 'string' || !/^[a-z_]{1,40}$/.test(code)) return undefined;
    const message = typeof msg === 'string' ? msg.replace(/^twirp error \w+: /, '').slice(0, 200) : '';
    return { code, msg: message || 'no reason given' };
  } catch {
    return undefined;
  }
}
