import { type z, z as schema } from 'zod';
import type { JsonFile } from './jsonFile';

/** The file of secrets: by node and kind, each encrypted by the system's keychain, base64. */
export const savedSecrets = schema.record(schema.string(), schema.record(schema.string(), schema.string()));

/** Key of the secrets for `$secret:NAME` in the file; no node can have this name. */
export const namedSecrets = '$secret';

/** The part of Electron's `safeStorage` used here. */
export interface Cipher {
  isEncryptionAvailable(): boolean;
  encryptString(text: string): Buffer;
  decryptString(data: Buffer): string;
}

/**
 * The nodes' secrets between starts. Data on disk is encrypted with a key of the system's keychain; without one,
 * nothing is written and the secrets last until the app ends, which is reported once.
 */
export class Keychain {
  private isReported = false;

  constructor(
    private readonly file: JsonFile<typeof savedSecrets>,
    private readonly cipher: Cipher,
    private readonly problem: (sentence: string) => void,
  ) {}

  /** All that can be decrypted; others are reported, and stay in the file for the keychain that encrypted them. */
  read(): Record<string, Record<string, string>> {
    const entries = Object.entries(this.file.value);
    if (entries.length === 0) return {};
    if (!this.cipher.isEncryptionAvailable()) {
      this.reportUnavailable('The saved secrets of your nodes cannot be read');
      return {};
    }
    const read: Record<string, Record<string, string>> = {};
    for (const [node, secrets] of entries)
      try {
        read[node] = Object.fromEntries(
          Object.entries(secrets).map(([kind, data]) => [kind, this.cipher.decryptString(Buffer.from(data, 'base64'))]),
        );
      } catch {
        this.problem(
          `The saved ${called(node)} can't be decrypted: this system's keychain has changed since it was saved. Edit the node and enter it again.`,
        );
      }
    return read;
  }

  /** Saves a node's secrets, or the named ones; an empty object deletes them. */
  keep(node: string, secrets: Readonly<Record<string, string | undefined>>): void {
    const others: z.infer<typeof savedSecrets> = { ...this.file.value };
    delete others[node];
    const entries = Object.entries(secrets).filter((entry): entry is [string, string] => entry[1] !== undefined);
    if (entries.length > 0 && !this.cipher.isEncryptionAvailable())
      return this.reportUnavailable(`The ${called(node)} is kept only until Fullhouse ends`);
    try {
      this.file.write(
        entries.length === 0
          ? others
          : {
              ...others,
              [node]: Object.fromEntries(
                entries.map(([kind, value]) => [kind, this.cipher.encryptString(value).toString('base64')]),
              ),
            },
      );
    } catch (error) {
      this.problem(`The ${called(node)} could not be saved: ${(error as Error).message}`);
    }
  }

  private reportUnavailable(what: string): void {
    if (this.isReported) return;
    this.isReported = true;
    this.problem(`${what}: this system has no unlocked keychain. SSH keys and the SSH agent work without one.`);
  }
}

function called(node: string): string {
  return node === namedSecrets ? 'named secret' : `secret of ${node}`;
}
