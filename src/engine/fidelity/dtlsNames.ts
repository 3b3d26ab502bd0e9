/** Names of numbers in a ClientHello, by the registries of IANA; others keep their hexadecimal number. */

const versions: Readonly<Record<string, string>> = { feff: 'DTLS 1.0', fefd: 'DTLS 1.2', fefc: 'DTLS 1.3' };
const groups: Readonly<Record<string, string>> = {
  '0017': 'P-256',
  '0018': 'P-384',
  '0019': 'P-521',
  '001d': 'X25519',
  '11ec': 'X25519MLKEM768',
};
const srtpProfiles: Readonly<Record<string, string>> = {
  '0001': 'AES128_CM_HMAC_SHA1_80',
  '0002': 'AES128_CM_HMAC_SHA1_32',
  '0007': 'AEAD_AES_128_GCM',
  '0008': 'AEAD_AES_256_GCM',
};
const suites: Readonly<Record<string, string>> = {
  '1301': 'AES_128_GCM_SHA256 (1.3)',
  '1302': 'AES_256_GCM_SHA384 (1.3)',
  '1303': 'CHACHA20_POLY1305_SHA256 (1.3)',
  c02b: 'ECDHE_ECDSA_AES_128_GCM_SHA256',
  c02c: 'ECDHE_ECDSA_AES_256_GCM_SHA384',
  c02f: 'ECDHE_RSA_AES_128_GCM_SHA256',
  c030: 'ECDHE_RSA_AES_256_GCM_SHA384',
  cca8: 'ECDHE_RSA_CHACHA20_POLY1305_SHA256',
  cca9: 'ECDHE_ECDSA_CHACHA20_POLY1305_SHA256',
  c009: 'ECDHE_ECDSA_AES_128_CBC_SHA',
  c00a: 'ECDHE_ECDSA_AES_256_CBC_SHA',
  c013: 'ECDHE_RSA_AES_128_CBC_SHA',
  c014: 'ECDHE_RSA_AES_256_CBC_SHA',
  '009c': 'RSA_AES_128_GCM_SHA256',
  '002f': 'RSA_AES_128_CBC_SHA',
  '0035': 'RSA_AES_256_CBC_SHA',
};

const named = (names: Readonly<Record<string, string>>) => (number: string) => names[number] ?? number;

export const dtlsName = {
  version: named(versions),
  group: named(groups),
  srtp: named(srtpProfiles),
  suite: named(suites),
};
