import { createHash } from 'node:crypto';
import { shownItem, type ConsentScope } from '../../domain/consent/consent';
import type { Plan } from '../../domain/model/plan';
import { maskAddresses } from '../../domain/secrets/addressSecrets';
import { FullhouseError, type Handlers } from '../../contract/calls';
import type { AnyCalls } from '../../contract/engine';
import type { Clock } from '../base/clock';
import type { PlanGate } from './planGate';

/** Between the dialog's answer and the following start. */
const validMs = 60_000;

/**
 * What the user has allowed windows to start. A page's own `allowHooks` is ignored: the main process shows the items in
 * a native dialog and grants exactly these, once.
 */
export class ConsentGrants {
  private readonly grantedMs = new Map<string, number>();

  constructor(
    private readonly gate: Pick<PlanGate, 'consentOf'>,
    private readonly clock: Pick<Clock, 'monotonic'>,
  ) {}

  /** `texts` are those that the user has read. */
  grant(plan: Plan, texts: readonly string[], scope: ConsentScope = 'run'): void {
    if (JSON.stringify(this.textsOf(plan, scope)) !== JSON.stringify(texts))
      throw new FullhouseError('plan-changed', 'What this plan does has changed meanwhile. Start it again.');
    this.grantedMs.set(this.keyOf(plan, scope), this.clock.monotonic());
  }

  /** The handlers as a window may call them. */
  guarding(handlers: Handlers<keyof AnyCalls>): Handlers<keyof AnyCalls> {
    const guarded = <Input extends { readonly plan: Plan; readonly allowHooks?: boolean | undefined }>(
      input: Input,
      scope: ConsentScope,
    ): Input => ({ ...input, allowHooks: input.allowHooks === true && this.take(input.plan, scope) });
    return {
      ...handlers,
      'runs.start': (input) => handlers['runs.start'](guarded(input, 'run')),
      'schedules.add': (input) => handlers['schedules.add'](guarded(input, 'run')),
      'preflight.run': (input) => handlers['preflight.run'](guarded(input, 'nodes')),
    };
  }

  private take(plan: Plan, scope: ConsentScope): boolean {
    const key = this.keyOf(plan, scope);
    const grantedMs = this.grantedMs.get(key);
    this.grantedMs.delete(key);
    return grantedMs !== undefined && this.clock.monotonic() - grantedMs < validMs;
  }

  private textsOf(plan: Plan, scope: ConsentScope): readonly string[] {
    return this.gate.consentOf(plan, scope).items.map(({ text }) => text);
  }

  /** All that the dialog shows. A page has some addresses only in masked form, so all but those of programs are masked. */
  private keyOf(plan: Plan, scope: ConsentScope): string {
    const items = this.gate.consentOf(plan, scope).items.map((item) => shownItem(item, maskAddresses).text);
    const shown = JSON.stringify([scope, maskAddresses(plan.name), items, plan.schedule ?? null]);
    return createHash('sha256').update(shown).digest('hex');
  }
}
