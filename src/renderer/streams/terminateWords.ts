import type { StreamView } from '../../domain/node';
import { counted, grouped } from '../format/numbers';

/** What is about to be ended, in words. */
export interface TerminateQuestion {
  readonly title: string;
  readonly sentence: string;
  readonly button: string;
}

const comesBack = 'A publisher that tries again by itself comes back.';

/** One stream; `known` is what the server tells of it. */
export function questionOfOne(
  node: string,
  stream: string,
  known: StreamView | undefined,
): TerminateQuestion {
  const viewers = known?.viewers ? ` and ${counted(known.viewers, 'viewer')}` : '';
  return {
    title: `Terminate ${stream}?`,
    sentence: `${node} ends it: its publisher${viewers} will be cut off. ${comesBack}`,
    button: 'Terminate',
  };
}

/** All streams, or those that match a filter. */
export function questionOfMany(node: string, matching: number, filter: string): TerminateQuestion {
  const streams = matching === 1 ? 'the one stream' : `all ${grouped(matching)} streams`;
  const title = filter
    ? `Terminate ${streams} that ${matching === 1 ? 'matches' : 'match'} “${filter}”?`
    : `Terminate ${streams} on ${node}?`;
  const which = filter
    ? `${node} ends every stream that matches when you confirm, also one that came meanwhile.`
    : `${node} ends every stream that it serves when you confirm, also one that came meanwhile.`;
  return {
    title,
    sentence: `${which} Publishers and viewers will be cut off. ${comesBack}`,
    button: buttonOfMany(matching, filter),
  };
}

/** `Terminate all 6`, and with a filter `Terminate 12 that match`. */
export function buttonOfMany(matching: number, filter: string): string {
  return filter ? `Terminate ${grouped(matching)} that match` : `Terminate all ${grouped(matching)}`;
}

/** What was done, for a notice. */
export function sentenceOfEnded(node: string, ended: number): string {
  return `${node} ended ${counted(ended, 'stream')}.`;
}

/** What was not, with the first reasons. */
export function sentenceOfProblems(node: string, problems: readonly string[]): string {
  const first = problems.slice(0, 2).join(' ');
  const more = problems.length > 2 ? ` And ${grouped(problems.length - 2)} more of this kind.` : '';
  return `${node} did not end ${counted(problems.length, 'stream')}: ${first}${more}`;
}
