import { utils, type ParsedKey } from 'ssh2';
import { WireReader } from './wireFormat';

/** The content of a private key file. */
export type KeyFile =
  | { readonly state: 'open'; readonly key: ParsedKey }
  /** Its passphrase is missing or wrong. `blob`: the public key, where the file contains it. */
  | { readonly state: 'locked'; readonly wrongPassphrase: boolean; readonly blob?: Buffer }
  | { readonly state: 'unusable'; readonly why: string };

/** Reads a private key in OpenSSH's, PEM's or PuTTY's format. */
export function openPrivateKey(text: string, passphrase: string | undefined): KeyFile {
  const parsed = parse(text, passphrase);
  if (!(parsed instanceof Error)) {
    const [key] = [parsed].flat();
    return key?.isPrivateKey() ? { state: 'open', key } : { state: 'unusable', why: 'it is not a private key' };
  }
  if (/^Unsupported key type: sk-|sk-(ssh|ecdsa)/.test(parsed.message))
    return { state: 'unusable', why: 'it needs a security key; add it to the SSH agent' };
  // ssh2 reports a wrong passphrase by its cipher's error or by invalid bytes.
  const encrypted = /no passphrase given|passphrase|decrypt|integrity|bad decrypt|Malformed OpenSSH/i.test(
    parsed.message,
  );
  const blob = publicPart(text);
  if (isEncrypted(text) && encrypted)
    return { state: 'locked', wrongPassphrase: Boolean(passphrase), ...(blob && { blob }) };
  if (isEncrypted(text) && passphrase) return { state: 'locked', wrongPassphrase: true, ...(blob && { blob }) };
  return { state: 'unusable', why: lowerFirst(parsed.message.replace(/:.*/s, '')) };
}

function parse(text: string, passphrase: string | undefined): ParsedKey | ParsedKey[] | Error {
  try {
    return utils.parseKey(text, passphrase);
  } catch (error) {
    return error as Error;
  }
}

/** OpenSSH's format has the public key before the encrypted private one. */
function publicPart(text: string): Buffer | undefined {
  const match = /-----BEGIN OPENSSH PRIVATE KEY-----([\s\S]+?)-----END/.exec(text);
  if (!match?.[1]) return undefined;
  try {
    const bytes = Buffer.from(match[1], 'base64');
    const reader = new WireReader(bytes.subarray('openssh-key-v1\0'.length));
    for (let skipped = 0; skipped < 3; skipped += 1) reader.string(); // cipher, key derivation, its options
    return reader.number() > 0 ? reader.string() : undefined;
  } catch {
    return undefined; // truncated: the parser above has reported it already
  }
}

function isEncrypted(text: string): boolean {
  if (/ENCRYPTED/.test(text) || /^Encryption: (?!none)/m.test(text)) return true;
  const match = /-----BEGIN OPENSSH PRIVATE KEY-----([\s\S]+?)-----END/.exec(text);
  if (!match?.[1]) return false;
  const bytes = Buffer.from(match[1], 'base64');
  return bytes.length > 23 && bytes.toString('latin1', 19, 23) !== 'none';
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
