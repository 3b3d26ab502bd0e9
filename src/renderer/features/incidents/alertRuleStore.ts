import type { AlertRule } from '../../../domain/incidents/rules';
import { counted } from '../../../domain/text/numberFormat';
import type { ShellApi } from '../../../contract/shell';
import type { WindowClient } from '../../client/connection';
import type { Notices } from '../../ui/notices/notices.svelte';

export interface AlertRulesNow {
  readonly rules: readonly AlertRule[];
  /** How many webhooks and commands of them wait for a person to allow them. */
  readonly notAllowed: number;
}

/** The alert rules of the engine, and the person's consent to what they call and start. */
export class AlertRuleStore {
  readonly #unsubscribe: () => void;

  constructor(
    private readonly engine: WindowClient,
    private readonly shell: ShellApi,
    private readonly notices: Notices,
  ) {
    this.#unsubscribe = engine.on('alertProblem', ({ problem }) => notices.problem(problem));
  }

  async load(): Promise<AlertRulesNow | undefined> {
    const now = await this.notices.attempt(() => this.engine.call('incidents.rules', {}));
    return now && { rules: now.rules, notAllowed: now.notAllowed.length };
  }

  /** Says at the start what a changed file needs. */
  async check(): Promise<void> {
    const waiting = (await this.load())?.notAllowed ?? 0;
    if (waiting > 0)
      this.notices.reported(
        `The alert rules have ${counted(waiting, 'webhook or command', 'webhooks or commands')} not allowed yet, and not used until then.`,
        { text: 'Review', run: () => void this.allow() },
      );
  }

  /** Returns whether the rules are saved; then asks for what they call and start. */
  async save(rules: readonly AlertRule[]): Promise<boolean> {
    const saved = await this.notices.attempt(() => this.engine.call('incidents.setRules', { rules }));
    if (!saved) return false;
    if (saved.notAllowed.length > 0) void this.allow();
    else this.notices.done('The alert rules are saved.');
    return true;
  }

  /** The main process lists what is not allowed yet, and asks. */
  async allow(): Promise<void> {
    const answer = await this.notices.attempt(() => this.shell.call('shell.allowAlerts', {}));
    if (answer?.allowed) this.notices.done('Webhooks and commands of the alert rules are allowed.');
    else if (answer)
      this.notices.reported('Webhooks and commands of the alert rules that are not allowed are not used.', {
        text: 'Review',
        run: () => void this.allow(),
      });
  }

  dispose(): void {
    this.#unsubscribe();
  }
}
