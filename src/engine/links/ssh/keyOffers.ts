import { existsSync } from 'node:fs';
import type { ParsedKey } from 'ssh2';
import { shortPath } from './hostKeys';
import { agentKeys, agentSign } from './keyAgent';
import { fingerprintOf, keyTypeOf } from './knownHosts';
import { openPrivateKey } from './privateKeys';
import type { SshHop } from './sshConfig';
import { sshString, WireReader } from './wireFormat';
import { readTextFile } from '../../base/readTextFile';

export type RsaHash = 'sha1' | 'sha256' | 'sha512';

/** A public key to offer to a server. */
export interface KeyOffer {
  /** For messages, e.g. `key ~/.ssh/id_ed25519` or `agent key me@home`. */
  readonly label: string;
  /** Public key or certificate, as sent. */
  readonly blob: Buffer;
  /**
   * The signature prefixed with its algorithm. Undefined: the key is locked, which is reported if the server would
   * accept it.
   */
  readonly sign?: (data: Buffer, rsaHash: RsaHash) => Promise<Buffer>;
  readonly wrongPassphrase?: boolean;
}

export interface KeyOffers {
  readonly offers: readonly KeyOffer[];
  /** Why a configured key can't be used, for the message of a failure. */
  readonly remarks: readonly string[];
}

/** All keys for a hop, best first: the configured file, the agent's keys, those of the config and the usual files. */
export async function keyOffers(
  hop: SshHop,
  passphrase: string | undefined,
  firstFile: string | undefined,
): Promise<KeyOffers> {
  const remarks: string[] = [];
  const files = hop.keyFiles.flatMap((file) => fileOffers(file, hop, passphrase, remarks));
  const fromAgent = await agentOffers(hop, remarks);
  // IdentityFile names the public part of a key that only the agent has.
  const named = [
    ...files.map(({ blob }) => blob),
    ...hop.keyFiles.flatMap((file) => publicBlob(`${file}.pub`) ?? publicBlob(file) ?? []),
  ];
  const wanted = hop.identitiesOnly
    ? fromAgent.filter((offer) => named.some((blob) => samePublicKey(blob, offer.blob)))
    : fromAgent;
  const isFirst = (offer: KeyOffer): boolean =>
    files.some((file) => file.file === firstFile && samePublicKey(file.blob, offer.blob));
  const ordered = [
    ...wanted.filter(isFirst),
    ...files.filter((offer) => offer.file === firstFile),
    ...wanted.filter((offer) => !isFirst(offer)),
    ...files.filter((offer) => offer.file !== firstFile),
  ];
  // A key file that is also in the agent is offered once; the agent needs no passphrase.
  const offers = ordered.filter(
    (offer, index) => !ordered.slice(0, index).some((other) => other.sign && other.blob.equals(offer.blob)),
  );
  return { offers, remarks };
}

interface FileOffer extends KeyOffer {
  readonly file: string;
}

function fileOffers(file: string, hop: SshHop, passphrase: string | undefined, remarks: string[]): FileOffer[] {
  const isNamed = hop.namedKeyFiles.includes(file);
  const text = readText(file);
  if (text instanceof Error) {
    const isMissing = (text as NodeJS.ErrnoException).code === 'ENOENT';
    if (isNamed && !publicBlob(`${file}.pub`))
      remarks.push(
        isMissing ? `${shortPath(file)} does not exist` : `${shortPath(file)} can't be read: ${text.message}`,
      );
    return [];
  }
  if (publicBlob(file)) return [];
  const opened = openPrivateKey(text, passphrase);
  if (opened.state === 'unusable') {
    remarks.push(`${shortPath(file)} can't be used: ${opened.why}`);
    return [];
  }
  const blob = opened.state === 'open' ? opened.key.getPublicSSH() : (opened.blob ?? publicBlob(`${file}.pub`));
  if (!blob) {
    remarks.push(`${shortPath(file)} needs a passphrase`);
    return [];
  }
  const rest = opened.state === 'open' ? { sign: signer(opened.key) } : { wrongPassphrase: opened.wrongPassphrase };
  const certificates = [`${file}-cert.pub`, ...hop.certificateFiles]
    .map((path) => ({ path, blob: publicBlob(path) }))
    .flatMap(({ path, blob: certificate }) =>
      certificate && certifies(certificate, blob)
        ? [{ label: `certificate ${shortPath(path)}`, blob: certificate, file, ...rest }]
        : [],
    );
  return [...certificates, { label: `key ${shortPath(file)}`, blob, file, ...rest }];
}

async function agentOffers(hop: SshHop, remarks: string[]): Promise<KeyOffer[]> {
  const { agentSocket } = hop;
  if (!agentSocket) return [];
  try {
    const keys = await agentKeys(agentSocket);
    return keys.map(({ blob, comment }) => ({
      label: `agent ${isCertificate(keyTypeOf(blob)) ? 'certificate' : 'key'} ${comment || fingerprintOf(blob)}`,
      blob,
      sign: (data, rsaHash) =>
        agentSign(agentSocket, blob, data, rsaHash === 'sha256' ? 2 : rsaHash === 'sha512' ? 4 : 0),
    }));
  } catch (error) {
    remarks.push(`the SSH agent at ${agentSocket} does not respond: ${(error as Error).message}`);
    return [];
  }
}

/** Signs in the format of SSH messages: algorithm and signature, for ECDSA two numbers instead of ASN.1. */
function signer(key: ParsedKey): (data: Buffer, rsaHash: RsaHash) => Promise<Buffer> {
  return (data, rsaHash) => {
    const isRsa = key.type === 'ssh-rsa';
    const signature: unknown = key.sign(data, isRsa ? rsaHash : undefined);
    if (!Buffer.isBuffer(signature))
      return Promise.reject(signature instanceof Error ? signature : new Error('the key failed to sign'));
    const algorithm = isRsa && rsaHash !== 'sha1' ? `rsa-sha2-${rsaHash.slice(3)}` : key.type;
    const bytes = key.type.startsWith('ecdsa-') ? ecdsaNumbers(signature) : signature;
    return Promise.resolve(Buffer.concat([sshString(algorithm), sshString(bytes)]));
  };
}

/** SEQUENCE { r INTEGER, s INTEGER } in DER, whose numbers have the same bytes as SSH's. */
function ecdsaNumbers(der: Buffer): Buffer {
  let at = (der[1] ?? 0) > 0x80 ? 3 : 2;
  const parts: Buffer[] = [];
  for (let index = 0; index < 2; index += 1) {
    const length = der[at + 1] ?? 0;
    parts.push(sshString(der.subarray(at + 2, at + 2 + length)));
    at += 2 + length;
  }
  return Buffer.concat(parts);
}

function isCertificate(type: string): boolean {
  return type.endsWith('-cert-v01@openssh.com');
}

/** Whether a certificate belongs to this public key: it repeats the key's fields after its type and a nonce. */
function certifies(certificate: Buffer, key: Buffer): boolean {
  const type = keyTypeOf(key);
  if (keyTypeOf(certificate) !== `${type}-cert-v01@openssh.com`) return false;
  const reader = new WireReader(certificate);
  reader.string();
  reader.string();
  const fields = key.subarray(4 + Buffer.byteLength(type));
  const start = certificate.length - reader.rest().length;
  return certificate.subarray(start, start + fields.length).equals(fields);
}

function samePublicKey(one: Buffer, other: Buffer): boolean {
  return one.equals(other) || certifies(one, other) || certifies(other, one);
}

function publicBlob(path: string): Buffer | undefined {
  const text = existsSync(path) ? readText(path) : undefined;
  if (typeof text !== 'string') return undefined;
  const [type, base64] = text.trim().split(/\s+/);
  const blob = Buffer.from(base64 ?? '', 'base64');
  return type && keyTypeOf(blob) === type ? blob : undefined;
}

/** Larger than any key. */
const maxKeyBytes = 1_000_000;

function readText(path: string): string | Error {
  try {
    return readTextFile(path, maxKeyBytes);
  } catch (error) {
    return error as Error;
  }
}
