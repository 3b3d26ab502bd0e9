import type { Pull, PullTarget } from './pull';
import type { PlanRooms } from '../../domain/model/audienceValues';
import type { Audience } from '../../domain/model/plan';
import { numberedName } from '../../domain/plan/pullRules';
import type { ParticipantTokens, ServerAdapter, ViewerTokens } from '../servers/adapter';
import { FullhouseError } from '../../contract/calls';
import { playAddress } from '../servers/addresses';
import type { Nodes } from './runParts';
import { livekitFix } from '../base/secretPlace';
import { formatViewers } from '../../domain/text/numberFormat';

/**
 * The pull target of an audience on the nodes of its run, whose origin has to be running. Throws a sentence when
 * the origin can't be pulled from that way.
 */
export function pullTargetOf(
  { by, from, stream, protocol, rooms, streams: several, withoutMedia }: Audience,
  nodes: Nodes,
): PullTarget {
  const origin = nodes.get(from);
  if (!origin) throw new FullhouseError('bad-plan', `The plan pulls from "${from}", which is not one of its nodes.`);
  const testers = by.flatMap((name) => {
    const node = nodes.get(name);
    return node ? [{ name, node }] : [];
  });
  const served = origin.streams.find((candidate) => candidate.stream === stream);
  const numbered =
    several === undefined ? [stream] : Array.from({ length: several }, (_, i) => numberedName(stream, i + 1));
  const [url = '', ...others] = numbered.map((name) => playAddress(origin.server, from, name, protocol));
  const target = {
    testers,
    url,
    ...(several === undefined || protocol === 'livekit' ? {} : { urls: inTurn([url, ...others]) }),
    nominalFps: withoutMedia ? undefined : served?.fps,
    allowCrossOrigin: origin.settings.allowCrossOrigin,
    selfSigned: origin.settings.selfSigned,
    proxy: origin.settings.proxy,
    login: protocol === 'whep' ? origin.loginFor?.(url) : undefined,
  };
  if (protocol !== 'livekit' && protocol !== 'whep') return target;
  const { viewerTokens, participantTokens } = origin.server.addresses(stream);
  const eachViewers = several === undefined ? viewerTokens : viewerTokens && tokensInTurn(origin.server, numbered);
  // Servers whose stream is named by the bearer token; a plan may have tokens of its own.
  if (protocol === 'whep') return eachViewers === undefined ? target : { ...target, tokens: eachViewers };
  if (rooms && participantTokens)
    return { ...target, nominalFps: undefined, tokens: roomTokens(stream, rooms, participantTokens) };
  if (!rooms && viewerTokens && participantTokens) return { ...target, tokens: eachViewers };
  throw new FullhouseError(
    'needs-secret',
    `Viewers join a room of ${from} with tokens that require LiveKit's API key and secret; ${livekitFix(from)}.`,
  );
}

/** Tokens of participants in order, each for the next free place of the next room: rooms are never used twice. */
function roomTokens(stream: string, { size }: PlanRooms, tokens: ParticipantTokens): ViewerTokens {
  let participants = 0;
  return (count, withinMs) => {
    const rooms = Array.from({ length: count }, (_, index) =>
      numberedName(stream, Math.floor((participants + index) / size) + 1),
    );
    participants += count;
    return tokens(rooms, withinMs);
  };
}

/** The next items of a list that starts again at its end. */
function inTurn<T>(all: readonly T[]): (count: number) => readonly T[] {
  let taken = 0;
  return (count) => {
    const next = Array.from({ length: Math.min(count, all.length) }, (_, i) => all[(taken + i) % all.length] as T);
    taken += count;
    return next;
  };
}

/** Tokens of viewers of several streams or rooms, in turn. */
function tokensInTurn(server: ServerAdapter, rooms: readonly string[]): ViewerTokens {
  const next = inTurn(rooms);
  return (viewers, withinMs) =>
    Array.from({ length: viewers }, () => next(1)[0] ?? '').flatMap(
      (room) => server.addresses(room).viewerTokens?.(1, withinMs) ?? [],
    );
}

/** One sentence for each tester that refused its share. */
export function refusals(pull: Pull): string[] {
  return pull.jobs.flatMap((job) =>
    job.state === 'failed'
      ? [`${job.tester.name} refused ${formatViewers(job.viewers)}: ${job.problem ?? 'no reason given'}`]
      : [],
  );
}
