import {
  externalSource,
  sampleSource,
  simulcastProtocols,
  type Plan,
  type PlanPublish,
  type PublisherProtocol,
} from '../model/plan';
import { protocolNames } from '../model/protocols';
import { labProtocols } from '../model/serverFamilies';
import { maxPublishers, type PlanSearch } from '../model/audienceValues';
import { formatCount } from '../text/numberFormat';
import { numberedName } from './pullRules';
import { searchFault } from './stageFaults';
import { pushedStream } from './pushedStream';
import { isRtspSource } from './rtspSource';

interface PublishFault {
  readonly field:
    'simulcast' | 'dynacast' | 'oneRoom' | 'protocol' | 'source' | 'publishers' | 'by' | 'hold' | 'search';
  readonly sentence: string;
}

/** Why publishers can't do what a plan requests of them; undefined if they can. */
export function publishFault(publish: PlanPublish, nodes: Plan['nodes']): PublishFault | undefined {
  const ofLayers = simulcastFault(publish);
  if (ofLayers !== undefined) return { field: 'simulcast', sentence: ofLayers };
  const ofLab = labFault(publish, nodes);
  if (ofLab) return ofLab;
  if (publish.dynacast && publish.protocol !== 'livekit')
    return {
      field: 'dynacast',
      sentence: 'Dynacast needs LiveKit’s own signalling. Write "protocol: livekit", or remove "dynacast".',
    };
  const inRoom = oneRoomFault(publish, nodes);
  return inRoom === undefined ? undefined : { field: 'oneRoom', sentence: inRoom };
}

/**
 * Why a publication does not fit a plan with or without an audience; undefined if it does. Without one the publishers
 * are the load, so their number, tester and hold time have to be known.
 */
export function loadFault(
  publish: PlanPublish,
  { pull, publish: all }: Pick<Plan, 'pull' | 'publish'>,
): PublishFault | undefined {
  const { stream, source, publishers, by, holdMs, search } = publish;
  if (search) {
    const fault = searchFaultOf(
      publish,
      search,
      pull ? 'with an audience' : all.length > 1 ? 'one of several' : undefined,
    );
    if (fault) return fault;
  } else if (pull)
    return holdMs === undefined
      ? undefined
      : {
          field: 'hold',
          sentence: `"${stream}" is published until the last viewer has disconnected. Remove "hold", or remove "pull" to test with publishers alone.`,
        };
  if (source === externalSource || isRtspSource(source))
    return {
      field: 'source',
      sentence: `Without "pull" the publishers are the load, and a tester has to publish "${stream}". Write ${sampleSource} or the path of a video file, or add "pull".`,
    };
  if (publishers === undefined && !search)
    return {
      field: 'publishers',
      sentence: `Without "pull" the publishers are the load. Write how many publish "${stream}", e.g. publishers: 100, or add "pull".`,
    };
  if (by === undefined)
    return { field: 'by', sentence: `Without "pull" the tester that publishes "${stream}" has to be named. Add "by".` };
  return holdMs === undefined && !search
    ? {
        field: 'hold',
        sentence: 'Write how long all publishers are held, e.g. hold: 60s, or until-stopped.',
      }
    : undefined;
}

/** Why publishers can't be searched for their largest number; undefined if they can. */
function searchFaultOf(
  { publishers, holdMs, oneRoom }: PlanPublish,
  search: PlanSearch,
  beside: 'with an audience' | 'one of several' | undefined,
): PublishFault | undefined {
  const ofSizes = searchFault(search, 'publishers');
  if (ofSizes) return { field: 'search', sentence: ofSizes.sentence };
  if (search.maxViewers > maxPublishers)
    return {
      field: 'search',
      sentence: `${formatCount(search.maxViewers)} publishers are too many for one tester; the maximum is ${formatCount(maxPublishers)}.`,
    };
  if (beside === 'with an audience')
    return {
      field: 'search',
      sentence: 'Publishers are searched for in a plan without "pull" only. Move "search" to "pull", or remove "pull".',
    };
  if (beside === 'one of several')
    return {
      field: 'search',
      sentence: 'A search for the number of publishers is the only load of its plan. Remove the other entries.',
    };
  if (publishers !== undefined || holdMs !== undefined) {
    const field = publishers === undefined ? 'hold' : 'publishers';
    return { field, sentence: `A search sets the number of publishers and the duration itself. Remove "${field}".` };
  }
  return oneRoom
    ? { field: 'oneRoom', sentence: 'A search gives each publisher a stream of its own name. Remove "oneRoom".' }
    : undefined;
}

/** Why a plan has no load: neither an audience nor a number of publishers; undefined if it has one. */
export function noLoad({ pull, publish }: Pick<Plan, 'pull' | 'publish'>): string | undefined {
  if (pull || publish.some(({ publishers, holdMs, search }) => (publishers ?? holdMs ?? search) !== undefined))
    return undefined;
  return '"pull" is missing. Define the stream, the origin, the testers and the viewers; or, for publishers alone, "publishers", "by" and "hold" of "publish".';
}

/** The lab is started for the run: nothing publishes to it in another way. */
function labFault({ node, protocol, source }: PlanPublish, nodes: Plan['nodes']): PublishFault | undefined {
  const origin = nodes[node];
  const isLab = origin !== undefined && 'server' in origin && origin.server === 'lab';
  const allowed: readonly PublisherProtocol[] = labProtocols.publish;
  if (!isLab || source === externalSource) return undefined;
  if (isRtspSource(source))
    return { field: 'source', sentence: `"${node}" is a lab, which can't pull RTSP addresses. Choose another server.` };
  if (protocol === undefined || allowed.includes(protocol)) return undefined;
  const names = allowed.map((protocol) => protocolNames[protocol]).join(', ');
  return {
    field: 'protocol',
    sentence: `"${node}" can't be published to over ${protocolNames[protocol]} (possible: ${names}). Remove "protocol", or choose another server.`,
  };
}

function simulcastFault({ simulcast, source, protocol }: PlanPublish): string | undefined {
  if (simulcast === undefined) return undefined;
  if (simulcast.length === 0) return 'Write the paths of the smaller files, or remove "simulcast".';
  if (source === externalSource || isRtspSource(source) || pushedStream(source) !== undefined)
    return 'Simulcast needs a video file or the sample as its source. Remove "simulcast", or change the source.';
  const protocols: readonly PublisherProtocol[] = simulcastProtocols;
  return protocol === undefined || protocols.includes(protocol)
    ? undefined
    : `Simulcast is published over ${simulcastProtocols.join(' and ')} only, not over ${protocol}. Remove "simulcast", or change the protocol.`;
}

function oneRoomFault({ oneRoom, publishers, node }: PlanPublish, nodes: Plan['nodes']): string | undefined {
  if (!oneRoom) return undefined;
  if (publishers === undefined) return 'One publisher has a room of its own. Write "publishers", or remove "oneRoom".';
  const origin = nodes[node];
  return origin && 'server' in origin && origin.server !== 'livekit'
    ? `Only LiveKit has rooms with several publishers, "${node}" does not. Remove "oneRoom".`
    : undefined;
}

/** The name of each publisher's stream; those of one room publish the same. */
export const publishedStreams = ({
  stream,
  publishers,
  oneRoom,
  firstNumber = 1,
}: Pick<PlanPublish, 'stream' | 'publishers' | 'oneRoom'> & {
  /** The number of the first one. */
  readonly firstNumber?: number;
}): readonly string[] =>
  publishers === undefined
    ? [stream]
    : Array.from({ length: publishers }, (_, index) => (oneRoom ? stream : numberedName(stream, firstNumber + index)));
