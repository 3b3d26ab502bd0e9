import type { TesterSettings } from '../../../domain/model/nodeSettings';
import { imageFault, kubernetesFields } from '../../../domain/plan/fields/kubernetes';
import { nameProblem } from './addForm';

/** Values of the form that adds testers in a cluster, as typed. */
export interface KubernetesForm {
  readonly name: string;
  readonly kubeconfig: string;
  /** Empty: the current one. */
  readonly context: string;
  readonly namespace: string;
  readonly replicas: string;
  readonly image: string;
}

export const emptyKubernetesForm: KubernetesForm = {
  name: 'pods',
  kubeconfig: '',
  context: '',
  namespace: '',
  replicas: '4',
  image: '',
};

/** Which namespace of which cluster. */
export function placeOf({
  kubeconfig,
  context,
  namespace,
}: KubernetesForm): Pick<TesterSettings, 'kubeconfig' | 'context' | 'namespace'> {
  return filled({ kubeconfig, context, namespace });
}

/** The settings that the form describes. */
export function kubernetesSettings(form: KubernetesForm): TesterSettings {
  return {
    tester: 'kubernetes',
    replicas: Number(form.replicas),
    ...placeOf(form),
    ...filled({ image: form.image }),
  };
}

/** Problems by field, one sentence each. */
export function kubernetesProblems(
  form: KubernetesForm,
  taken: readonly string[],
): Partial<Record<keyof KubernetesForm, string>> {
  const name = nameProblem(form.name.trim(), taken);
  const { bounds } = kubernetesFields.replicas.kind;
  const most = bounds?.is === 'number' ? bounds.max : undefined;
  const replicas = /^\d{1,6}$/.test(form.replicas.trim()) ? Number(form.replicas) : 0;
  const isCount = replicas >= 1 && (most === undefined || replicas <= most);
  const image = imageFault(kubernetesSettings(form));
  const namespaceBounds = kubernetesFields.namespace.kind.bounds;
  const namespace =
    form.namespace.trim() !== '' && namespaceBounds?.is === 'text'
      ? namespaceBounds.faultOf?.(form.namespace.trim())
      : undefined;
  return {
    ...(name === undefined ? {} : { name }),
    ...(isCount ? {} : { replicas: `Enter 1 to ${most ?? ''} pods.` }),
    ...(namespace === undefined ? {} : { namespace }),
    ...(image === undefined ? {} : { image }),
  };
}

function filled<T extends Readonly<Record<string, string>>>(texts: T): Partial<T> {
  return Object.fromEntries(
    Object.entries(texts)
      .map(([key, text]) => [key, text.trim()] as const)
      .filter(([, text]) => text !== ''),
  ) as Partial<T>;
}
