import { UsageError } from './usageError';

/** Which namespace of which cluster. */
export interface ClusterChoice {
  readonly kubeconfig: string | undefined;
  readonly context: string | undefined;
  readonly namespace: string | undefined;
}

export type KubernetesCommand =
  | { readonly command: 'kubernetes role'; readonly namespace: string | undefined }
  | { readonly command: 'kubernetes manifest'; readonly plan: string; readonly sets: readonly string[] }
  | ({ readonly command: 'kubernetes check'; readonly json: boolean } & ClusterChoice);

export interface CleanupCommand extends ClusterChoice {
  readonly command: 'cleanup';
  /** Delete what was found. */
  readonly isConfirmed: boolean;
  /** Also of running consoles and of other users. */
  readonly ofAll: boolean;
}

export const kubernetesOptions = {
  kubeconfig: { type: 'string' },
  context: { type: 'string' },
  namespace: { type: 'string' },
  yes: { type: 'boolean' },
  all: { type: 'boolean' },
} as const;

interface Values {
  readonly kubeconfig?: string | undefined;
  readonly context?: string | undefined;
  readonly namespace?: string | undefined;
  readonly yes?: boolean | undefined;
  readonly all?: boolean | undefined;
  readonly json?: boolean | undefined;
  readonly set?: readonly string[] | undefined;
}

const choiceOf = ({ kubeconfig, context, namespace }: Values): ClusterChoice => ({ kubeconfig, context, namespace });

/** `words` follow the name of the command. */
export function readKubernetes(words: readonly string[], values: Values): KubernetesCommand {
  const [what, plan, more] = words;
  if (more !== undefined) throw new UsageError(`Unexpected argument "${more}".`);
  switch (what) {
    case 'manifest': {
      if (plan === undefined) throw new UsageError('Missing PLAN.yaml: fullhouse kubernetes manifest PLAN.yaml');
      const stray = (['kubeconfig', 'context', 'namespace', 'json'] as const).find(
        (name) => values[name] !== undefined,
      );
      if (stray) throw new UsageError(`"kubernetes manifest" has no option --${stray}; the plan names it.`);
      return { command: 'kubernetes manifest', plan, sets: values.set ?? [] };
    }
    case 'role': {
      if (plan !== undefined) throw new UsageError(`Unexpected argument "${plan}".`);
      const stray = (['kubeconfig', 'context', 'json', 'set'] as const).find((name) => values[name] !== undefined);
      if (stray) throw new UsageError(`"kubernetes role" has no option --${stray}.`);
      return { command: 'kubernetes role', namespace: values.namespace };
    }
    case 'check':
      if (plan !== undefined) throw new UsageError(`Unexpected argument "${plan}".`);
      if (values.set !== undefined) throw new UsageError('"kubernetes check" has no option --set.');
      return { command: 'kubernetes check', ...choiceOf(values), json: values.json ?? false };
    case undefined:
    default:
      throw new UsageError(
        `${what === undefined ? 'Missing operand' : `Unknown operand "${what}"`}: fullhouse kubernetes manifest PLAN.yaml, role or check.`,
      );
  }
}

export function readCleanup(values: Values): CleanupCommand {
  return {
    command: 'cleanup',
    ...choiceOf(values),
    isConfirmed: values.yes ?? false,
    ofAll: values.all ?? false,
  };
}
