import { FullhouseError } from '../../../contract/calls';
import type { HttpAnswer } from '../../links/http/httpLink';

/** A call that LiveKit did not answer as hoped. */
export interface RefusedCall {
  readonly who: string;
  /** e.g. `ListRooms`. */
  readonly method: string;
  /** What the token allowed, e.g. `roomList`. */
  readonly grant: string;
  readonly apiKey: string;
  /** This machine's clock when it was called. */
  readonly nowMs: number;
  readonly answer: HttpAnswer;
}

/**
 * The sentence for a call that was refused. What LiveKit says may hold the whole token, so that only known words of it
 * are looked for and nothing of it is shown, but for the message of a JSON error.
 */
export function refusal(call: RefusedCall): FullhouseError {
  const { who, method, grant, apiKey, answer } = call;
  const { status, body } = answer;
  const fault = (code: string, sentence: string): FullhouseError =>
    new FullhouseError(code, `${who}: ${sentence}.`);
  const isToken = /^invalid token/.test(body);
  if (status === 401 && body.startsWith('invalid API key'))
    return fault('livekit-key', `LiveKit knows no API key "${apiKey}"; check it in the node's settings`);
  if (status === 401 && isToken && /cryptographic primitive|signature/.test(body))
    return fault(
      'livekit-secret',
      `the API secret does not belong to the key "${apiKey}"; enter the secret again`,
    );
  if (status === 401 && isToken && /\((nbf|iat|exp)\)/.test(body)) return clockFault(call);
  const twirp = twirpError(body);
  if (status === 401 && twirp)
    return fault(
      'livekit-grant',
      `LiveKit does not allow ${method} although the token grants ${grant}; this API key may be restricted`,
    );
  if (status === 401)
    return fault(
      'livekit-token',
      `LiveKit does not take our token for ${method}; check the API key and its secret, and what stands before the server`,
    );
  if (twirp?.code === 'bad_route')
    return fault(
      'livekit-version',
      `this LiveKit has no ${method}; it may be too old for this version of Fullhouse`,
    );
  if (twirp)
    return fault(`livekit-${twirp.code}`, `LiveKit does not do ${method}: ${twirp.msg} (${twirp.code})`);
  if (status === 404)
    return fault('http-404', 'there is no API of LiveKit at this address; check the address and the port');
  if (status === 429) return fault('http-429', 'it is asked too often (HTTP 429)');
  if (status >= 500)
    return fault(
      `http-${status}`,
      `${method} is answered with HTTP ${status}; the server itself is in trouble`,
    );
  return fault(`http-${status}`, `${method} is answered with HTTP ${status}, which is not LiveKit's way`);
}

function clockFault({ who, nowMs, answer }: RefusedCall): FullhouseError {
  const isAhead = answer.body.includes('(exp)');
  const theirs = Date.parse(answer.headers.date ?? '');
  const by = Number.isNaN(theirs)
    ? ''
    : ` by ${Math.max(1, Math.round(Math.abs(theirs - nowMs) / 60_000))} min`;
  return new FullhouseError(
    'clock-skew',
    isAhead
      ? `${who}: LiveKit takes our token for expired: its clock is ahead of this machine's${by}. Set both clocks by NTP.`
      : `${who}: LiveKit takes our token for not valid yet: its clock is behind this machine's${by}. Set both clocks by NTP.`,
  );
}

/** Errors of its API are JSON; those of what stands before it (keys, signatures) are plain text. */
function twirpError(body: string): { readonly code: string; readonly msg: string } | undefined {
  try {
    const raw: unknown = JSON.parse(body);
    if (typeof raw !== 'object' || raw === null) return undefined;
    const { code, msg } = raw as { code?: unknown; msg?: unknown };
    if (typeof code !== 'string' || !/^[a-z_]{1,40}$/.test(code)) return undefined;
    const said = typeof msg === 'string' ? msg.replace(/^twirp error \w+: /, '').slice(0, 200) : '';
    return { code, msg: said || 'it does not say why' };
  } catch {
    return undefined;
  }
}
