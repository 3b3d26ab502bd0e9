import type { ServerProcess } from './serverProcess';
import { FullhouseError } from '../../../contract/calls';
import type { Need, ApiName, CommandName, ClusterReading } from './need';
import type { ConfigName } from './configs';

/** Something could not be read; the message is a complete sentence. */
export class UnreadableError extends Error {}

export interface TextOf {
  readonly path: string;
  readonly text: string;
  /** Settings of the server's environment that have precedence over the file. */
  readonly environment?: Readonly<Record<string, string>>;
}

/** What was read, or why not. */
export type Answer =
  | { readonly text: string }
  | { readonly texts: readonly TextOf[] }
  | { readonly config: TextOf }
  | { readonly processes: readonly ServerProcess[] }
  | { readonly unread: string };

/** The readings of one node. Each getter throws an `UnreadableError` without a reading. */
export class Facts {
  constructor(
    private readonly who: string,
    private readonly answers: ReadonlyMap<string, Answer>,
    /** If set, only declared needs may be read. */
    private readonly allowed?: ReadonlySet<string>,
  ) {}

  /** These facts, limited to the declared needs of a rule. */
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

  /** As JSON; see `clusterFact`. */
  cluster(name: ClusterReading): string {
    const answer = this.answer({ cluster: name });
    return 'text' in answer ? answer.text : wrong(name);
  }

  processes(): readonly ServerProcess[] {
    const answer = this.answer({ process: 'server' });
    return 'processes' in answer ? answer.processes : wrong('process');
  }

  /** The result of `read`, or undefined where it could not be read: for optional readings. */
  maybe<T>(read: (facts: Facts) => T): T | undefined {
    try {
      return read(this);
    } catch (error) {
      if (error instanceof UnreadableError) return undefined;
      throw error;
    }
  }

  private answer(need: Need): Exclude<Answer, { readonly unread: string }> {
    const key = needKey(need);
    if (this.allowed && !this.allowed.has(key))
      throw new FullhouseError('bad-rule', `A rule requested ${key} without declaring it.`);
    const answer = this.answers.get(key);
    if (!answer) throw new UnreadableError(`${this.who} returned nothing for ${key}.`);
    if ('unread' in answer) throw new UnreadableError(answer.unread);
    return answer;
  }
}

function wrong(what: string): never {
  throw new FullhouseError('bad-rule', `The reading of ${what} has another type.`);
}

/** The key of a need. */
export function needKey(need: Need): string {
  if ('file' in need) return need.file;
  if ('files' in need) return `every ${need.files}`;
  if ('command' in need) return `program ${need.command}`;
  if ('config' in need) return `configuration ${need.config}`;
  if ('api' in need) return `API ${need.api}`;
  if ('cluster' in need) return `cluster ${need.cluster}`;
  return `process of the ${need.process}`;
}
