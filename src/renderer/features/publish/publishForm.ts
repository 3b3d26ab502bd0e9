import type { PublishKind } from '../../../contract/shell';
import { localSources } from '../../../domain/model/localSources';
import type { NodeView } from '../../../domain/model/node';
import { protocolNames } from '../../../domain/model/protocols';
import { windowProtocols, windowProtocolsOf, type WindowProtocol } from '../../../domain/model/publishMedia';
import type { FieldProblem } from '../../ui/fieldProblem';
import { typedNumber } from '../../ui/format/numbers';
import { maxPublishers } from '../../../domain/model/audienceValues';
import { defaultExpectations, publisherRate, sampleSource, type Plan } from '../../../domain/model/plan';
import { longestMs, untilStopped } from '../../../domain/plan/quantity';
import { planNodeName, settingsOf } from '../../../domain/plan/planNodes';
import { readDuration } from '../../ui/format/durations';
import { isRtspSource, rtspFault } from '../../../domain/plan/rtspSource';
import { streamNameFault } from '../../../domain/plan/streamName';
import { isBuiltIn } from '../../parts/nodes/rowText';

/** Where a stream can be published: the lab always, other nodes if they accept one. */
export function publishTargets(nodes: readonly NodeView[]): readonly NodeView[] {
  const can = nodes.filter(
    (node) => node.role === 'origin' && (node.server === 'lab' || (node.can?.publish.length ?? 0) > 0),
  );
  return [...can.filter((node) => !isBuiltIn(node)), ...can.filter(isBuiltIn)];
}

/** Whether a tester must send the sample: only a lab generates it. */
export function needsSender(target: NodeView): boolean {
  return target.server !== 'lab';
}

const isWcs = ({ settings }: NodeView): boolean =>
  settings !== undefined && 'tester' in settings && settings.tester === 'wcs';

/** Testers that can send a source: the sample any agent, this machine's first; a stream of its own a WCS. */
export function senders(nodes: readonly NodeView[], kind: PublishKind = 'sample-240p'): readonly NodeView[] {
  const testers = nodes.filter(
    (node) => node.role === 'tester' && node.state !== 'failed' && isWcs(node) === (kind === 'stream'),
  );
  return [...testers.filter(isBuiltIn), ...testers.filter((node) => !isBuiltIn(node))];
}

const common: readonly PublishKind[] = [sampleSource, ...localSources];

/** The sources to choose from: those of WCS only where there is one. */
export function offeredSources(target: NodeView | undefined, nodes: readonly NodeView[]): readonly PublishKind[] {
  return [
    ...common,
    ...(senders(nodes, 'stream').length > 0 ? (['stream'] as const) : []),
    ...(target?.can?.capture ? (['rtsp'] as const) : []),
  ];
}

/** What is wrong with the address of a camera; undefined if nothing is. */
export function cameraProblem(address: string): FieldProblem | undefined {
  const sentence = isRtspSource(address)
    ? rtspFault({ stream: address, source: address })
    : 'Enter the address of the camera, e.g. rtsp://camera.example:554/stream.';
  return sentence === undefined ? undefined : { path: 'publish.source', sentence };
}

/** What is wrong with the name of a stream of a tester; undefined if nothing is. */
export function pushedProblem(name: string): FieldProblem | undefined {
  const sentence = name === '' ? 'Enter the name of the stream to send.' : streamNameFault(name);
  return sentence === undefined ? undefined : { path: 'publish.source', sentence };
}

/** Why a source can't be published to this node; undefined when it can. */
export function sourceProblem(target: NodeView, kind: PublishKind, from: readonly NodeView[]): string | undefined {
  if (kind === 'rtsp') return undefined;
  if (kind === 'stream')
    return (target.can?.publish ?? []).includes('rtmp')
      ? undefined
      : `A WCS sends its streams over RTMP, which ${target.name} does not support.`;
  if (kind === 'sample-240p')
    return needsSender(target) && from.length === 0 ? 'No tester available to send it.' : undefined;
  return windowProtocolsOf(target.can?.publish).length > 0
    ? undefined
    : `Publishing from the window needs ${namesOf(windowProtocols)}, none of which ${target.name} supports.`;
}

/** `WHIP, RTMP or SRT` */
const namesOf = (protocols: readonly WindowProtocol[]): string => {
  const names = protocols.map((protocol) => protocolNames[protocol]);
  return `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`;
};

/** Several publishers as typed; none if it is one. */
export function readPublishers(
  count: string,
  rate: string,
): { readonly publishers?: number; readonly ratePerSecond?: number; readonly problem?: FieldProblem } {
  const [publishers, ratePerSecond] = [typedNumber(count), typedNumber(rate)];
  const problem = (sentence: string) => ({ problem: { path: 'publish.publishers', sentence } });
  if (publishers === undefined || !Number.isInteger(publishers) || publishers < 1 || publishers > maxPublishers)
    return problem(`Enter a number of publishers from 1 to ${maxPublishers}.`);
  if (publishers === 1) return {};
  if (!ratePerSecond) return problem('Enter how many publishers start per second, e.g. 20.');
  return { publishers, ratePerSecond };
}

/** The hold of publishers that are recorded as a run; nothing if the field is empty. 0: until stopped. */
export function readPublishersHold(text: string): { readonly holdMs?: number; readonly problem?: FieldProblem } {
  if (text.trim() === '') return {};
  if (text.trim().toLowerCase().replace(' ', '-') === untilStopped) return { holdMs: 0 };
  const holdMs = readDuration(text);
  if (holdMs && holdMs <= longestMs) return { holdMs };
  return { problem: { path: 'publish.hold', sentence: 'Enter a hold with its unit, e.g. 60 s, 2 min or 1 h.' } };
}

/** What publishers alone send where. */
export interface PublishersLoad {
  readonly stream: string;
  readonly publishers: number;
  readonly ratePerSecond?: number | undefined;
  readonly holdMs: number;
}

/** The plan of a run with publishers alone: the sample from a tester to a server. */
export function publishersPlan(
  target: NodeView,
  tester: NodeView,
  { stream, publishers, ratePerSecond = publisherRate, holdMs }: PublishersLoad,
): Plan {
  const [node, by] = [planNodeName(target), planNodeName(tester)];
  return {
    name: `Publish ${publishers}`,
    nodes: { [node]: settingsOf(target), [by]: settingsOf(tester) },
    publish: [{ stream, node, source: sampleSource, by, publishers, ratePerSecond, holdMs }],
    expect: defaultExpectations,
  };
}
