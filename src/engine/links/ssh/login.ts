import type { AuthHandlerMiddleware, NextAuthHandler } from 'ssh2';
import { FullhouseError } from '../../../contract/calls';
import { asSentence } from '../../../domain/text/sentence';
import { secretFix } from '../../base/secretPlace';
import type { KeyOffer, KeyOffers } from './keyOffers';
import { placeholderKey } from './publicKeyLogin';

type Method = 'publickey' | 'password' | 'keyboard-interactive';

interface Candidate {
  readonly method: Method;
  readonly label: string;
  readonly start: (next: NextAuthHandler) => void;
}

/**
 * The login at one hop in ssh's order: keys, then the password. It first requests the server's methods, offers only
 * those, and records what was tried, for the message of a refusal.
 */
export class Login {
  private readonly candidates: Candidate[];
  private readonly tried: string[] = [];
  private readonly locked: KeyOffer[] = [];
  private readonly remarks: string[];
  private methods: readonly string[] = [];
  private current: Candidate | undefined;
  private isFirst = true;

  constructor(
    private readonly user: string,
    keys: KeyOffers,
    private readonly password: string | undefined,
  ) {
    this.remarks = [...keys.remarks];
    this.candidates = keys.offers.map((offer) => ({
      method: 'publickey',
      label: offer.label,
      start: (next) => next({ type: 'publickey', username: user, key: placeholderKey(offer) }),
    }));
    if (password === undefined) return;
    this.candidates.push(
      {
        method: 'password',
        label: 'password',
        start: (next) => next({ type: 'password', username: user, password }),
      },
      {
        method: 'keyboard-interactive',
        label: 'password',
        start: (next) => next({ type: 'keyboard-interactive', username: user, prompt: this.answer }),
      },
    );
  }

  /** The method of a successful login. */
  get by(): string {
    return this.current?.label ?? 'none (the server requires no authentication)';
  }

  readonly handler: AuthHandlerMiddleware = (methods, isPartial, next) => {
    if (this.isFirst) {
      this.isFirst = false;
      return next({ type: 'none', username: this.user });
    }
    this.methods = methods ?? [];
    if (this.current && !isPartial) this.tried.push(this.current.label);
    if (this.current && isPartial)
      this.remarks.push(`${this.current.label} was accepted, but the server requires another method`);
    const index = this.candidates.findIndex(
      ({ method, label }) =>
        this.methods.includes(method) && !(method === 'keyboard-interactive' && this.tried.includes(label)),
    );
    this.current = index < 0 ? undefined : this.candidates.splice(index, 1)[0];
    if (this.current) this.current.start(next);
    // ssh2 takes false for the end; its types lack it.
    else (next as unknown as (end: false) => void)(false);
  };

  readonly onLocked = (offer: KeyOffer): void => {
    this.locked.push(offer);
  };
  readonly onSignFailed = (offer: KeyOffer, why: string): void => {
    this.remarks.push(`${offer.label} would be accepted but failed to sign: ${why}`);
  };

  /** The password for a password prompt; codes of a second factor are not supported. */
  private readonly answer = (
    _name: string,
    _instructions: string,
    _language: string,
    prompts: readonly { prompt: string; echo?: boolean }[],
    finish: (answers: string[]) => void,
  ): void => {
    const known = prompts.map(
      ({ prompt, echo }) =>
        /passw|passcode/i.test(prompt) ||
        (prompts.length === 1 && !echo && !/code|token|otp|verification/i.test(prompt)),
    );
    const other = prompts.find((_, index) => !known[index]);
    if (other) this.remarks.push(`the server prompts for "${other.prompt.trim()}", which Fullhouse does not support`);
    finish(known.map((isPassword) => (isPassword ? (this.password ?? '') : '')));
  };

  /** Why the login failed; `serverMessage` is the server's message when it closed the connection. */
  failure(
    { who, secretsOf = who }: { readonly who: string; readonly secretsOf?: string },
    hop: string,
    serverMessage?: string,
  ): FullhouseError {
    const key = this.locked[0];
    if (key) {
      const file = key.label.replace(/^(key|certificate) /, '');
      return new FullhouseError(
        'key-passphrase',
        key.wrongPassphrase
          ? `${who}: ${hop} would accept ${key.label}, but the passphrase is wrong. ${asSentence(secretFix(secretsOf, 'sshPassphrase', `enter the passphrase of ${file}`))}.`
          : `${who}: ${hop} would accept ${key.label}, but it needs a passphrase. ${asSentence(`${secretFix(secretsOf, 'sshPassphrase', 'enter it')}, or add the key to the SSH agent`)}.`,
      );
    }
    const takes = this.methods.length > 0 ? ` The server accepts ${list(this.methods)}.` : '';
    const tried = this.tried.length > 0 ? `Tried: ${this.tried.join(', ')}.` : 'No usable key and no password.';
    const fix = this.password === undefined ? secretFix(secretsOf, 'sshPassword', '') : '';
    const remarks = this.remarks.length > 0 ? ` Also: ${this.remarks.join('; ')}.` : '';
    const ended = serverMessage
      ? ` The server closed the connection: ${serverMessage.replace(/\.$/, '')}. Configure the right key file, so that fewer keys are tried.`
      : '';
    return new FullhouseError(
      'auth',
      `${who}: ${hop} rejected the login of ${this.user}. ${tried}${takes}${remarks}${ended}${fix && ` ${asSentence(`${fix}, or name a key by keyFile in the plan`)}.`}`,
    );
  }
}

function list(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}
