import type { HostKeyQuestion } from '../../domain/model/node';
import { FullhouseError } from '../../contract/calls';
import { Emitter } from '../base/emitter';
import type { HostKeys } from '../links/ssh/sshLink';

/** The trusted host keys and the pending questions: the user confirms by fingerprint, and the key is stored. */
export class HostKeyStore implements HostKeys {
  /** A key was just trusted: other connections that wait for the same confirmation may continue. */
  readonly trusted = new Emitter<HostKeyQuestion>();
  private readonly asked = new Map<string, { host: string; port: number; key: Buffer }>();

  constructor(
    private readonly keys: HostKeys,
    private readonly options: {
      /** Where ssh keeps its config and keys; undefined: `~/.ssh`. */
      readonly sshFolder?: string;
      /** Fingerprints that the user passed in advance. */
      readonly accepted?: readonly string[];
    } = {},
  ) {}

  get sshFolder(): string | undefined {
    return this.options.sshFolder;
  }

  question(...offer: Parameters<HostKeys['question']>): HostKeyQuestion | undefined {
    const question = this.keys.question(...offer);
    const [host, port, key] = offer;
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

  /** Trusts the key of `question`. Throws when the user confirmed another fingerprint. */
  answer(question: HostKeyQuestion | undefined, fingerprint: string): void {
    const pending = question && this.asked.get(this.nameOf(question));
    if (!question || !pending)
      throw new FullhouseError('no-question', 'No host key is waiting for confirmation; try to connect again.');
    if (question.fingerprint !== fingerprint)
      throw new FullhouseError(
        'other-key',
        `${question.host} presents another key now (${question.fingerprint}); check it again before you trust it.`,
      );
    this.keys.trust(pending.host, pending.port, pending.key);
    this.asked.delete(this.nameOf(question));
    this.trusted.emit(question);
  }

  private nameOf({ host, fingerprint }: HostKeyQuestion): string {
    return `${host} ${fingerprint}`;
  }
}
