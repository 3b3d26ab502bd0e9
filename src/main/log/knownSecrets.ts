import type { SecretMask } from '../../domain/secrets/secretMask';
import { isNodeVariable } from '../../domain/secrets/secretVariable';
import type { Keychain } from '../keychain';

/** Variables of `$secret:NAME`, and those whose name says that they have a secret, besides secrets of nodes. */
const secretVariable = /^FULLHOUSE_(SECRET_.+|.*_?(PASSWORD|PASSPHRASE|SECRET|TOKEN|KEY))$/;

/** The keychain, with all that passes it masked in the log from then on; and the secrets of the environment. */
export function masking(
  keychain: Pick<Keychain, 'read' | 'keep'>,
  mask: SecretMask,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Pick<Keychain, 'read' | 'keep'> {
  for (const [name, value] of Object.entries(environment))
    if (isNodeVariable(name) || secretVariable.test(name)) mask.add(value);
  const learn = (secrets: Readonly<Record<string, string | undefined>>): void =>
    Object.values(secrets).forEach((secret) => mask.add(secret));
  return {
    read: () => {
      const all = keychain.read();
      Object.values(all).forEach(learn);
      return all;
    },
    keep: (node, secrets) => {
      learn(secrets);
      keychain.keep(node, secrets);
    },
  };
}
