import { FullhouseError } from '../../../contract/calls';
import type { Need } from '../rule';
import type { ApiName } from './apis';
import type { CommandName } from './commands';
import type { ConfigName } from './configs';

/** Something could not be read; the message is a whole sentence. */
export class UnreadError extends Error {}

/** A process of the server. */
export interface ServerProcess {
  readonly pid: number;
  /** Its program and arguments. */
  readonly words: readonly string[];
  /** `/proc/PID/limits`; empty where it may not be read. */
  readonly limits: string;
  /** Path of its program; absent for processes of other users. */
  readonly program?: string;
  readonly folder?: string;
}

export interface TextOf {
  readonly path: string;
  readonly text: string;
}

/** What was read, or why not. */
export type Answer =
  | { readonly text: string }
  | { readonly texts: readonly TextOf[] }
  | { readonly config: TextOf }
  | { readonly processes: readonly ServerProcess[] }
  | { readonly unread: string };

/** What is known of one node. Each getter throws an `UnreadError` where there is no answer. */
export class Facts {
  constructor(
    private readonly who: string,
    private readonly answers: ReadonlyMap<string, Answer>,
    /** Where only what a rule has named may be asked. */
    private readonly allowed?: ReadonlySet<string>,
  ) {}

  /** The same facts for a rule that has said what it needs. */
  only(needs: readonly Need[]): Facts {
    return new Facts(this.who, this.answers, new Set(needs.map(needKey)));
  }

  file(path: string): string {
    const answer = this.answer({ file: path });
    return 'text' in answer ? answer.text : wrong(path);
  }

  files(pattern: string): readonly TextOf[] {
    const answer = this.answer({ files: pattern });
    return 'texts' in answer ? answer.texts : wrong(pattern);
  }

  command(name: CommandName): string {
    const answer = this.answer({ command: name });
    return 'text' in answer ? answer.text : wrong(name);
  }

  config(name: ConfigName): TextOf {
    const answer = this.answer({ config: name });
    return 'config' in answer ? answer.config : wrong(name);
  }

  api(name: ApiName): string {
    const answer = this.answer({ api: name });
    return 'text' in answer ? answer.text : wrong(name);
  }

  processes(): readonly ServerProcess[] {
    const answer = this.answer({ process: 'server' });
    return 'processes' in answer ? answer.processes : wrong('process');
  }

  /** What `read` gives, or undefined where it could not be read: for what a rule can do without. */
  maybe<T>(read: (facts: Facts) => T): T | undefined {
    try {
      return read(this);
    } catch (error) {
      if (error instanceof UnreadError) return undefined;
      throw error;
    }
  }

  private answer(need: Need): Exclude<Answer, { readonly unread: string }> {
    const key = needKey(need);
    if (this.allowed && !this.allowed.has(key))
      throw new FullhouseError('bad-rule', `A rule asked for ${key}, which it has not named.`);
    const answer = this.answers.get(key);
    if (!answer) throw new UnreadError(`${this.who} gave no answer about ${key}.`);
    if ('unread' in answer) throw new UnreadError(answer.unread);
    return answer;
  }
}

function wrong(what: string): never {
  throw new FullhouseError('bad-rule', `The answer about ${what} is of another kind.`);
}

/** One name for one need. */
export function needKey(need: Need): string {
  if ('file' in need) return need.file;
  if ('files' in need) return `every ${need.files}`;
  if ('command' in need) return `program ${need.command}`;
  if ('config' in need) return `configuration ${need.config}`;
  if ('api' in need) return `API ${need.api}`;
  return `process of the ${need.process}`;
}
