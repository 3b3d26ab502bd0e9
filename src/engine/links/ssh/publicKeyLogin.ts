import { utils, type Client, type ParsedKey } from 'ssh2';
import { keyTypeOf } from './knownHosts';
import type { KeyOffer, RsaHash } from './keyOffers';
import { sshString, WireReader } from './wireFormat';

/*
 * ssh2 offers only keys that it can parse and prefixes a signature with the key's type. A certificate needs
 * neither: its own blob is offered, and the signature is the plain key's. Security keys append their own fields. So
 * ssh2 gets a stand-in with the right type and blob for every key, and the signed message is assembled here. This
 * reaches into ssh2's protocol object (`_protocol`, 1.15 to 1.17), which `installKeySigner` checks.
 */

const offerOf = new WeakMap<object, KeyOffer>();

/** A private key object for ssh2. */
export function placeholderKey(offer: KeyOffer): ParsedKey {
  const blob = Buffer.concat([sshString('ssh-rsa'), sshString(Buffer.from([1, 0, 1])), sshString(Buffer.alloc(65, 1))]);
  const carrier = utils.parseKey(`ssh-rsa ${blob.toString('base64')}`);
  if (carrier instanceof Error || Array.isArray(carrier)) throw new Error('ssh2 failed to parse a valid public key.');
  const key = Object.create(carrier, {
    type: { value: wireType(keyTypeOf(offer.blob)) },
    getPublicSSH: { value: () => offer.blob },
    isPrivateKey: { value: () => true },
  }) as ParsedKey;
  offerOf.set(key, offer);
  return key;
}

/** The algorithm to name in a request. With a plain RSA key, ssh2 chooses the hash by what the server supports. */
function wireType(type: string): string {
  return type === 'ssh-rsa-cert-v01@openssh.com' ? 'rsa-sha2-512-cert-v01@openssh.com' : type;
}

interface PacketWriter {
  readonly allocStart: number;
  alloc(bytes: number): Buffer;
  finalize(packet: Buffer): Buffer;
}
type Signed = (data: Buffer, send: (signature: Buffer) => void) => void;
interface Protocol {
  authPK(user: string, key: object, algorithm?: string, sign?: Signed): void;
  authNone(user: string): void;
  readonly _packetRW: { readonly write: PacketWriter };
}

/** Reports what happens to a key that the server would accept. */
export interface KeyListener {
  readonly locked: (offer: KeyOffer) => void;
  readonly failed: (offer: KeyOffer, why: string) => void;
}

/** Makes a connecting client sign for stand-ins. */
export function installKeySigner(client: Client, listener: KeyListener): void {
  const protocol: unknown = Reflect.get(client, '_protocol');
  if (!isProtocol(protocol)) throw new Error('This release of ssh2 is not known to work with Fullhouse.');
  const plain = protocol.authPK.bind(protocol);
  protocol.authPK = (user, key, algorithm, sign) => {
    const offer = offerOf.get(key);
    if (!sign || !offer) return plain(user, key, algorithm, sign);
    // Another request is how ssh2 learns that this key failed: an error would end the entire login.
    const goOn = (): void => protocol.authNone(user);
    if (!offer.sign) {
      listener.locked(offer);
      return goOn();
    }
    const signing = offer.sign;
    plain(user, key, algorithm, (data, send) => {
      signing(data, rsaHash(algorithm)).then(
        (signature) => sendSigned(protocol._packetRW.write, data, signature, send),
        (error: Error) => {
          listener.failed(offer, error.message);
          goOn();
        },
      );
    });
  };
}

function rsaHash(algorithm: string | undefined): RsaHash {
  return algorithm === 'ssh-rsa' ? 'sha1' : algorithm === 'rsa-sha2-256' ? 'sha256' : 'sha512';
}

/** `data` is what was signed: the session id, then the request without its signature. */
function sendSigned(write: PacketWriter, data: Buffer, signature: Buffer, send: (signature: Buffer) => void): void {
  const reader = new WireReader(data);
  reader.string();
  const payload = Buffer.concat([reader.rest(), sshString(signature)]);
  const plain = write.finalize.bind(write);
  write.finalize = () => {
    const packet = write.alloc(payload.length);
    packet.set(payload, write.allocStart);
    return plain(packet);
  };
  try {
    send(Buffer.alloc(1)); // starts with 0: ssh2 leaves it unchanged
  } finally {
    write.finalize = plain;
  }
}

function isProtocol(value: unknown): value is Protocol {
  if (typeof value !== 'object' || value === null) return false;
  const packets: unknown = Reflect.get(value, '_packetRW');
  const write: unknown = typeof packets === 'object' && packets ? Reflect.get(packets, 'write') : undefined;
  return (
    typeof Reflect.get(value, 'authPK') === 'function' &&
    typeof Reflect.get(value, 'authNone') === 'function' &&
    typeof write === 'object' &&
    write !== null &&
    typeof Reflect.get(write, 'alloc') === 'function' &&
    typeof Reflect.get(write, 'finalize') === 'function' &&
    typeof Reflect.get(write, 'allocStart') === 'number'
  );
}
