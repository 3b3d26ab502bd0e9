import { loginInAddress, masked, removed, secretInQuery } from '../redaction/patterns';
import { referencesIn } from './references';

/** An address whose user has no password: what is in front of the @ is then an access token. */
const tokenInAddress = {
  hint: /:\/\/[^/]*@/,
  pattern: /(\b(?:https?|wss?|rtmps?):\/\/)[^\s/:@?#"']+(?=@)/gi,
};

/** Sentences and YAML go on after an address with these. */
const goesOn = /[.,:)\]}\u2026]+$/;

/**
 * * The text with every secret in the addresses of it changed: passwords and tokens in front of the @, and parameters
 * whose names say that they are secret. References and placeholders such as `{stream}` are none.
 */
export function changeAddressSecrets(text: string, change: (secret: string) => string): string {
  let changed = text;
  for (const { hint, pattern } of [loginInAddress, tokenInAddress, secretInQuery]) {
    if (!hint.test(changed)) continue;
    changed = changed.replace(pattern, (match: string, kept: string) => {
      const found = match.slice(kept.length);
      if (/^\{\w+\}/.test(found) || found.startsWith(masked) || found.startsWith(removed)) return match;
      const secret = found.replace(goesOn, '');
      if (secret === '' || referencesIn(secret).length > 0) return match;
      return `${kept}${change(secret)}${found.slice(secret.length)}`;
    });
  }
  return changed;
}

/** The text with its addresses as they may be shown: `https://host/whep/x?token=•••`. */
export function maskAddresses(text: string): string {
  return changeAddressSecrets(text, () => masked);
}

export function addressSecretsIn(text: string): string[] {
  const found: string[] = [];
  changeAddressSecrets(text, (secret) => {
    found.push(secret);
    return secret;
  });
  return found;
}
