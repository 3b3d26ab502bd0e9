import type { Handlers } from '../../contract/calls';
import type { kubernetesCalls } from '../../contract/kubernetesCalls';
import { checkCluster } from '../kubernetes/checkCluster';
import { openCluster } from '../kubernetes/clusterClient';
import { contextsOf } from '../kubernetes/kubeconfig';
import type { HandlerParts } from './handlerParts';

/** Calls about clusters. */
export const makeKubernetesHandlers = ({ clock }: HandlerParts): Handlers<keyof typeof kubernetesCalls> => ({
  'kubernetes.contexts': ({ kubeconfig }) => contextsOf(kubeconfig),
  'kubernetes.check': async (settings) => checkCluster(await openCluster(settings, clock)),
});
