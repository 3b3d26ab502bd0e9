import { createHash } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import type { Plan } from '../../domain/model/plan';
import { hooksOf, tokenCommandsOf } from '../../domain/plan/planHooks';
import { maskAddresses } from '../../domain/secrets/addressSecrets';
import type { Handlers } from '../../contract/calls';
import type { AnyCalls } from '../../contract/engine';

/** Between the dialog's answer and the following start. */
const validMs = 60_000;

/**
 * What the user has allowed windows to start. A page's own `allowHooks` is ignored: the main process shows the hooks in
 * a native dialog and grants exactly these, once.
 */
export class HookGrants {
  private readonly grantedMs = new Map<string, number>();

  grant(plan: Plan): void {
    this.grantedMs.set(keyOf(plan), performance.now());
  }

  /** The handlers as a window may call them. */
  guarding(handlers: Handlers<keyof AnyCalls>): Handlers<keyof AnyCalls> {
    return {
      ...handlers,
      'runs.start': ({ plan, allowHooks }) =>
        handlers['runs.start']({ plan, allowHooks: allowHooks === true && this.take(plan) }),
      'schedules.add': ({ plan, allowHooks }) =>
        handlers['schedules.add']({ plan, allowHooks: allowHooks === true && this.take(plan) }),
    };
  }

  private take(plan: Plan): boolean {
    const key = keyOf(plan);
    const grantedMs = this.grantedMs.get(key);
    this.grantedMs.delete(key);
    return grantedMs !== undefined && performance.now() - grantedMs < validMs;
  }
}

/** All that the dialog shows. A page has some addresses only in masked form, so all are masked. */
function keyOf(plan: Plan): string {
  const shown = maskAddresses(JSON.stringify([plan.name, hooksOf(plan), tokenCommandsOf(plan), plan.schedule ?? null]));
  return createHash('sha256').update(shown).digest('hex');
}
