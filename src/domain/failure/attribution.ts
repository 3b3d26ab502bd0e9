import type { TesterLimitKind } from '../model/run';
import { type FailureKey, listedCauses, responseOf } from './causes';

/** Whether a viewer failed because its tester ran out of a resource, not because of the server. */
export function isTesterCause(cause: string): boolean {
  return cause.startsWith('tester-');
}

/** The resource of the tester that a viewer lacked. */
export function testerLimitOf(cause: string): TesterLimitKind | undefined {
  return listedCauses[cause]?.testerLimit;
}

/**
 * Whether a viewer failed due to the server's response, which no tester is too slow to receive. Timeouts, closed
 * connections and DTLS alerts are different, and so is a port that is closed after ICE has started: a server closes it
 * when a session has timed out.
 */
export function isServerCause({ stage, cause }: FailureKey): boolean {
  const isClosedSocket = cause === 'refused' && ['ice', 'dtls', 'first-packet', 'first-frame', 'media'].includes(stage);
  return responseOf(cause) !== undefined && !isClosedSocket;
}

/**
 * Whether the server refused a viewer for a reason that it stated, so that a lack of CPU on any host explains nothing:
 * a subset of the server's causes. A viewer that was connected is lost, not refused.
 */
export function isRefusal({ stage, cause }: FailureKey): boolean {
  return stage !== 'media' && isServerCause({ stage, cause }) && responseOf(cause) !== 'late';
}
