import { dirname, isAbsolute, join } from 'node:path';
import { LineCounter, parseDocument } from 'yaml';
import { z } from 'zod';
import { FullhouseError } from '../../contract/calls';
import { checkYamlSize } from '../../domain/plan/planDocument';
import { readTextFile } from '../base/readTextFile';
import { reasonOf } from '../store/failure';

/** Max size of a kubeconfig, or a file that it names. */
export const maxKubeBytes = 1_000_000;

const text = z.string().min(1);
const named = <Key extends string, T extends z.ZodType>(key: Key, schema: T) =>
  z.array(z.looseObject({ name: text, [key]: schema } as { name: typeof text } & Record<Key, T>));

const variable = z.object({ name: text, value: z.string() });
/** A program that writes credentials (client-go's credential plugins). */
const plugin = z.object({
  apiVersion: z.string().optional(),
  command: text,
  args: z.array(z.string()).nullish(),
  env: z.array(variable).nullish(),
  installHint: z.string().nullish(),
  provideClusterInfo: z.boolean().nullish(),
});

const cluster = z.object({
  server: text,
  'certificate-authority': z.string().optional(),
  'certificate-authority-data': z.string().optional(),
  'insecure-skip-tls-verify': z.boolean().optional(),
  'tls-server-name': z.string().optional(),
  'proxy-url': z.string().optional(),
});
const context = z.object({ cluster: text, user: z.string().default(''), namespace: z.string().optional() });
const user = z.object({
  token: z.string().optional(),
  tokenFile: z.string().optional(),
  'token-file': z.string().optional(),
  'client-certificate': z.string().optional(),
  'client-certificate-data': z.string().optional(),
  'client-key': z.string().optional(),
  'client-key-data': z.string().optional(),
  username: z.string().optional(),
  password: z.string().optional(),
  as: z.string().optional(),
  exec: plugin.nullish(),
  'auth-provider': z.looseObject({ name: z.string().optional() }).nullish(),
});
const kubeconfig = z.object({
  'current-context': z.string().nullish(),
  clusters: named('cluster', cluster).nullish(),
  contexts: named('context', context).nullish(),
  users: named('user', user.nullish()).nullish(),
});

export interface KubeCluster {
  readonly name: string;
  readonly server: string;
  readonly caFile?: string;
  readonly caData?: string;
  readonly skipTLSVerify: boolean;
  readonly tlsServerName?: string;
  readonly proxyUrl?: string;
}
export interface KubeContext {
  readonly name: string;
  readonly cluster: string;
  readonly user: string;
  readonly namespace?: string;
}
/** A program of a kubeconfig's user that writes credentials. */
export interface KubePlugin {
  readonly apiVersion: string;
  readonly command: readonly [string, ...string[]];
  readonly variables: Readonly<Record<string, string>>;
  readonly installHint?: string;
  readonly providesClusterInfo: boolean;
}
export interface KubeUser {
  readonly name: string;
  readonly token?: string;
  readonly tokenFile?: string;
  readonly certFile?: string;
  readonly certData?: string;
  readonly keyFile?: string;
  readonly keyData?: string;
  readonly username?: string;
  readonly password?: string;
  readonly impersonateUser?: string;
  readonly plugin?: KubePlugin;
  /** Name of a login that kubectl no longer has. */
  readonly authProvider?: string;
}

/** A kubeconfig with absolute paths. */
export interface Kubeconfig {
  readonly currentContext: string | undefined;
  readonly clusters: readonly KubeCluster[];
  readonly contexts: readonly KubeContext[];
  readonly users: readonly KubeUser[];
}

/** Certificates make a kubeconfig longer than a plan, but not larger otherwise. */
const maxCharacters = 1024 * 1024;

/** Nothing else of a kubeconfig is read, so nothing else can act. Throws one sentence without anything of its content. */
export function readKubeconfig(path: string): Kubeconfig {
  const unusable = (why: string): FullhouseError =>
    new FullhouseError('bad-kubeconfig', `${path} is not a usable kubeconfig: ${why}.`);
  let content: string;
  try {
    content = readTextFile(path, maxKubeBytes);
  } catch (error) {
    throw unusable(reasonOf(error));
  }
  try {
    checkYamlSize(content, 'a kubeconfig', maxCharacters);
  } catch (error) {
    throw unusable((error as Error).message.replace(/\.$/, ''));
  }
  const lines = new LineCounter();
  // Unique keys are not checked: the parser compares each with all before it.
  const document = parseDocument(content, { lineCounter: lines, prettyErrors: false, merge: true, uniqueKeys: false });
  const [fault] = document.errors;
  if (fault) throw unusable(`line ${lines.linePos(fault.pos[0]).line} is not valid YAML`);
  let value: unknown;
  try {
    value = document.toJS({ maxAliasCount: 100 });
  } catch {
    throw unusable('its aliases can not be resolved');
  }
  const read = kubeconfig.safeParse(value ?? {});
  if (!read.success) {
    const [issue] = read.error.issues;
    throw unusable(`${issue?.path.join('.') || 'its content'} is missing or not valid`);
  }
  const folder = dirname(path);
  const at = (file: string | undefined): string | undefined =>
    file === undefined || file === '' || isAbsolute(file) ? file || undefined : join(folder, file);
  const { clusters, contexts, users } = read.data;
  return {
    currentContext: read.data['current-context'] ?? undefined,
    clusters: (clusters ?? []).map(({ name, cluster: each }) => ({
      name,
      server: each.server.replace(/\/$/, ''),
      caFile: at(each['certificate-authority']),
      caData: each['certificate-authority-data'],
      skipTLSVerify: each['insecure-skip-tls-verify'] === true,
      tlsServerName: each['tls-server-name'],
      proxyUrl: each['proxy-url'],
    })),
    contexts: (contexts ?? []).map(({ name, context: each }) => ({ name, ...each })),
    users: (users ?? []).map(({ name, user: each }) => ({
      name,
      ...(each ? { ...credentialsOf(each, at), ...pluginOf(each.exec, folder) } : {}),
    })),
  };
}

function credentialsOf(each: z.infer<typeof user>, at: (file: string | undefined) => string | undefined) {
  const provider = each['auth-provider'];
  return {
    token: each.token,
    tokenFile: each.token === undefined ? at(each.tokenFile ?? each['token-file']) : undefined,
    certFile: at(each['client-certificate']),
    certData: each['client-certificate-data'],
    keyFile: at(each['client-key']),
    keyData: each['client-key-data'],
    username: each.username,
    password: each.password,
    impersonateUser: each.as,
    ...(provider ? { authProvider: provider.name ?? 'without a name' } : {}),
  };
}

function pluginOf(exec: z.infer<typeof plugin> | null | undefined, folder: string): { readonly plugin?: KubePlugin } {
  if (!exec) return {};
  const { apiVersion = '', command, args, env, installHint, provideClusterInfo } = exec;
  // As kubectl: a command with a separator is relative to the kubeconfig, any other is looked up in PATH.
  const program = command.includes('/') && !isAbsolute(command) ? join(folder, command) : command;
  return {
    plugin: {
      ...{ apiVersion, command: [program, ...(args ?? [])] },
      variables: Object.fromEntries((env ?? []).map(({ name, value }) => [name, value])),
      ...(installHint ? { installHint } : {}),
      providesClusterInfo: provideClusterInfo === true,
    },
  };
}
