import type { DefaultThresholds, Settings, SettingsChange, ShellApi, Theme } from '../../contract/shell';
import type { StreamLimits } from '../../domain/verdict/streamLimits';
import { usualLogLevel, type LogLevel } from '../../domain/model/logLevel';
import { usualNight, type WallNight } from '../../domain/text/night';
import type { EconomyChoice } from '../../domain/tester/economy';
import { agentIdleBounds } from '../../domain/node/agentIdle';
import { Layouts } from '../charts/layouts.svelte';
import { effectiveTheme, nextTheme } from './themeChoice';

/** Persistent settings of the window. A change applies immediately and is saved in the background. */
export class Preferences {
  /** The chosen theme; `theme` is the effective one. */
  themeChoice = $state<Settings['theme']>('dark');
  /** The zone that `T` toggles back to from UTC. */
  #otherZone: Settings['timeZone'] = 'local';
  #system = $state.raw({ isDark: true, wantsContrast: false, forcesColours: false });
  readonly theme: Theme = $derived.by(() => effectiveTheme(this.themeChoice, this.#system));
  timeZone = $state<Settings['timeZone']>('local');
  lastPull = $state.raw<Settings['lastPull']>();
  lastPublish = $state.raw<Settings['lastPublish']>();
  multiview = $state.raw<Settings['multiview']>();
  playerSaving = $state.raw<NonNullable<Settings['playerSaving']>>({});
  panes = $state.raw<NonNullable<Settings['panes']>>({});
  /** Author of notes to saved runs; empty: `you`. */
  author = $state('');

  economy = $state<EconomyChoice>('automatic');
  singleKeys = $state(true);
  keys = $state.raw<NonNullable<Settings['keys']>>({});
  thresholds = $state.raw<DefaultThresholds>({});
  streamLimits = $state.raw<StreamLimits>({});
  agentIdleSeconds = $state<number>(agentIdleBounds.usual);
  agentMemoryMb = $state<number>();
  wallNight = $state.raw<WallNight>(usualNight);
  logLevel = $state<LogLevel>(usualLogLevel);

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
      this.#take(settings);
      this.layouts.restore(settings.layouts);
    } catch (error) {
      this.#onProblem(error);
    }
  }

  /** Follows the desktop setting. Returns the cleanup function. */
  followSystem(): () => void {
    const [dark, contrast, forced] = [
      window.matchMedia('(prefers-color-scheme: dark)'),
      window.matchMedia('(prefers-contrast: more)'),
      window.matchMedia('(forced-colors: active)'),
    ];
    const follow = (): void => {
      this.#system = { isDark: dark.matches, wantsContrast: contrast.matches, forcesColours: forced.matches };
    };
    follow();
    const all = [dark, contrast, forced];
    for (const query of all) query.addEventListener('change', follow);
    return () => {
      for (const query of all) query.removeEventListener('change', follow);
    };
  }

  toggleTheme(): void {
    this.change({ theme: nextTheme(this.theme) });
  }

  toggleTimeZone(): void {
    this.change({ timeZone: this.timeZone === 'utc' ? this.#otherZone : 'utc' });
  }

  change(settings: SettingsChange): void {
    this.#take(settings);
    this.#shell.call('shell.saveSettings', settings).catch(this.#onProblem);
  }

  /** Absent fields are unchanged; a present field without a value is reset to its default. */
  #take(settings: SettingsChange): void {
    if (settings.theme) this.themeChoice = settings.theme;
    if (settings.timeZone) this.timeZone = settings.timeZone;
    if (settings.timeZone && settings.timeZone !== 'utc') this.#otherZone = settings.timeZone;
    if (settings.lastPull) this.lastPull = settings.lastPull;
    if (settings.lastPublish) this.lastPublish = settings.lastPublish;
    if (settings.multiview) this.multiview = settings.multiview;
    if (settings.playerSaving) this.playerSaving = settings.playerSaving;
    if (settings.panes) this.panes = settings.panes;
    if (settings.author !== undefined) this.author = settings.author;
    if ('economy' in settings) this.economy = settings.economy ?? 'automatic';
    if ('singleKeys' in settings) this.singleKeys = settings.singleKeys ?? true;
    if ('keys' in settings) this.keys = settings.keys ?? {};
    if ('streamLimits' in settings) this.streamLimits = settings.streamLimits ?? {};
    if ('wallNight' in settings) {
      const { wallNight = usualNight } = settings;
      this.wallNight = wallNight === 'off' ? { ...usualNight, isOff: true } : wallNight;
    }
    if ('thresholds' in settings) this.thresholds = settings.thresholds ?? {};
    if ('logLevel' in settings) this.logLevel = settings.logLevel ?? usualLogLevel;
    if ('agentMemoryMb' in settings) this.agentMemoryMb = settings.agentMemoryMb;
    if ('agentIdleSeconds' in settings) this.agentIdleSeconds = settings.agentIdleSeconds ?? agentIdleBounds.usual;
  }
}
