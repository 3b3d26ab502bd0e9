import type { z } from 'zod';
import { z as schema } from 'zod';
import type { JsonFile } from './jsonFile';

/** The file of secrets: by node and kind, each encrypted by the system's keychain, base64. */
export const keptSecrets = schema.record(schema.string(), schema.record(schema.string(), schema.string()));

/** Where the file keeps what `$secret:NAME` stands for; no node can have this name. */
export const namedSecrets = '$secret';

/** What Electron's `safeStorage` does. */
export interface Cipher {
  isEncryptionAvailable(): boolean;
  encryptString(text: string): Buffer;
  decryptString(data: Buffer): string;
}

/**
 * The nodes' secrets between starts. What is on the disk is encrypted with a key of the system's keychain; where there is none, nothing
 * is written and the secrets live until the app ends, which is said once.
 */
export class Keychain {
  private told = false;

  constructor(
    private readonly file: JsonFile<typeof keptSecrets>,
    private readonly cipher: Cipher,
    private readonly problem: (sentence: string) => void,
  ) {}

  /** All that can be decrypted; one that can't is told, and stays in the file for the keychain that knows it. */
  read(): Record<string, Record<string, string>> {
    const kept = Object.entries(this.file.value);
    if (kept.length === 0) return {};
    if (!this.cipher.isEncryptionAvailable()) {
      this.tellUnavailable('The kept passwords of your nodes can not be read');
      return {};
    }
    const read: Record<string, Record<string, string>> = {};
    for (const [node, secrets] of kept)
      try {
        read[node] = Object.fromEntries(
          Object.entries(secrets).map(([kind, data]) => [
            kind,
            this.cipher.decryptString(Buffer.from(data, 'base64')),
          ]),
        );
      } catch {
        this.problem(
          `The saved ${called(node)} can't be decrypted: this system's keychain is another one than when it was saved. Edit the node and enter it again.`,
        );
      }
    return read;
  }

  /** Keeps a node's secrets, or those with names of their own; none forgets it. */
  keep(node: string, secrets: Readonly<Record<string, string | undefined>>): void {
    const others: z.infer<typeof keptSecrets> = { ...this.file.value };
    delete others[node];
    const entries = Object.entries(secrets).filter(
      (entry): entry is [string, string] => entry[1] !== undefined,
    );
    if (entries.length > 0 && !this.cipher.isEncryptionAvailable())
      return this.tellUnavailable(`The ${called(node)} is kept until Fullhouse ends`);
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
      this.problem(`The ${called(node)} could not be kept: ${(error as Error).message}`);
    }
  }

  private tellUnavailable(what: string): void {
    if (this.told) return;
    this.told = true;
    this.problem(
      `${what}: this system has no keychain that is unlocked. Keys and the SSH agent work without one.`,
    );
  }
}

function called(node: string): string {
  return node === namedSecrets ? 'secret that plans refer to' : `password of ${node}`;
}
