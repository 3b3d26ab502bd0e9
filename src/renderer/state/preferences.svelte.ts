import type { Settings, ShellApi } from '../../contract/shell';
import { Layouts } from './layouts.svelte';

/** What the window remembers between starts. A change shows at once and is saved behind it. */
export class Preferences {
  theme = $state<Settings['theme']>('dark');
  timeZone = $state<Settings['timeZone']>('local');
  lastPull = $state.raw<Settings['lastPull']>();
  lastPublish = $state.raw<Settings['lastPublish']>();
  /** Who notes to kept runs are from; empty: `you`. */
  author = $state('');

  readonly layouts = new Layouts((layouts) => this.change({ layouts }));

  readonly #shell: ShellApi;
  readonly #onProblem: (error: unknown) => void;

  constructor(shell: ShellApi, onProblem: (error: unknown) => void) {
    this.#shell = shell;
    this.#onProblem = onProblem;
  }

  async load(): Promise<void> {
    try {
      const settings = await this.#shell.call('shell.settings', {});
      this.theme = settings.theme;
      this.timeZone = settings.timeZone;
      this.lastPull = settings.lastPull;
      this.lastPublish = settings.lastPublish;
      this.author = settings.author ?? '';
      this.layouts.restore(settings.layouts);
    } catch (error) {
      this.#onProblem(error);
    }
  }

  toggleTheme(): void {
    this.change({ theme: this.theme === 'dark' ? 'light' : 'dark' });
  }

  toggleTimeZone(): void {
    this.change({ timeZone: this.timeZone === 'local' ? 'utc' : 'local' });
  }

  change(settings: Partial<Settings>): void {
    if (settings.theme) this.theme = settings.theme;
    if (settings.timeZone) this.timeZone = settings.timeZone;
    if (settings.lastPull) this.lastPull = settings.lastPull;
    if (settings.lastPublish) this.lastPublish = settings.lastPublish;
    if (settings.author !== undefined) this.author = settings.author;
    this.#shell.call('shell.saveSettings', settings).catch(this.#onProblem);
  }
}
