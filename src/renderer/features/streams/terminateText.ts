import type { StreamView } from '../../../domain/model/node';
import { counted, grouped } from '../../ui/format/numbers';

/** Text of the confirmation. */
export interface TerminateQuestion {
  readonly title: string;
  readonly sentence: string;
  readonly button: string;
}

const republishes = 'A publisher that reconnects automatically will publish again.';

/** One stream; `known` is its reported state. */
export function questionOfOne(node: string, stream: string, known: StreamView | undefined): TerminateQuestion {
  const viewers = known?.viewers ? ` and ${counted(known.viewers, 'viewer')}` : '';
  return {
    title: `Terminate ${stream}?`,
    sentence: `${node} terminates the stream and disconnects its publisher${viewers}. ${republishes}`,
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
    ? `${node} terminates every matching stream, including new ones until you confirm.`
    : `${node} terminates every stream, including new ones until you confirm.`;
  return {
    title,
    sentence: `${which} Publishers and viewers are disconnected. ${republishes}`,
    button: buttonOfMany(matching, filter),
  };
}

/** `Terminate all 6`, and with a filter `Terminate 12 matching`. */
export function buttonOfMany(matching: number, filter: string): string {
  return filter ? `Terminate ${grouped(matching)} matching` : `Terminate all ${grouped(matching)}`;
}

/** Result, for a notice. */
export function sentenceOfEnded(node: string, ended: number): string {
  return `${node} terminated ${counted(ended, 'stream')}.`;
}

/** Failures, with the first reasons. */
export function sentenceOfProblems(node: string, problems: readonly string[]): string {
  const first = problems.slice(0, 2).join(' ');
  const more = problems.length > 2 ? ` And ${grouped(problems.length - 2)} more.` : '';
  return `${node} did not terminate ${counted(problems.length, 'stream')}: ${first}${more}`;
}
