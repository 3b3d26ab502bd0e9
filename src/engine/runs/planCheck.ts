import type { StreamView } from '../../domain/model/node';
import type { PlanRooms } from '../../domain/model/audienceValues';
import { sampleSource, type Plan, type Audience } from '../../domain/model/plan';
import { clientsOf, clientsPerTester, loadSize } from '../../domain/model/publisherGroup';
import { audiencesOf, largestWithin } from '../../domain/model/distribution';
import { networkFault } from '../../domain/plan/networkFaults';
import { protocolFaults, testerFault } from '../../domain/plan/optionRules';
import { turnFault } from '../../domain/plan/turnRules';
import { headersFault } from '../../domain/plan/headerRules';
import { tokensFault } from '../../domain/plan/tokenRules';
import { severalAudiences } from '../../domain/plan/audiences';
import {
  publishesSample,
  numberedName,
  roomsFault,
  streamsFault,
  layersFault,
  tracksFault,
  withoutMediaFault,
} from '../../domain/plan/pullRules';
import { rtspFault } from '../../domain/plan/rtspSource';
import { loadFault, noLoad, publishFault } from '../../domain/plan/publishRules';
import { viewerExpectations } from '../../domain/plan/viewerExpectations';
import { audienceNodeFault } from '../../domain/plan/nodeRules';
import { pulledNameFault } from '../../domain/plan/streamName';
import { addressFaults } from '../../domain/node/addressFault';
import { examplePlanFault } from '../../domain/node/exampleAddress';
import { neededNodes } from '../../domain/node/unreachable';
import { withDerived } from '../../domain/stages/derived';
import { searchFault, stageFault } from '../../domain/plan/stageFaults';
import { spareFiles, viewerLimitText, type TesterCapacity } from '../../domain/tester/viewerLimit';
import { bFramesSentence } from './bFrames';
import { formatCount, formatRounded } from '../../domain/text/numberFormat';

export interface PlanProblem {
  readonly path: string;
  readonly sentence: string;
  /** A valid value for the field. */
  readonly suggestion?: number;
}

export interface PlanCheck {
  readonly problems: readonly PlanProblem[];
  /** Bandwidth of all audiences whose bitrate is known. */
  readonly expectedMbps?: number;
  readonly expectedPacketsPerSecond?: number;
  /** Names of the other audiences. */
  readonly unknownBitrates?: string[];
  readonly checks: readonly PlanFact[];
}

/** One check before the start. */
export interface PlanFact {
  /** It was checked, and the run can rely on it. */
  readonly good: boolean;
  /** It can't be checked from here: neither good nor bad. */
  readonly isUnknown?: true;
  readonly sentence: string;
  /** The fix. `publish`: the plan publishes a sample under the stream's name. */
  readonly fix?: 'publish';
}

/** Capabilities of the host and the nodes, as known before they are started. */
export interface PlanFacts {
  /** The stream as its origin serves it now. */
  readonly stream?: StreamView;
  /** Those of the further audiences. */
  readonly otherStreams?: ReadonlyArray<StreamView | undefined>;
  /** A node's display name, by the plan's name; default: the plan's name. */
  readonly names?: ReadonlyMap<string, string>;
  /** Max viewers of a tester by the plan's name, once its agent has reported it; a WCS enforces none. */
  readonly viewerLimits: ReadonlyMap<string, number>;
  /** A tester's estimated capacity, by its name in the plan. */
  readonly capacities?: ReadonlyMap<string, TesterCapacity>;
  /** Max open files of an agent, by the tester's name in the plan. */
  readonly openFiles: ReadonlyMap<string, number>;
  /** Number of ephemeral ports, when testers of this machine take part. */
  readonly ports?: number;
  /** Why nodes of the plan can't be used now, by the plan's name, each one sentence with the fix. */
  readonly unreachable?: ReadonlyMap<string, string>;
  /** A sample can be published to the origin, by itself or by a tester of the plan. */
  readonly canPublish?: boolean;
  /** The origin can't list its streams. */
  readonly isSilent?: boolean;
  /** The latest iperf3 result for sending from the origin. */
  readonly capacityMbps?: number;
}

/** What one viewer of the lab's sample receives: the mean of 1,000 viewers over 15 s. */
export const sample240p = { bitrateKbps: 127, packetsPerSecond: 44 } as const;

/** Faults of a plan that are independent of machines; parsing its text finds the same ones. */
export function planProblems(plan: Plan): PlanProblem[] {
  const problems: PlanProblem[] = [];
  const node = (name: string): 'origin' | 'tester' | undefined => {
    const settings = plan.nodes[name];
    return settings && ('server' in settings ? 'origin' : 'tester');
  };
  const add = (path: string, sentence: string): void => void problems.push({ path, sentence });
  const example = examplePlanFault(plan);
  if (example !== undefined) add('nodes', example);
  for (const [name, settings] of Object.entries(plan.nodes))
    for (const { key, sentence } of addressFaults(settings)) add(`nodes.${name}.${key}`, sentence);
  const audiences = audiencesOf(plan);
  audiences.forEach((pull, place) => {
    const path = place === 0 ? 'pull' : `also.${place - 1}`;
    if (node(pull.from) !== 'origin')
      add(`${path}.from`, `"${pull.from}" is not an origin of this plan; name a node with a server.`);
    pull.by.forEach((name, index) => {
      if (node(name) !== 'tester')
        add(`${path}.by.${index}`, `"${name}" is not a tester of this plan; name a node with a tester.`);
      if (pull.by.indexOf(name) !== index) add(`${path}.by.${index}`, `"${name}" is named twice.`);
    });
    for (const name of Object.keys(pull.weights ?? {}))
      if (!pull.by.includes(name))
        add(`${path}.weights`, `"${name}" has a weight but is not a tester of this audience.`);
    for (const { field, sentence } of protocolFaults(pull)) add(`${path}.${field}`, sentence);
    const ofTracks = tracksFault(pull);
    if (ofTracks !== undefined) add(`${path}.tracks`, ofTracks);
    const ofMedia = withoutMediaFault(pull);
    if (ofMedia !== undefined) add(`${path}.withoutMedia`, ofMedia);
    const ofLayers = layersFault(pull);
    if (ofLayers) add(`${path}.${ofLayers.field}`, ofLayers.sentence);
    const ofNetwork = pull.network && networkFault(pull.network);
    if (ofNetwork)
      add(`${path}.network${ofNetwork.step === undefined ? '' : `.steps.${ofNetwork.step}`}`, ofNetwork.sentence);
    const ofTesters = testerFault(pull, plan.nodes);
    if (ofTesters) add(`${path}.${ofTesters.field}`, ofTesters.sentence);
    const ofTurn = turnFault(pull);
    if (ofTurn !== undefined) add(`${path}.turn`, ofTurn);
    const ofTokens = tokensFault(pull);
    if (ofTokens !== undefined) add(`${path}.tokens`, ofTokens);
    const ofHeaders = headersFault(pull);
    if (ofHeaders !== undefined) add(`${path}.headers`, ofHeaders);
    const inName = pulledNameFault(pull.stream, pull.protocol);
    if (inName !== undefined) add(`${path}.stream`, inName);
    const ofStreams = streamsFault(pull);
    if (ofStreams !== undefined) add(`${path}.streams`, ofStreams);
    const ofNodes = audienceNodeFault(pull, plan.nodes);
    if (ofNodes) add(`${path}.${ofNodes.field}`, ofNodes.sentence);
    const inRooms = roomsFault(pull);
    if (inRooms) add(`${path}.${inRooms.field}`, inRooms.sentence);
    const fault = loadProfileFault(pull);
    if (fault) add(`${path}.${fault.path}`, fault.sentence);
  });
  if (audiences.filter(({ search }) => search !== undefined).length > 1)
    add('also', 'Two audiences search for the limit and would disturb each other. Remove one of them.');
  plan.publish.forEach((publication, index) => {
    const { node: name, stream } = publication;
    const ofRtsp = rtspFault(publication);
    if (ofRtsp !== undefined) add(`publish.${index}.source`, ofRtsp);
    const fault = publishFault(publication, plan.nodes);
    if (fault) add(`publish.${index}.${fault.field}`, fault.sentence);
    const ofLoad = loadFault(publication, plan);
    if (ofLoad) add(`publish.${index}.${ofLoad.field}`, ofLoad.sentence);
    if (node(name) !== 'origin') add(`publish.${index}.node`, `"${name}" is not an origin of this plan.`);
    const twice = plan.publish.findIndex((other) => other.stream === stream && other.node === name) !== index;
    if (twice) add(`publish.${index}.stream`, `"${stream}" is published twice.`);
  });
  const without = noLoad(plan);
  if (without !== undefined) add('pull', without);
  for (const { key, place, sentence } of viewerExpectations(plan))
    add(place === undefined ? `expect.${key}` : `stopWhen.${place}`, sentence);
  for (const list of ['thresholds', 'stopWhen'] as const)
    plan[list]?.forEach((entry, index) => {
      if (entry.node !== undefined && !node(entry.node))
        add(`${list}.${index}.node`, `This plan has no node "${entry.node}".`);
    });
  return problems;
}

/** What is impossible in an audience's load profile. */
function loadProfileFault(pull: Audience): PlanProblem | undefined {
  const { stages, search } = pull;
  if (!stages && !search) return undefined;
  if (stages && search)
    return { path: 'search', sentence: 'An audience has either stages or a limit search, not both.' };
  const inStages = stages && stageFault(stages);
  if (inStages) return { path: `stages.${inStages.stage ?? 0}`, sentence: inStages.sentence };
  const inSearch = search && searchFault(search);
  if (inSearch) return { path: 'search', sentence: inSearch.sentence };
  // Shares and limits are computed from these fields: they must match the load profile.
  const { viewers, ratePerSecond } = withDerived(pull);
  if (viewers === pull.viewers && Math.abs(ratePerSecond - pull.ratePerSecond) < 1e-6 * ratePerSecond) return undefined;
  return {
    path: 'viewers',
    sentence: `The load profile has up to ${formatCount(viewers)} viewers at ${formatRounded(ratePerSecond)}/s, but the plan contains ${formatCount(pull.viewers)} at ${formatRounded(pull.ratePerSecond)}/s.`,
  };
}

/** What is known of the stream to pull: good only if it is live, or if this plan publishes it. */
function streamFact(
  stream: string,
  origin: string,
  isPublished: boolean,
  { stream: served, isSilent, canPublish }: PlanFacts,
): PlanFact {
  if (served) {
    const rate = served.bitrateKbps;
    return {
      good: true,
      sentence:
        rate === undefined
          ? `Stream ${stream} is live on ${origin}.`
          : `Stream ${stream} is live on ${origin}: ${formatRounded(rate / 1000)} Mbit/s per viewer.`,
    };
  }
  if (isPublished) return { good: true, sentence: `This plan publishes ${stream} on ${origin} first.` };
  if (isSilent)
    return {
      good: false,
      isUnknown: true,
      sentence: `${origin} can't list its streams: whether ${stream} is live is unknown.`,
    };
  return {
    good: false,
    sentence: `No stream ${stream} on ${origin}, and this plan does not publish it.`,
    ...(canPublish ? { fix: 'publish' } : {}),
  };
}

function roomsFact({ stream, viewers }: Audience, { size }: PlanRooms, origin: string): PlanFact {
  const rooms = viewers / size;
  const names = rooms === 1 ? numberedName(stream, 1) : `${numberedName(stream, 1)} to ${numberedName(stream, rooms)}`;
  return {
    good: true,
    sentence: `The participants create ${names} on ${origin}; each publishes, and receives ${size - 1} others.`,
  };
}

/** What a plan would need and do, for the plan editor. */
export function checkPlan(plan: Plan, facts: PlanFacts): PlanCheck {
  const problems = planProblems(plan);
  const checks: PlanFact[] = [];
  const { pull } = plan;
  const clients = clientsOf(plan);
  const audiences = audiencesOf(plan);

  for (const { name, path } of neededNodes(plan)) {
    const sentence = facts.unreachable?.get(name);
    if (sentence !== undefined) problems.push({ path, sentence });
  }
  for (const [name, share] of clientsPerTester(plan)) {
    const reported = facts.viewerLimits.get(name);
    const called = facts.names?.get(name) ?? name;
    const files = facts.openFiles.get(name);
    if (files !== undefined)
      checks.push({
        good: files >= share + spareFiles,
        sentence: `Open files on ${called}: ${formatCount(files)}; this job needs ${formatCount(share + spareFiles)}.`,
      });
    const machineCapacity = facts.capacities?.get(name);
    if (machineCapacity && (machineCapacity.basis !== 'reported' || reported === undefined))
      checks.push({
        good: share <= machineCapacity.viewers,
        sentence: `${called} ${viewerLimitText(machineCapacity)}; this job assigns it ${formatCount(share)}.`,
      });
    const limit = reported ?? (files === undefined ? undefined : Math.max(0, files - spareFiles));
    if (limit !== undefined && share > limit)
      problems.push({
        path: pull ? 'pull.viewers' : 'publish.0.publishers',
        sentence:
          limit > 0
            ? `${called} can run at most ${formatCount(limit)} ${clients}, but would be assigned ${formatCount(share)}.`
            : `${called} can't run any ${clients}: its limit of open files is too low; raise it there.`,
        ...(limit > 0 && pull && audiences.length === 1 ? { suggestion: largestWithin(limit, name, pull) } : {}),
      });
  }
  const all = loadSize(plan);
  if (facts.ports !== undefined)
    checks.push({
      good: facts.ports > all,
      sentence: `Local ports of this machine: ${formatCount(facts.ports)}; this job needs ${formatCount(all)}, one per ${clients.slice(0, -1)}.`,
    });

  if (pull) checks.push(...streamFacts(plan, pull, facts));
  const needs = needsOf(plan, facts);
  const known = needs.filter(({ mbps }) => mbps !== undefined);
  const sumOf = (list: readonly Need[]): number | undefined =>
    list.length > 0 ? list.reduce((sum, { mbps = 0 }) => sum + mbps, 0) : undefined;
  const needMbps = sumOf(known.filter((need) => need.from === pull?.from));
  const expectedMbps = sumOf(known);
  const packets = known.reduce((sum, need) => sum + (need.packetsPerSecond ?? 0), 0);
  const names = severalAudiences(plan).map(({ name }) => name);
  const unknown = names.filter((_, place) => needs[place]?.mbps === undefined);
  if (facts.capacityMbps !== undefined && needMbps !== undefined)
    checks.push({
      good: needMbps <= facts.capacityMbps,
      sentence: `Link of ${pull?.from ?? ''}: iperf3 measured ${formatRounded(facts.capacityMbps)} Mbit/s; this job needs ${formatRounded(needMbps)}.`,
    });
  return {
    problems,
    checks,
    ...(expectedMbps === undefined ? {} : { expectedMbps }),
    ...(packets > 0 ? { expectedPacketsPerSecond: Math.round(packets) } : {}),
    ...(expectedMbps !== undefined && unknown.length > 0 ? { unknownBitrates: unknown } : {}),
  };
}

/** What is known of the stream of the first audience. */
function streamFacts(plan: Plan, pull: Audience, facts: PlanFacts): readonly PlanFact[] {
  const { rooms, from, stream, withoutMedia } = pull;
  const origin = facts.names?.get(from) ?? from;
  const isSample = isSampleOf(plan, pull);
  const fact = rooms ? roomsFact(pull, rooms, origin) : streamFact(stream, origin, isSample, facts);
  const ofBFrames = bFramesSentence(pull, facts.stream);
  return [...(withoutMedia ? [] : [fact]), ...(ofBFrames === undefined ? [] : [{ good: false, sentence: ofBFrames }])];
}

const isSampleOf = (plan: Plan, pull: Audience): boolean =>
  pull.rooms ? pull.rooms.source === sampleSource : publishesSample(plan, pull);

/** What an audience receives at its peak, where the bitrate of its stream is known. */
interface Need {
  readonly from: string;
  readonly mbps?: number;
  readonly packetsPerSecond?: number;
}

function needsOf(plan: Plan, { stream, otherStreams = [] }: PlanFacts): readonly Need[] {
  return audiencesOf(plan).map((pull, place) => {
    const served = place === 0 ? stream : otherStreams[place - 1];
    const each = served?.bitrateKbps ? served : isSampleOf(plan, pull) ? sample240p : undefined;
    const { from, rooms, videos = 1, viewers, tracks } = pull;
    if (pull.withoutMedia) return { from, mbps: 0 };
    // The bitrate of a stream is that of audio and video together.
    if (each?.bitrateKbps === undefined || tracks === 'audio') return { from };
    // In a room each participant receives all others.
    const received = viewers * (rooms ? rooms.size - 1 : videos);
    return {
      from,
      mbps: (each.bitrateKbps * received) / 1000,
      ...(each.packetsPerSecond ? { packetsPerSecond: each.packetsPerSecond * received } : {}),
    };
  });
}
