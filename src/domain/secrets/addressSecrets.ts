import { loginInAddress, masked, removed, secretInQuery } from '../redaction/patterns';
import { referencesIn } from './references';

/** An address with a user but no password: the part before the @ is then an access token. */
const tokenInAddress = {
  hint: /:\/\/[^/]*@/,
  pattern: /(\b(?:https?|wss?|rtmps?):\/\/)[^\s/:@?#"']+(?=@)/gi,
};

/** Sentences and YAML continue after an address with these. */
const goesOn = /[.,:)\]}\u2026]+$/;

/**
 * The text with every secret in its addresses changed: passwords and tokens before the @, and parameters whose names
 * indicate a secret. References and placeholders such as `{stream}`, and USER:PASSWORD of our own hints, are not secrets.
 */
function changeAddressSecrets(text: string, change: (secret: string) => string): string {
  let changed = text;
  for (const { hint, pattern } of [loginInAddress, tokenInAddress, secretInQuery]) {
    if (!hint.test(changed)) continue;
    changed = changed.replace(pattern, (match: string, kept: string) => {
      const found = match.slice(kept.length);
      if (
        /^\{\w+\}/.test(found) ||
        (found === 'PASSWORD' && kept.endsWith('//USER:')) ||
        found.startsWith(masked) ||
        found.startsWith(removed)
      )
        return match;
      const secret = found.replace(goesOn, '');
      if (secret === '' || referencesIn(secret).length > 0) return match;
      return `${kept}${change(secret)}${found.slice(secret.length)}`;
    });
  }
  return changed;
}

/** The text with its addresses masked for display: `https://host/whep/x?token=•••`. */
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
