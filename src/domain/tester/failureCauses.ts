import type { FailureGroup, TesterLimitKind } from '../model/run';

/** The agent's failure causes for which the tester is responsible. */
export const testerCauses: Readonly<Record<string, TesterLimitKind>> = {
  'tester-open-files': 'open-files',
  'tester-ports': 'ports',
  'tester-memory': 'memory',
};

/** Whether a viewer failed because its tester ran out of a resource, not because of the server. */
export function isTesterCause(cause: string): boolean {
  return cause.startsWith('tester-');
}

const serverCause =
  /^(http-(?!408$)\d|rtsp-(?!408$)\d|turn-\d|refused$|rejected$|srt-rejected$|unauthorized$|unresolved$|not-|no-h264$|no-codec$|no-candidate$|certificate$|fingerprint$|payload-type$|setup-active$|redirects$|cross-origin$|other-host$|no-ranges$|unpublished$|no-server$)/;

/** Responses that a server, or a proxy in front of it, also sends after waiting for something that had no CPU. */
const lateResponse = /^((http|rtsp)-5(?!0[135]$|11$)\d\d$|unresolved$|unpublished$|no-candidate$)/;

/**
 * Whether a viewer failed due to the server's response, which no tester is too slow to receive. Timeouts, closed
 * connections and DTLS alerts are different, and so is a port that is closed after ICE has started: a server closes it
 * when a session has timed out.
 */
export function isServerCause({ stage, cause }: Pick<FailureGroup, 'stage' | 'cause'>): boolean {
  const isClosedSocket = cause === 'refused' && ['ice', 'dtls', 'first-packet', 'first-frame', 'media'].includes(stage);
  return serverCause.test(cause) && !isClosedSocket;
}

/**
 * Whether the server refused a viewer for a reason that it stated, so that a lack of CPU on any host explains nothing:
 * a subset of the server's causes. A viewer that was connected is lost, not refused.
 */
export function isRefusal({ stage, cause }: Pick<FailureGroup, 'stage' | 'cause'>): boolean {
  return stage !== 'media' && isServerCause({ stage, cause }) && !lateResponse.test(cause);
}
