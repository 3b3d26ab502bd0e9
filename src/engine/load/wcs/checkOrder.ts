import type { PullProtocol } from '../../../domain/plan/plan';
import { FullhouseError } from '../../../contract/calls';
import type { PullOrder } from '../driver';

export const protocols: readonly PullProtocol[] = ['wcs', 'rtmp'];
/** A WCS that says nothing of its ports has those of its default range, 34001 to 35000. */
export const usualAgentPorts = 1000;

/** Throws one sentence when a WCS can't do what is asked. */
export function checkOrder(who: string, { protocol, url, viewers, ratePerSecond }: PullOrder): void {
  if (!protocols.includes(protocol))
    throw new FullhouseError(
      'no-protocol',
      `${who} is a WCS and pulls by its own signalling or by RTMP, not by ${protocol}.`,
    );
  const isRtmp = protocol === 'rtmp';
  if (!(isRtmp ? /^rtmps?:\/\//i : /^wss?:\/\//i).test(url))
    throw new FullhouseError(
      'bad-address',
      `${who} can't pull from ${url}: ${isRtmp ? 'RTMP goes to an rtmp:// address' : "WCS's own signalling goes to a ws:// or wss:// address"}.`,
    );
  if (!Number.isInteger(viewers) || viewers < 1 || !(ratePerSecond > 0))
    throw new FullhouseError('bad-request', `${who} can't pull ${viewers} viewers at ${ratePerSecond}/s.`);
}

/** Throws when the tester has too few ports for that many pulls more; `free` as it tells, if it does. */
export function checkPorts(who: string, pulls: number, free: number | undefined): void {
  if (pulls <= (free ?? usualAgentPorts)) return;
  const why =
    free === undefined
      ? `it does not tell how many ports it has for pulls, and usually there are ${usualAgentPorts}`
      : `it has ${free} ports left for pulls (ports_wcs_agents_free)`;
  throw new FullhouseError(
    'too-many-viewers',
    `${who} can't pull ${pulls} viewers more: ${why}. Ask for fewer, widen its range of WCS agent ports, or add a tester.`,
  );
}
