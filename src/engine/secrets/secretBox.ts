import { secretKinds, type NodeSecrets, type SecretKind } from '../../domain/model/nodeSettings';
import { variableOf } from '../../domain/secrets/secretVariable';
import type { SecretReference } from '../../domain/secrets/references';
import { SecretMask } from '../../domain/secrets/secretMask';
import { percentDecoded } from '../../domain/text/percentDecoded';
import { Emitter } from '../base/emitter';
import { proxyVariables } from '../base/variables';

type Variables = Readonly<Record<string, string | undefined>>;

/**
 * The secrets of nodes and the named secrets, while the engine runs. The desktop keeps them in the system's keychain;
 * the command line takes them from its environment. Each is masked in all that leaves the engine from its first use on.
 */
export class SecretBox {
  /** A node's secrets to store from now on. */
  readonly keep = new Emitter<{ readonly node: string; readonly secrets: NodeSecrets }>();
  /** All named secrets to store from now on. */
  readonly keepNamed = new Emitter<Readonly<Record<string, string>>>();
  readonly mask = new SecretMask();
  private readonly all = new Map<string, NodeSecrets>();
  private readonly named = new Map<string, string>();

  /** `variables` are those that `$env:NAME` may read. */
  constructor(
    private readonly environment: Variables = {},
    private readonly variables: Variables = ownVariables(environment),
  ) {
    for (const name of proxyVariables) this.mask.add(passwordIn(environment[name]));
  }

  of(node: string): NodeSecrets {
    const found: Partial<Record<SecretKind, string>> = { ...this.all.get(node) };
    for (const kind of secretKinds) found[kind] ??= this.environment[variableOf(node, kind)];
    this.learn(found);
    return found;
  }

  /** The stored secrets of a node, without values from variables. */
  stored(node: string): NodeSecrets {
    return this.all.get(node) ?? {};
  }

  kinds(node: string): SecretKind[] {
    const secrets = this.of(node);
    return secretKinds.filter((kind) => secrets[kind] !== undefined);
  }

  /** Sets the given secrets; an empty text deletes one. */
  change(node: string, changes: NodeSecrets): void {
    const next: Partial<Record<SecretKind, string>> = { ...this.all.get(node) };
    for (const kind of secretKinds) {
      const value = changes[kind];
      if (value === undefined) continue;
      if (value === '') delete next[kind];
      else next[kind] = value;
    }
    if (Object.keys(changes).length === 0) return;
    this.all.set(node, next);
    this.learn(next);
    this.keep.emit({ node, secrets: next });
  }

  /** Secrets from the keychain; they are not reported back. */
  restore(secrets: Readonly<Record<string, NodeSecrets>>, named: Readonly<Record<string, string>> = {}): void {
    for (const [node, each] of Object.entries(secrets)) {
      this.all.set(node, each);
      this.learn(each);
    }
    for (const [name, value] of Object.entries(named)) this.named.set(name, value);
  }

  rename(from: string, to: string): void {
    const secrets = this.all.get(from);
    if (from === to || !secrets) return;
    this.forget(from);
    this.all.set(to, secrets);
    this.keep.emit({ node: to, secrets });
  }

  forget(node: string): void {
    if (!this.all.delete(node)) return;
    this.keep.emit({ node, secrets: {} });
  }

  /** Sets the secret of `$secret:NAME`; an empty text deletes it. */
  name(name: string, value: string): void {
    if (value === '') this.named.delete(name);
    else this.named.set(name, value);
    this.keepNamed.emit(Object.fromEntries(this.named));
  }

  /** The value of a reference; undefined when it is not set, or empty. */
  value({ kind, name }: SecretReference): string | undefined {
    const value =
      kind === 'env'
        ? this.variables[name]
        : (this.named.get(name) ?? this.environment[`FULLHOUSE_SECRET_${name.toUpperCase()}`]);
    this.mask.add(value);
    return value === '' ? undefined : value;
  }

  private learn(secrets: NodeSecrets): void {
    for (const kind of secretKinds) this.mask.add(secrets[kind]);
  }
}

/** The password in the address of a proxy, with or without a scheme. */
function passwordIn(address = ''): string | undefined {
  const password = /^(?:[a-z][a-z0-9+.-]*:\/\/)?[^:@/]*:(.*)@/is.exec(address)?.[1];
  return password === undefined ? undefined : percentDecoded(password);
}

/** A plan pasted from elsewhere must not send any variable of a desktop's session to a server. */
function ownVariables(environment: Variables): Variables {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => name.startsWith('FULLHOUSE_')));
}
