import { createHash } from 'node:crypto';
import { shownItem, type ConsentItem } from '../../domain/consent/consent';
import { alertConsentOf, type AlertConsent } from '../../domain/consent/alertConsent';
import { actionKey, type AlertAction } from '../../domain/incidents/alertActions';
import type { AlertRule } from '../../domain/incidents/rules';
import { FullhouseError } from '../../contract/calls';
import { KnownAddresses } from '../consent/knownAddresses';

/**
 * The webhooks and commands of alert rules that the person has allowed, by their whole content: what is changed is to be
 * allowed again, whoever has changed it. Without a path they are allowed while the engine runs.
 */
export class AllowedActions {
  private readonly known: KnownAddresses;

  constructor(
    path: string | undefined,
    problem: (sentence: string) => void,
    private readonly mask: (text: string) => string,
  ) {
    this.known = new KnownAddresses(path, problem, 'actions of alert rules');
  }

  has(action: AlertAction): boolean {
    return this.known.has(digestOf(action));
  }

  /** What is not allowed yet, as a person reads it. */
  missing(rules: readonly AlertRule[]): readonly ConsentItem[] {
    return this.consent(rules).map(({ item }) => item);
  }

  /** Of all that is missing; of its whole content, and not of the texts, in which secrets are masked. */
  digest(rules: readonly AlertRule[]): string {
    return sha256(JSON.stringify(this.consent(rules).map(({ action }) => digestOf(action))));
  }

  /** `digest` is that of what the person has read: exactly what is missing. */
  grant(rules: readonly AlertRule[], digest: string): void {
    if (this.digest(rules) !== digest)
      throw new FullhouseError(
        'rules-changed',
        'What the alert rules start or call has changed meanwhile. Allow it again.',
      );
    this.known.add(this.consent(rules).map(({ action }) => digestOf(action)));
  }

  /** What no rule has any more is to be allowed again, should one have it later. */
  keep(actions: readonly AlertAction[]): void {
    this.known.keep(new Set(actions.map(digestOf)));
  }

  whenSaved(): Promise<void> {
    return this.known.whenSaved();
  }

  private consent(rules: readonly AlertRule[]): readonly AlertConsent[] {
    return alertConsentOf(rules, (action) => this.has(action)).map(({ action, item }) => ({
      action,
      item: shownItem(item, this.mask),
    }));
  }
}

/** An address may have a secret in it. */
const digestOf = (action: AlertAction): string => sha256(actionKey(action));

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
