import type { Facts } from '../../reading/facts';
import { fail, pass, warn, type Judged } from '../../rule';
import { whole } from '../../text/numbers';
import { sysctlFix, sysctlNumber } from '../../text/sysctl';

const goodBytes = 16 * 1024 * 1024;
/** Below a quarter of it, a burst of key frames of some hundred viewers does not fit. */
const failBytes = 4 * 1024 * 1024;

/** Judges the maximum size of a socket's buffer; `canFail`: a far too small one fails. */
export function judgeBuffer(facts: Facts, name: string, node: string, canFail: boolean): Judged {
  const bytes = sysctlNumber(facts, name);
  const read = `${name} on ${node} is ${whole(bytes)} bytes`;
  if (bytes >= goodBytes) return pass(`${read}, which is enough.`);
  const sentence = `${read}; recommended for streaming: ${whole(goodBytes)}.`;
  return (bytes < failBytes && canFail ? fail : warn)(sentence, sysctlFix([name, goodBytes]));
}
