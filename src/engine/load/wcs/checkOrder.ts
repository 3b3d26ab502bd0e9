import { wcsTesterProtocols } from '../../../domain/model/protocols';
import { FullhouseError } from '../../../contract/calls';
import type { PullOrder } from '../driver';
import { formatCount } from '../../../domain/text/numberFormat';

/** A WCS that does not report its ports has those of the default range, 34001 to 35000. */
export const defaultAgentPorts = 1000;

/** Throws one sentence when a WCS can't run the order. */
export function checkOrder(who: string, { protocol, url, viewers, ratePerSecond }: PullOrder): void {
  if (!wcsTesterProtocols.some((each) => each === protocol))
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

/** The tester's ports for pulls by WCS signalling, as its statistics report them. */
export interface AgentPorts {
  readonly free: number;
  /** Released a short time ago; free again after a while. */
  readonly quarantine: number;
}

/**
 * A warning when these pulls need more ports than the tester has: whether it has others is not known, so it is not
 * refused.
 */
export function portWarning(pulls: number, ports: AgentPorts | undefined): string | undefined {
  if (ports === undefined)
    return pulls <= defaultAgentPorts
      ? undefined
      : `It does not report its ports for pulls, and its default range has ${formatCount(defaultAgentPorts)}; ${formatCount(pulls)} pulls need one each, and those without a port fail. Add a tester, or check its range of WCS agent ports.`;
  const { free, quarantine } = ports;
  if (pulls <= free) return undefined;
  const read = `It has ${formatCount(free)} ports free for pulls${quarantine > 0 ? ` and ${formatCount(quarantine)} in quarantine` : ''} (ports_wcs_agents_free), and ${formatCount(pulls)} pulls need one each`;
  return pulls <= free + quarantine
    ? `${read}: pulls fail until the quarantined ports are free.`
    : `${read}: pulls without a port fail. Add a tester, or widen its range of WCS agent ports.`;
}
