import { Emitter } from '../../../src/engine/base/emitter';
import { localRunner } from '../../../src/engine/iperf/localRunner';
import type { SshCommand, SshLink, SshState } from '../../../src/engine/links/ssh/sshLink';

/** A link that runs everything on this machine, and can be cut and restored like SSH. */
export interface LocalLink extends Pick<SshLink, 'state' | 'run' | 'follow' | 'onState'> {
  cut(why: string): void;
  restore(): void;
  /** Ends running commands; the connection stays open. */
  endCommands(): void;
  /** Commands started so far. */
  readonly begun: number;
}

/** `shell` replaces `sh`, e.g. `['bash', '--posix']`. */
export function localLink(shell: readonly string[] = ['sh']): LocalLink {
  const runner = localRunner('this machine');
  const states = new Emitter<{ state: SshState; problem?: Error }>();
  const running = new Set<SshCommand>();
  let state: SshState = 'live';
  let begun = 0;
  const change = (next: SshState, problem?: Error): void => {
    state = next;
    states.emit({ state: next, problem });
  };
  const endCommands = (): void => {
    for (const command of [...running]) command.end();
  };
  const inShell = (argv: readonly string[]): readonly string[] =>
    argv[0] === 'sh' ? [...shell, ...argv.slice(1)] : argv;
  return {
    get state() {
      return state;
    },
    get begun() {
      return begun;
    },
    run: (argv, options) => runner.run(inShell(argv), options),
    follow: async (argv, listeners) => {
      begun += 1;
      const command = await runner.follow(inShell(argv), listeners);
      running.add(command);
      void command.ended.then(() => running.delete(command));
      return command;
    },
    onState: (listener) => states.on(({ state, problem }) => listener(state, problem)),
    cut: (why) => {
      endCommands();
      change('lost', new Error(why));
    },
    endCommands,
    restore: () => change('live'),
  };
}
