import { urlFault } from './addressFault';

/** What is wrong with an address that something is sent to, one sentence; undefined if nothing is. `where`: `a plan`. */
export function postFault(text: string, where: string, write: string): string | undefined {
  if (!/^https?:\/\/[^\s/?#]+([/?#]\S*)?$/i.test(text)) return `"${text}" is not an address. ${write}`;
  if (/^https?:\/\/[^/?#]*@/i.test(text))
    return `Secrets must not be written into ${where}. Remove the part before "@".`;
  return urlFault(text, ['http', 'https']);
}
