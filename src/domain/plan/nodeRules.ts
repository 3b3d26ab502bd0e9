import { isOriginSettings, type NodeSettings, type OriginSettings } from '../model/nodeSettings';
import { externalSource, sampleSource, type Plan, type PlanPublish, type Audience } from '../model/plan';
import { audiencesOf } from '../model/distribution';
import { protocolNames, wcsTesterProtocols, type PlayProtocol } from '../model/protocols';
import { tokenPlaceholder } from '../model/viewerTokens';
import { configuredPlay, possiblePlay } from '../node/streamAddresses';
import { referencesIn } from '../secrets/references';
import { pushedStream } from './pushedStream';
import { isRtspSource } from './rtspSource';

/** What an audience or a publication needs of its nodes, as far as their settings show it. */

interface NodeFault {
  readonly field: string;
  readonly sentence: string;
}

type Nodes = Plan['nodes'];

/** The addresses for playing that a server has; undefined for a family whose addresses follow from its API. */
function knownPlay(origin: OriginSettings): Readonly<Partial<Record<PlayProtocol, string>>> | undefined {
  if (origin.server === 'generic') return configuredPlay(origin);
  if (origin.server === 'livekit') return { livekit: origin.url ?? '' };
  return origin.server === 'openvidu' ? {} : undefined;
}

const originOf = (nodes: Nodes, name: string): OriginSettings | undefined => {
  const settings = nodes[name];
  return settings && isOriginSettings(settings) ? settings : undefined;
};

const names = (protocols: readonly PlayProtocol[]): string =>
  protocols.map((protocol) => protocolNames[protocol]).join(', ');

const listed = (protocols: readonly string[]): string =>
  protocols.length === 0 ? 'it has no address of a stream' : `it has ${names(protocols as readonly PlayProtocol[])}`;

/** Why an audience can't be pulled from its origin by its testers; undefined if their settings allow it. */
export function audienceNodeFault(pull: Audience, nodes: Nodes): NodeFault | undefined {
  const { protocol, from, by } = pull;
  const wcs = by.find((name) => isWcs(nodes[name]) && !wcsTesterProtocols.some((each) => each === protocol));
  if (wcs !== undefined)
    return {
      field: 'protocol',
      sentence: `"${wcs}" is a WCS, which pulls over ${wcsTesterProtocols.map((supported) => protocolNames[supported]).join(' and ')}, not over ${protocolNames[protocol]}. Choose another protocol or tester.`,
    };
  const origin = originOf(nodes, from);
  if (!origin) return undefined;
  const play = knownPlay(origin);
  if (play && play[protocol] === undefined)
    return {
      field: 'protocol',
      sentence: `"${from}" has no address to pull from over ${protocolNames[protocol]} (${listed(Object.keys(play))}). Add one to the node, or choose another protocol.`,
    };
  const possible = possiblePlay(origin);
  if (possible && !possible.includes(protocol))
    return {
      field: 'protocol',
      sentence:
        possible.length === 0
          ? `"${from}" can't be pulled from: its server has no protocol that testers support. Add an address of its streams to the node, e.g. "whep".`
          : `"${from}" can't be pulled from over ${protocolNames[protocol]} (possible: ${names(possible)}). Choose another protocol.`,
    };
  if (origin.server === 'lab' && pull.turn !== undefined && pull.turn.url === undefined)
    return { field: 'turn', sentence: `"${from}" is a lab, which lists no TURN server. Add "url", or remove "turn".` };
  if (protocol === 'livekit' && origin.server === 'livekit' && origin.apiKey === undefined)
    return {
      field: 'from',
      sentence: `Viewers join rooms of "${from}" with tokens, which need LiveKit's API key. Add apiKey to the node.`,
    };
  return tokenPlaceFault(pull, play?.[protocol]);
}

/** Where the tokens of viewers go; `address` is that of the stream, if the settings have it. */
function tokenPlaceFault({ tokens, headers = {}, protocol, from }: Audience, address: string | undefined) {
  if (!tokens || address === undefined || referencesIn(address).length > 0) return undefined;
  const isInAddress = [tokenPlaceholder, encodeURIComponent(tokenPlaceholder)].some((form) => address.includes(form));
  const isInHeaders = Object.values(headers).some((value) => value.includes(tokenPlaceholder));
  if (isInAddress && isInHeaders)
    return {
      field: 'tokens',
      sentence: `Both the address of "${from}" and the headers of its viewers have a ${tokenPlaceholder}. Remove one of them.`,
    };
  if (isInAddress || isInHeaders || protocol === 'whep') return undefined;
  return {
    field: 'tokens',
    sentence: `The address of "${from}" over ${protocolNames[protocol]} has no ${tokenPlaceholder} for the token of each viewer, and neither have its headers. Add it.`,
  };
}

const isWcs = (settings: NodeSettings | undefined): boolean =>
  settings !== undefined && 'tester' in settings && settings.tester === 'wcs';

/** Why a publication of a plan can't be made, unless the server lists the stream already; undefined if it can. */
export function publicationNodeFault(publish: PlanPublish, plan: Plan): NodeFault | undefined {
  const { node, by, source, protocol, stream } = publish;
  const origin = originOf(plan.nodes, node);
  if (!origin || source === externalSource) return undefined;
  if (isRtspSource(source)) return undefined;
  if (origin.server === 'openvidu')
    return {
      field: 'node',
      sentence: `"${node}" can't be published to: OpenVidu has its own signalling only. Write "source: external".`,
    };
  const isMadeByServer = origin.server === 'lab' && source === sampleSource;
  const testers = by === undefined ? audiencesOf(plan).flatMap((audience) => audience.by) : [by];
  const isPushed = pushedStream(source) !== undefined;
  // A WCS publishes its own streams only, an agent files and the sample.
  if (!isMadeByServer && testers.length > 0 && testers.every((name) => isWcs(plan.nodes[name]) !== isPushed))
    return {
      field: by === undefined ? 'node' : 'by',
      sentence: isPushed
        ? `"${stream}" is a stream of a WCS, and no tester of this plan is one. Name a WCS by "by".`
        : `"${stream}" has to be published by an agent, and ${by === undefined ? 'each tester of this plan' : `"${by}"`} is a WCS. Name another tester by "by".`,
    };
  if (origin.server !== 'generic') return undefined;
  const { whip, rtmp, rtsp, srt } = origin;
  const addresses: Readonly<Record<string, string | undefined>> = { whip, rtmp, rtsp, srt };
  const known = Object.keys(addresses).filter((name) => addresses[name] !== undefined);
  if (protocol === undefined ? known.length > 0 : known.includes(protocol)) return undefined;
  return {
    field: protocol === undefined ? 'node' : 'protocol',
    sentence: `"${node}" has no address to publish "${stream}" at${protocol === undefined ? '' : ` over ${protocolNames[protocol]}`}. Add ${protocol ?? 'whip or rtmp'} to the node, or write "source: external" for a stream that exists already.`,
  };
}

/** What an audience expects of its origin's TURN server, which is known once viewers connect; undefined if nothing. */
export function listedTurnDoubt({ turn, protocol, from }: Audience, nodes: Nodes): string | undefined {
  const isListed = turn !== undefined && turn.url === undefined && protocol !== 'turn';
  return isListed && originOf(nodes, from)
    ? `${turn.share} % of the viewers need a TURN server that "${from}" lists, which is known once they connect; without one they fail. Write its "url" under "turn" to be sure.`
    : undefined;
}
