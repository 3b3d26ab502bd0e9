import { hasPublisher } from '../../domain/model/node';
import { externalSource, publisherRate, type Plan, type Audience } from '../../domain/model/plan';
import { audiencesOf, viewersPerTester, largestWithin } from '../../domain/model/distribution';
import { publishesOnly } from '../../domain/model/publisherGroup';
import { allAudiences, type NamedAudience } from '../../domain/plan/audiences';
import { pushedStream } from '../../domain/plan/pushedStream';
import { FullhouseError } from '../../contract/calls';
import { waitUntil, type Clock } from '../base/clock';
import { listsStreams, type FleetNode } from '../fleet/node';
import type { PublicationOrder } from '../fleet/publicationOrder';
import type { Publications } from '../fleet/publications';
import type { LoadDriver } from '../load/driver';
import { playAddress } from '../servers/addresses';
import { bFramesSentence } from './bFrames';
import { RefusedShare } from './refusal';
import { formatCount } from '../../domain/text/numberFormat';

const ownStreamMs = 10_000;
const foreignStreamMs = 3000;

/**
 * Prepares all that the plan's audiences need: nodes started, each stream published once, and live. Rejects with one
 * sentence on failure, and ends early when `signal` aborts. `published` has the run's own publications by node and
 * stream; new ones are added at once, so that an abort can end them.
 */
export async function prepare(
  plan: Plan,
  nodes: ReadonlyMap<string, FleetNode>,
  publications: Publications,
  clock: Clock,
  signal: AbortSignal,
  published: Map<string, string>,
): Promise<{ readonly remarks: readonly string[] }> {
  const nodeOf = (name: string): FleetNode => {
    const node = nodes.get(name);
    if (!node) throw new FullhouseError('bad-plan', `The plan uses "${name}", which is not one of its nodes.`);
    return node;
  };
  const isAlone = publishesOnly(plan);
  const names = new Set([
    ...audiencesOf(plan).flatMap(({ from, by }) => [from, ...by]),
    ...plan.publish.flatMap(({ node, by }) => (by === undefined ? [node] : [node, by])),
  ]);
  const aborted = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
  await Promise.race([Promise.all([...names].map((name) => nodeOf(name).start(signal))), aborted]);
  if (signal.aborted) return { remarks: [] };

  for (const audience of allAudiences(plan))
    await ofAudience(plan, audience, () => checkProtocol(audience.pull, nodeOf));
  checkShares(plan, nodeOf);

  const testers = audiencesOf(plan).flatMap((audience) => audience.by);
  const remarks: string[] = [];
  // Publishers alone are the load: they start with the ramp.
  for (const { node, by, ...order } of isAlone ? [] : plan.publish) {
    const { stream, source, publishers } = order;
    if (source === externalSource) continue;
    const origin = nodeOf(node);
    const key = keyOf(node, stream);
    // A server that lists no streams doesn't show it: a second publisher would end the first.
    if (published.has(key) || publications.has(origin, stream)) continue;
    const served = (await origin.server.streams()).some((each) => each.stream === stream && hasPublisher(each));
    if (signal.aborted) return { remarks: [] };
    if (served) continue;
    const publisher = by ?? testers.find((name) => canSend(nodeOf(name).driver, source));
    const tester = publisher === undefined ? undefined : nodeOf(publisher);
    const { job, warnings } = await publications.publish(origin, order, tester);
    remarks.push(...warnings.map((warning) => `${publisher ?? node}: ${warning}`));
    published.set(key, job);
    if (publishers === undefined) continue;
    await waitUntil(clock, () => publications.isLive(job), startTimeMs(order), signal);
    const fault = publications.failedOf(job);
    if (fault) remarks.push(`${fault.failed} of ${fault.of} publishers on ${node} failed: ${fault.problem}`);
  }

  const waits = allAudiences(plan).map((audience) =>
    ofAudience(plan, audience, () => streamRemark(audience.pull, { nodeOf, publications, clock, signal, published })),
  );
  for (const remark of await Promise.all(waits))
    if (remark !== undefined && !remarks.includes(remark)) remarks.push(remark);
  return { remarks };
}

/** Where the stream of an audience comes from. */
interface StreamSources {
  readonly nodeOf: (name: string) => FleetNode;
  readonly publications: Publications;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Publications of the run by node and stream. */
  readonly published: ReadonlyMap<string, string>;
}

/** Waits until the stream of an audience is live; resolves with what is notable about it. */
async function streamRemark(
  pull: Audience,
  { nodeOf, publications, clock, signal, published }: StreamSources,
): Promise<string | undefined> {
  const { stream, from, rooms, streams, withoutMedia } = pull;
  // Participants create their rooms, and of several streams each viewer finds out.
  if (rooms || withoutMedia || streams !== undefined) return undefined;
  const publication = published.get(keyOf(from, stream));
  const origin = nodeOf(from);
  const isThere = (): boolean =>
    origin.streams.some((each) => each.stream === stream && hasPublisher(each)) ||
    (publication !== undefined && publications.isLive(publication));
  // A plain address lists no streams: external streams are assumed to be live.
  if (publication === undefined && !listsStreams(origin)) return undefined;
  const there = await waitUntil(clock, isThere, publication ? ownStreamMs : foreignStreamMs, signal);
  if (signal.aborted) return undefined;
  const served = origin.streams.find((candidate) => candidate.stream === stream);
  if (there) return bFramesSentence(pull, served);
  if (publication)
    throw new FullhouseError(
      'no-stream',
      `Stream ${stream} was published but did not appear on ${from} within ${ownStreamMs / 1000} s.`,
    );
  return `${from} does not list a stream ${stream}; it is pulled anyway`;
}

/** Does something for one audience; an error names the audience if there are several. */
export async function ofAudience<T>(plan: Plan, { name }: NamedAudience, act: () => T | Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof FullhouseError) || audiencesOf(plan).length < 2) throw error;
    throw new FullhouseError(error.code, `Audience ${name}: ${error.message}`, { cause: error });
  }
}

const keyOf = (node: string, stream: string): string => `${node} ${stream}`;

/** A tester without a sample publishes its own streams only. */
function canSend({ publisher }: LoadDriver, source: string): boolean {
  return publisher !== undefined && (pushedStream(source) !== undefined) === (publisher.pushesOwnStreams === true);
}

/** How long several publishers may take to start. */
const startTimeMs = ({ publishers = 1, ratePerSecond = publisherRate }: PublicationOrder): number =>
  (1000 * publishers) / ratePerSecond + ownStreamMs;

/** A tester of another kind does not support the protocol of an audience, or its origin does not. */
function checkProtocol({ protocol, by, from, stream }: Audience, nodeOf: (name: string) => FleetNode): void {
  playAddress(nodeOf(from).server, from, stream, protocol);
  for (const name of by) {
    const { protocols } = nodeOf(name).driver;
    if (!protocols.includes(protocol))
      throw new FullhouseError(
        'no-protocol',
        `${name} supports ${protocols.join(' and ')}, not ${protocol}; choose another protocol or tester.`,
      );
  }
}

function checkShares(plan: Plan, nodeOf: (name: string) => FleetNode): void {
  const [only, ...others] = audiencesOf(plan);
  for (const [name, share] of viewersPerTester(plan)) {
    const node = nodeOf(name);
    const limit = node.driver.viewerLimit;
    if (limit === undefined) continue;
    if (limit === 0 && share > 0)
      throw new RefusedShare(
        { name, node, share },
        `${name} can't run any viewers: its limit of open files is too low; raise it there ("ulimit -n").`,
      );
    const less =
      only && others.length === 0 ? `request at most ${formatCount(largestWithin(limit, name, only))}, ` : '';
    if (share > limit)
      throw new RefusedShare(
        { name, node, share },
        `${name} can run at most ${formatCount(limit)} viewers, but would be assigned ${formatCount(share)}; ${less}raise its limit of open files, or add a tester.`,
      );
  }
}
