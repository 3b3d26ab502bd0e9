import { pullFields } from '../../../../domain/plan/fields/pull';
import type { NodeView } from '../../../../domain/model/node';
import type { PlanPublish, Audience } from '../../../../domain/model/plan';
import { planNodeName } from '../../../../domain/plan/planNodes';
import { pulledNameFault, streamNameFault } from '../../../../domain/plan/streamName';
import type { FieldProblem } from '../../../ui/fieldProblem';
import { chosen } from '../../../ui/format/numbers';
import type { AudienceForm } from '../pullFormFields';
import { protocolsFor, pullOrigins } from '../pullNodes';
import { readAmount } from './amounts';
import { networkFormOf, readNetwork, realNetwork } from './networkForm';

let lastKey = 0;
const nextKey = (): number => (lastKey += 1);

/** A new row, like the first audience. */
export function newAudience(
  like: Pick<AudienceForm, 'origin' | 'stream' | 'protocol' | 'viewers' | 'rate'>,
): AudienceForm {
  const { origin, stream, protocol, viewers, rate } = like;
  return { origin, stream, protocol, viewers, rate, key: nextKey(), network: realNetwork, label: '', kept: {} };
}

/** The row of an audience, next to the first one. */
export function audienceFormOf(pull: Audience, origin: NodeView, first: Audience): AudienceForm {
  const { from: _, stream, protocol, network, label, by, holdMs, ...others } = pull;
  const isByFirst = by.join('\n') === first.by.join('\n');
  return {
    ...{ key: nextKey(), origin: origin.id, stream, protocol, label: label ?? '' },
    viewers: chosen(pull.viewers),
    rate: chosen(pull.ratePerSecond),
    network: networkFormOf(network),
    kept: {
      ...others,
      ...(isByFirst ? {} : { by }),
      ...(holdMs === first.holdMs && pull.stages === undefined && pull.search === undefined ? {} : { holdMs }),
    },
  };
}

/** Stages and a search define viewers and rate. */
export const hasProfile = ({ kept }: AudienceForm): boolean => kept.stages !== undefined || kept.search !== undefined;

export interface ReadAudiences {
  readonly pulls: readonly Audience[];
  /** The nodes to pull from. */
  readonly origins: readonly NodeView[];
  /** Samples that are published first. */
  readonly publish: readonly PlanPublish[];
  readonly problems: readonly FieldProblem[];
}

/** The audiences of the rows; `first` is the plan's first one, `testers` are its testers. */
export function readAudiences(
  rows: readonly AudienceForm[],
  nodes: readonly NodeView[],
  testers: readonly NodeView[],
  first: Pick<Audience, 'by' | 'holdMs'>,
): ReadAudiences {
  const problems: FieldProblem[] = [];
  const origins: NodeView[] = [];
  const publish: PlanPublish[] = [];
  const pulls = rows.flatMap((row, place): Audience[] => {
    const before = problems.length;
    const add = (field: string, sentence: string): void => {
      problems.push({ path: `also.${place}.${field}`, sentence });
    };
    const amount = (field: 'viewers' | 'rate', name: 'viewers' | 'ratePerSecond'): number => {
      const kept = row.kept[name];
      if (hasProfile(row) && kept !== undefined) return kept;
      const value = readAmount(pullFields[name].kind.bounds, row[field]);
      if (typeof value === 'number') return value;
      add(field, value);
      return 1;
    };
    const origin = pullOrigins(nodes).find(({ id }) => id === row.origin);
    const viewers = amount('viewers', 'viewers');
    const ratePerSecond = amount('rate', 'ratePerSecond');
    const protocols = protocolsFor(origin, testers);
    const protocol = protocols.find((protocol) => protocol === row.protocol) ?? protocols[0];
    const stream = row.stream.trim();
    const { network, problem } = readNetwork(row.network);
    if (problem) add('network', problem.sentence);
    if (!origin) add('from', 'Choose an origin.');
    else if (!protocol) add('protocol', `${origin.name} serves no protocol that these testers can pull.`);
    const fault = streamNameFault(stream) ?? (protocol && pulledNameFault(stream, protocol));
    if (fault !== undefined) add('stream', fault);
    if (!origin || !protocol || problems.length > before) return [];
    origins.push(origin);
    const from = planNodeName(origin);
    const served = origin.streams.find((each) => each.stream === stream);
    if (origin.server === 'lab' && (!served || served.source === 'sample-240p'))
      publish.push({ stream, node: from, source: 'sample-240p' });
    return [
      {
        ...first,
        ...row.kept,
        ...{ stream, from, protocol, viewers, ratePerSecond },
        ...(network ? { network } : {}),
        ...(row.label.trim() ? { label: row.label.trim() } : {}),
      },
    ];
  });
  return { pulls, origins, publish, problems };
}
