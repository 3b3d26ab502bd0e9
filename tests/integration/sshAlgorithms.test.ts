import { afterAll, beforeAll, expect, it } from 'vitest';
import { startSshd } from './servers/sshd';
import { refusal, sshBench, type SshBench } from './sshSupport';

let bench: SshBench;
beforeAll(() => (bench = sshBench()));
afterAll(() => bench?.remove());

it.each([
  [
    'key exchange algorithm',
    ['KexAlgorithms sntrup761x25519-sha512@openssh.com'],
    /The server offers sntrup761x25519-sha512@openssh\.com; Fullhouse offers [^.]*curve25519-sha256[^.]*/,
    /Add "KexAlgorithms \+curve25519-sha256[^"]*" to its sshd_config\.$/,
  ],
  [
    'cipher',
    ['Ciphers 3des-cbc,aes256-cbc'],
    /The server offers 3des-cbc, aes256-cbc; Fullhouse offers [^;]*aes128-ctr/,
    /Add "Ciphers \+[\w@.-]+" to its sshd_config\.$/,
  ],
  [
    'MAC',
    ['Ciphers aes128-ctr', 'MACs umac-64@openssh.com'],
    /The server offers umac-64@openssh\.com; Fullhouse offers [^;]*hmac-sha2-256/,
    /Add "MACs \+hmac-[\w@.-]+" to its sshd_config\.$/,
  ],
  [
    'host key algorithm',
    ['HostKeyAlgorithms ssh-dss'],
    /The server offers ssh-dss; Fullhouse offers ssh-ed25519, /,
    /Add "HostKeyAlgorithms \+ssh-ed25519" to its sshd_config, and create its key there \(ssh-keygen -A\)\.$/,
  ],
])('a server without a common %s', async (kind, config, offers, line) => {
  const sshd = await startSshd({ config, ...(kind.startsWith('host') && { hostKeys: ['dsa'] as const }) });
  const { code, message } = await refusal(bench.open(sshd, { keyFile: sshd.keyFile }));
  await sshd.stop();
  expect(code).toBe('no-algorithm');
  expect(message).toContain(`tester-2: 127.0.0.1:${sshd.port} and Fullhouse have no common ${kind}. `);
  expect(message).toMatch(offers);
  expect(message).toMatch(line);
  // Extensions that are no algorithms.
  expect(message).not.toMatch(/ext-info|kex-strict/);
});
