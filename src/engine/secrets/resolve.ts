import { secretKinds, type NodeSecrets, type NodeSettings } from '../../domain/model/nodeSettings';
import type { Plan } from '../../domain/model/plan';
import { audiencesOf } from '../../domain/model/distribution';
import { hooksOf, tokenCommandsOf } from '../../domain/plan/planHooks';
import { masked } from '../../domain/redaction/patterns';
import { referencesIn, referenceText, withReferences, type SecretReference } from '../../domain/secrets/references';
import { FullhouseError } from '../../contract/calls';
import { byPlace } from '../base/secretPlace';
import type { SecretBox } from './secretBox';

type Values = Pick<SecretBox, 'value'>;

/** A node's settings for connecting to it: each reference is resolved. They are sent only to the node. */
export function resolvedSettings(settings: NodeSettings, secrets: Values): NodeSettings {
  const kinds: readonly string[] = secretKinds;
  return Object.fromEntries(
    Object.entries(settings)
      .filter(([key]) => !kinds.includes(key))
      .map(([key, value]) => [key, resolved(value, secrets)]),
  ) as unknown as NodeSettings;
}

/** The address of a hook as it is called. */
export const resolvedPost = (post: string, secrets: Values): string =>
  withReferences(post, (each) => secrets.value(each));

/**
 * What a program that a plan names gets on its standard input: a JSON object with the value of each reference of its
 * arguments, by the reference's text. The arguments themselves keep the references, since every user of the machine can
 * read arguments. Undefined without references.
 */
export function secretsForProgram(argv: readonly string[], secrets: Values): string | undefined {
  const references = argv.flatMap((word) => referencesIn(word));
  if (references.length === 0) return undefined;
  const values = references.map((each) => [referenceText(each), secrets.value(each) ?? '']);
  return `${JSON.stringify(Object.fromEntries(values))}\n`;
}

/** Passwords that the settings name by reference. */
export function secretsNamedIn(settings: NodeSettings, secrets: Values): NodeSecrets {
  return Object.fromEntries(
    secretKinds.flatMap((kind) => {
      const text = settings[kind];
      return text === undefined ? [] : [[kind, withReferences(text, (each) => secrets.value(each))]];
    }),
  );
}

/** Why a node can't be reached, or something can't be called, with these settings: the first unresolved reference. */
export function missingSecret(settings: object, secrets: Values): string | undefined {
  const missing = findMissing(settings, '', secrets);
  return missing && sentenceOf(missing.reference);
}

/** Throws one sentence for the first unresolved reference of a plan. */
export function requireSecrets(plan: Plan, secrets: Values): void {
  for (const hook of [...hooksOf(plan), ...tokenCommandsOf(plan)])
    if (JSON.stringify(hook).includes(masked)) throw new FullhouseError('bad-plan', maskedSentence('hooks'));
  const [missing] = unresolvedIn(plan, secrets);
  if (missing) throw new FullhouseError('no-secret', `${missing.path}: ${missing.sentence}`);
}

/** The unresolved references of a plan, the first one of each part, with its place in the plan. */
export function unresolvedIn(plan: Plan, secrets: Values): Array<{ readonly path: string; readonly sentence: string }> {
  const parts: ReadonlyArray<readonly [path: string, value: unknown]> = [
    ...Object.entries(plan.nodes).map(([name, settings]) => [`nodes.${name}`, settings] as const),
    ...audiencesOf(plan).flatMap((pull, place) =>
      (['turn', 'tokens', 'headers'] as const).map(
        (field) => [`${place === 0 ? 'pull' : `also.${place - 1}`}.${field}`, pull[field]] as const,
      ),
    ),
    ['hooks', [...hooksOf(plan)]],
  ];
  return parts.flatMap(([at, value]) => {
    const missing = findMissing(value, at, secrets);
    return missing ? [{ path: missing.path, sentence: sentenceOf(missing.reference) }] : [];
  });
}

/** For a field that came back with its secret masked, as in a report or run file. */
export function maskedSentence(field: string): string {
  return (
    `"${field}" contains ${masked} in place of a secret. ` +
    'Enter the secret again, or a reference such as $env:NAME or $secret:NAME.'
  );
}

function sentenceOf(reference: SecretReference): string {
  const { kind, name } = reference;
  const written = referenceText(reference);
  return kind === 'env'
    ? `The variable of ${written} is not set. Set ${name} before the start${byPlace('', `; the app reads only variables whose names start with FULLHOUSE_, so use $secret:${name} there`)}.`
    : `${written} is not known. ${byPlace('', 'Enter it in the app (Nodes, Edit); ')}${byPlace('The', 'the')} command line has no keychain: write $env:${name} and set that variable.`;
}

function resolved(value: unknown, secrets: Values): unknown {
  if (typeof value === 'string') return withReferences(value, (each) => secrets.value(each));
  if (Array.isArray(value)) return value.map((each) => resolved(each, secrets));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, resolved(each, secrets)]));
}

function findMissing(
  value: unknown,
  path: string,
  secrets: Values,
): { readonly path: string; readonly reference: SecretReference } | undefined {
  if (typeof value === 'string') {
    const reference = referencesIn(value).find((each) => secrets.value(each) === undefined);
    return reference && { path, reference };
  }
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [key, each] of Object.entries(value)) {
    const missing = findMissing(each, path === '' ? key : `${path}.${key}`, secrets);
    if (missing) return missing;
  }
  return undefined;
}
