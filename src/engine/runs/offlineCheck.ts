import { audiencesOf } from '../../domain/model/distribution';
import { isOriginSettings } from '../../domain/model/nodeSettings';
import type { Plan } from '../../domain/model/plan';
import { publishesOnly } from '../../domain/model/publisherGroup';
import { listedTurnDoubt, publicationNodeFault } from '../../domain/plan/nodeRules';
import { unmeasuredExpectations } from '../../domain/plan/unmeasured';
import { variableOf } from '../../domain/secrets/secretVariable';
import type { SecretBox } from '../secrets/secretBox';
import { unresolvedIn } from '../secrets/resolve';
import { checkPlan, type PlanProblem } from './planCheck';
import { fileProblems } from './planFiles';

/** What is known of this machine, and of the secrets that a run would have. */
export interface OfflineFacts {
  readonly secrets: Pick<SecretBox, 'value' | 'of'>;
  /** Max open files of a process here; undefined: not known. */
  readonly openFiles: number | undefined;
  /** Number of its ephemeral ports. */
  readonly ports: number | undefined;
}

export interface OfflineCheck {
  /** A run would fail, each with its place in the plan. */
  readonly faults: readonly PlanProblem[];
  /** A run may be inconclusive, or depends on what the servers have then. */
  readonly doubts: readonly PlanProblem[];
}

/**
 * All that is known of a plan without its run. Nothing is contacted, nothing is started. Of files that the plan names
 * inventories are read, the lines of a list of tokens are counted, and the first bytes of a media file are compared.
 */
export function checkOffline(plan: Plan, { secrets, openFiles, ports }: OfflineFacts): OfflineCheck {
  const testersHere = Object.entries(plan.nodes).flatMap(([name, settings]) =>
    'tester' in settings && settings.tester === 'local' ? [name] : [],
  );
  const { problems, checks } = checkPlan(plan, {
    viewerLimits: new Map(),
    openFiles: new Map(openFiles === undefined ? [] : testersHere.map((name) => [name, openFiles])),
    ...(ports !== undefined && testersHere.length > 0 ? { ports } : {}),
    // Whether a stream is live is known once its server is asked.
    isSilent: true,
  });
  const isAlone = publishesOnly(plan);
  // Elsewhere the stream may exist already.
  const ofPublications = plan.publish.flatMap((publish, index) => {
    const fault = publicationNodeFault(publish, plan);
    return fault ? [{ path: `publish.${index}.${fault.field}`, sentence: fault.sentence }] : [];
  });
  const faults = [
    ...problems,
    ...(isAlone ? ofPublications : []),
    ...fileProblems(plan),
    ...unresolvedIn(plan, secrets),
    ...missingSecrets(plan, secrets),
  ];
  const isFaulty = (path: string): boolean => faults.some((fault) => fault.path === path);
  // What exceeds the limit of open files is a fault already.
  const isFault = (sentence: string): boolean => faults.length > 0 && /^Open files /.test(sentence);
  return {
    faults,
    doubts: [
      ...checks
        .filter(({ good, isUnknown, sentence }) => !good && !isUnknown && !isFault(sentence))
        .map(({ sentence }) => ({ path: isAlone ? 'publish.0.publishers' : 'pull.viewers', sentence })),
      ...(isAlone ? [] : ofPublications),
      ...audiencesOf(plan).flatMap((pull, place) => {
        const sentence = isFaulty(`${pathOf(place)}.turn`) ? undefined : listedTurnDoubt(pull, plan.nodes);
        return sentence === undefined ? [] : [{ path: `${pathOf(place)}.turn`, sentence }];
      }),
      ...unmeasuredExpectations(plan),
    ],
  };
}

/** Path of an audience by its place in the plan. */
const pathOf = (place: number): string => (place === 0 ? 'pull' : `also.${place - 1}`);

/** Secrets without which a server of the plan can't be used. */
function missingSecrets(plan: Plan, secrets: Pick<SecretBox, 'of'>): PlanProblem[] {
  const joined = new Set(audiencesOf(plan).flatMap(({ from, protocol }) => (protocol === 'livekit' ? [from] : [])));
  return Object.entries(plan.nodes).flatMap(([name, settings]) => {
    if (!isOriginSettings(settings)) return [];
    const { server, apiKey, apiSecret, httpPassword } = settings;
    const known = secrets.of(name);
    if (server === 'livekit' && joined.has(name) && apiKey !== undefined && !apiSecret && !known.apiSecret)
      return [
        {
          path: `nodes.${name}.apiKey`,
          sentence: `Viewers join rooms of "${name}" with tokens, which need the secret of its API key: set ${variableOf(name, 'apiSecret')}.`,
        },
      ];
    if (server === 'openvidu' && !httpPassword && !known.httpPassword)
      return [
        {
          path: `nodes.${name}`,
          sentence: `"${name}" is read with OPENVIDU_SECRET: set ${variableOf(name, 'httpPassword')}.`,
        },
      ];
    return [];
  });
}
