import { secretKinds } from '../model/nodeSettings';
import { asciiName } from '../text/asciiName';

const inVariable = (text: string): string =>
  asciiName(text)
    .replace(/[^A-Za-z0-9]+/g, '_')
    .toUpperCase();

/** End of the variables for a kind of secret, e.g. `SSH_PASSWORD`. */
export const variableEnd = (kind: string): string => inVariable(kind.replace(/([A-Z])/g, '_$1'));

/** Whether the variable has this name of a secret of some node. */
export const isNodeVariable = (name: string): boolean =>
  name.startsWith('FULLHOUSE_') && secretKinds.some((kind) => name.endsWith(`_${variableEnd(kind)}`));

/** Where the command line finds a node's secret of a kind such as `sshPassword`, e.g. `FULLHOUSE_TESTER_1_SSH_PASSWORD`. */
export function variableOf(node: string, kind: string): string {
  return `FULLHOUSE_${inVariable(node)}_${variableEnd(kind)}`;
}

/** Two nodes of a plan whose secrets would be read from the same variables, as one sentence about the second. */
export function sharedVariableFault(names: readonly string[], name: string): string | undefined {
  const other = names.slice(0, names.indexOf(name)).find((each) => inVariable(each) === inVariable(name));
  return other === undefined
    ? undefined
    : `"${name}" and "${other}" would read their secrets from the same variables (${variableOf(name, 'sshPassword')}); rename one of them.`;
}
