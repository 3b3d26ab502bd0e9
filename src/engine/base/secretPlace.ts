import type { secretKinds } from '../../domain/model/nodeSettings';
import { variableOf } from '../../domain/secrets/secretVariable';

let isInVariables = false;

/** The command line reads the secrets of nodes from variables; the window has a form for them. */
export function takeSecretsFromVariables(isSo: boolean): void {
  isInVariables = isSo;
}

/** Words for the command line, or for the window. */
export const byPlace = (onCommandLine: string, inWindow: string): string => (isInVariables ? onCommandLine : inWindow);

/** What to do for a missing or wrong secret of a node: `form` in the window, else the variable to set. */
export function secretFix(node: string, kind: (typeof secretKinds)[number], form: string): string {
  return byPlace(`set ${variableOf(node, kind)}`, form);
}

/** What to do for a missing or wrong API key of a LiveKit, which is a setting of the node, or its secret. */
export const livekitFix = (node: string): string =>
  byPlace(`write apiKey for the node and set ${variableOf(node, 'apiSecret')}`, 'edit the node to enter them');
