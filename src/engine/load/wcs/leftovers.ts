import { eachOf } from '../../base/eachOf';
import type { WcsRest } from '../../servers/wcs/wcsRest';
import { readPullName, type PullName } from './names';
import { formatViewers } from '../../../domain/text/numberFormat';

/** A pull that one of our consoles started and did not end. */
export interface WcsLeftover extends PullName {
  readonly localStreamName: string;
  readonly remoteStreamName?: string;
  readonly uri?: string;
  readonly status?: string;
  readonly mediaSessionId?: string;
}

const maxConcurrent = 4;

/** Finds pulls by their local names, also streams whose pull is no longer listed. `isMine` are the managed ones. */
export async function findLeftovers(
  rest: WcsRest,
  isOwn: (name: PullName) => boolean,
): Promise<readonly WcsLeftover[]> {
  const [pulls, streams] = await Promise.all([rest.pull.findAll(), rest.stream.find({ published: true })]);
  const found = new Map<string, WcsLeftover>();
  const add = (localStreamName: string | undefined, rest: Omit<WcsLeftover, keyof PullName | 'localStreamName'>) => {
    const name = readPullName(localStreamName);
    if (!name || localStreamName === undefined || isOwn(name) || found.has(localStreamName)) return;
    found.set(localStreamName, { ...name, localStreamName, ...rest });
  };
  for (const { localStreamName, remoteStreamName, uri, status, localMediaSessionId } of pulls)
    add(localStreamName, { remoteStreamName, uri, status, mediaSessionId: localMediaSessionId });
  for (const { name, published, status, mediaSessionId } of streams)
    if (published !== false) add(name, { status, mediaSessionId });
  return [...found.values()];
}

/**
 * What stays at a tester, one sentence each. A WCS lists pulls for a while that have ended: only those that two looks
 * found are there. `instance` is that of this console's driver.
 */
export function leftoverSentences(
  who: string,
  instance: string,
  [before, now]: readonly [readonly WcsLeftover[], readonly WcsLeftover[]],
): readonly string[] {
  const names = new Set(before.map(({ localStreamName }) => localStreamName));
  const left = now.filter(({ localStreamName }) => names.has(localStreamName));
  const own = left.filter((leftover) => leftover.instance === instance).length;
  const sentence = (count: number, of: string): string[] =>
    count === 0 ? [] : [`${who} runs ${formatViewers(count)} of ${of}; "Remove agent" in its menu disconnects them.`];
  return [
    ...sentence(own, 'an earlier run of this console'),
    ...sentence(left.length - own, 'another console, or of one that crashed'),
  ];
}

/** Ends them and checks that they are gone; returns those that are not. */
export async function terminateLeftovers(
  rest: WcsRest,
  which: readonly WcsLeftover[],
): Promise<readonly WcsLeftover[]> {
  await eachOf(which, maxConcurrent, (leftover) => terminate(rest, leftover));
  const names = new Set(which.map(({ localStreamName }) => localStreamName));
  return (await findLeftovers(rest, () => false)).filter(({ localStreamName }) => names.has(localStreamName));
}

async function terminate(
  rest: WcsRest,
  { localStreamName, remoteStreamName, uri, mediaSessionId }: WcsLeftover,
): Promise<void> {
  try {
    await rest.pull.terminate({ localStreamName, remoteStreamName, uri });
  } catch {
    // Success is checked afterwards; a stream without a pull ends by its own session.
    if (mediaSessionId !== undefined) await rest.stream.terminate([mediaSessionId]).catch(() => undefined);
  }
}
