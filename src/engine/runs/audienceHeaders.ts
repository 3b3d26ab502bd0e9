import { FullhouseError } from '../../contract/calls';
import type { Audience } from '../../domain/model/plan';
import { headerValueFault } from '../../domain/plan/headerRules';
import { withReferences } from '../../domain/secrets/references';
import type { SecretBox } from '../secrets/secretBox';
import type { PullTarget } from './pull';

/**
 * The headers of an audience, its viewers numbered in the order of their arrival over all testers. Throws a sentence if
 * a secret can't be the value of a header.
 */
export function audienceHeaders({ headers }: Audience, secrets: Pick<SecretBox, 'value'>): PullTarget['headers'] {
  if (!headers) return undefined;
  const fields = Object.entries(headers).map(([name, written]) => {
    const value = withReferences(written, (each) => secrets.value(each));
    const fault = headerValueFault(name, value);
    if (fault !== undefined) throw new FullhouseError('bad-header', `${fault} Enter its secret again.`);
    return { name, value };
  });
  let numbered = 0;
  return (viewers) => {
    const firstViewer = numbered + 1;
    numbered += viewers;
    return { fields, firstViewer };
  };
}
