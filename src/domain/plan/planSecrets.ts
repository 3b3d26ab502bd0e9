import { masked } from '../redaction/patterns';
import { addressSecretsIn } from '../secrets/addressSecrets';
import type { Plan } from '../model/plan';

/** One warning for all addresses of a plan that contain a secret; undefined if none does. */
export function secretsWarning(plan: Plan): string | undefined {
  const secrets = [...texts(plan.nodes, 'nodes'), ...texts(plan.hooks ?? [], 'hooks')].flatMap(([path, text]) =>
    addressSecretsIn(text).length > 0 ? [path] : [],
  );
  if (secrets.length === 0) return undefined;
  return (
    `${secrets.join(', ')}: the address contains a secret. Reports and run files mask it as ${masked}, ` +
    'the plan itself does not: use $env:NAME or $secret:NAME instead.'
  );
}

function texts(value: unknown, path: string): Array<readonly [path: string, text: string]> {
  if (typeof value === 'string') return [[path, value]];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, each]) => texts(each, `${path}.${key}`));
}
