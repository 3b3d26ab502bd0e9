import type { PullProtocol } from '../../../domain/model/protocols';
import { FullhouseError } from '../../../contract/calls';
import type { PullOrder } from '../driver';

export const protocols: readonly PullProtocol[] = ['wcs', 'rtmp'];
/** A WCS that does not report its ports has those of the default range, 34001 to 35000. */
export const defaultAgentPorts = 1000;

/** Throws one sentence when a WCS can't run the order. */
export function checkOrder(who: string, { protocol, url, viewers, ratePerSecond }: PullOrder): void {
  if (!protocols.includes(protocol))
    throw new FullhouseError(
      'no-protocol',
      `${who} is a WCS and pulls over WCS signalling or RTMP, not over ${protocol}.`,
    );
  const isRtmp = protocol === 'rtmp';
  if (!(isRtmp ? /^rtmps?:\/\//i : /^wss?:\/\//i).test(url))
    throw new FullhouseError(
      'bad-address',
      `${who} can't pull from ${url}: ${isRtmp ? 'RTMP needs an rtmp:// address' : 'WCS signalling needs a ws:// or wss:// address'}.`,
    );
  if (!Number.isInteger(viewers) || viewers < 1 || !(ratePerSecond > 0))
    throw new FullhouseError('bad-request', `${who} can't pull ${viewers} viewers at ${ratePerSecond}/s.`);
}

/** Throws when the tester has too few ports for this many more pulls; `free` as reported, if it is. */
export function checkPorts(who: string, pulls: number, free: number | undefined): void {
  if (pulls <= (free ?? defaultAgentPorts)) return;
  const why =
    free === undefined
      ? `it does not report its ports for pulls, and the default is ${defaultAgentPorts}`
      : `it has ${free} ports left for pulls (ports_wcs_agents_free)`;
  throw new FullhouseError(
    'too-many-viewers',
    `${who} can't pull ${pulls} more viewers: ${why}. Request fewer, widen its range of WCS agent ports, or add a tester.`,
  );
}
