import { audiencesOf } from '../model/distribution';
import type { Plan } from '../model/plan';
import { endsByTimeout, protocolNames } from '../model/protocols';

/**
 * Why an origin may count viewers that have disconnected, as part of a sentence; undefined where they close their
 * sessions. `wasForced`: they were stopped without that.
 */
export function serverTimeout(plan: Pick<Plan, 'pull' | 'also'>, wasForced = false): string | undefined {
  const protocols = new Set(audiencesOf(plan).flatMap(({ protocol }) => (endsByTimeout(protocol) ? protocol : [])));
  if (protocols.size > 0) {
    const names = [...protocols].map((protocol) => protocolNames[protocol]);
    return `${names.join(' and ')} sessions end by the server's timeout`;
  }
  return wasForced ? "sessions that were not closed end by the server's timeout" : undefined;
}
