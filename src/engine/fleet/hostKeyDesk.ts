import type { HostKeyQuestion } from '../../domain/node';
import { FullhouseError } from '../../contract/calls';
import { Emitter } from '../emitter';
import type { HostKeys } from '../links/ssh/sshLink';

/** The trusted host keys, with a memory of the questions: a person answers by the fingerprint, and what is kept is the key. */
export class HostKeyDesk implements HostKeys {
  /** A key that a person has just trusted: whoever else waits for the same word may go on. */
  readonly trusted = new Emitter<HostKeyQuestion>();
  private readonly asked = new Map<string, { host: string; port: number; key: Buffer }>();

  constructor(
    private readonly keys: HostKeys,
    private readonly options: {
      /** Where ssh keeps its config and keys; undefined: `~/.ssh`. */
      readonly sshFolder?: string;
      /** Fingerprints that a person has named beforehand. */
      readonly accepted?: readonly string[];
    } = {},
  ) {}

  get sshFolder(): string | undefined {
    return this.options.sshFolder;
  }

  question(...asked: Parameters<HostKeys['question']>): HostKeyQuestion | undefined {
    const question = this.keys.question(...asked);
    const [host, port, key] = asked;
    if (question?.state === 'unknown' && this.options.accepted?.includes(question.fingerprint)) {
      this.keys.trust(host, port, key);
      return undefined;
    }
    if (question) this.asked.set(this.nameOf(question), { host, port, key });
    return question;
  }

  knownTypes(...asked: Parameters<HostKeys['knownTypes']>): string[] {
    return this.keys.knownTypes(...asked);
  }

  trust(host: string, port: number, key: Buffer): void {
    this.keys.trust(host, port, key);
  }

  /** Trusts the key that `question` was about. Throws when the fingerprint that a person saw is another one. */
  answer(question: HostKeyQuestion | undefined, fingerprint: string): void {
    const asked = question && this.asked.get(this.nameOf(question));
    if (!question || !asked)
      throw new FullhouseError('no-question', 'No host key waits for a word any more; try to connect again.');
    if (question.fingerprint !== fingerprint)
      throw new FullhouseError(
        'other-key',
        `${question.host} shows another key by now (${question.fingerprint}); look at it again before you trust it.`,
      );
    this.keys.trust(asked.host, asked.port, asked.key);
    this.asked.delete(this.nameOf(question));
    this.trusted.emit(question);
  }

  private nameOf({ host, fingerprint }: HostKeyQuestion): string {
    return `${host} ${fingerprint}`;
  }
}
