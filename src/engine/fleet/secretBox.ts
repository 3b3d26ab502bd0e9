import { secretKinds, type NodeSecrets, type SecretKind } from '../../domain/nodeSettings';
import { Emitter } from '../emitter';

/** The nodes' secrets while the engine runs. The desktop keeps them in the system's keychain; the command line takes them from its environment. */
export class SecretBox {
  /** A node's secrets as they are to be kept from now on. */
  readonly keep = new Emitter<{ readonly node: string; readonly secrets: NodeSecrets }>();
  private readonly all = new Map<string, NodeSecrets>();

  constructor(private readonly environment: Readonly<Record<string, string | undefined>> = {}) {}

  of(node: string): NodeSecrets {
    const found: Partial<Record<SecretKind, string>> = { ...this.all.get(node) };
    for (const kind of secretKinds) found[kind] ??= this.environment[variableOf(node, kind)];
    return found;
  }

  kinds(node: string): SecretKind[] {
    const secrets = this.of(node);
    return secretKinds.filter((kind) => secrets[kind] !== undefined);
  }

  /** Takes what is named; an empty text forgets it. */
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
    this.keep.emit({ node, secrets: next });
  }

  /** What the keychain gave back; it need not be told again. */
  restore(secrets: Readonly<Record<string, NodeSecrets>>): void {
    for (const [node, each] of Object.entries(secrets)) this.all.set(node, each);
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
}

/** Where the command line finds a node's secret, e.g. `FULLHOUSE_TESTER_1_SSH_PASSWORD`. */
export function variableOf(node: string, kind: SecretKind): string {
  const name = (text: string): string => text.replace(/[^A-Za-z0-9]+/g, '_').toUpperCase();
  return `FULLHOUSE_${name(node)}_${name(kind.replace(/([A-Z])/g, '_$1'))}`;
}
