import { maskAddresses } from '../secrets/addressSecrets';
import { audiencesOf } from '../model/distribution';
import type { Plan, PlanHook } from '../model/plan';

/** The programs that a plan starts and the addresses that it calls, which the user has to allow. */
export function hooksOf(plan: Plan): readonly PlanHook[] {
  return plan.hooks ?? [];
}

/** One complete line for each hook, and for each program that lists tokens. */
export const externalTexts = (plan: Plan): readonly string[] => [
  ...hooksOf(plan).map(hookText),
  ...tokenCommandsOf(plan).map(
    (command) => `before viewers connect: run ${command.map(quoted).join(' ')} on this machine, for their tokens`,
  ),
];

/** The programs whose output are the tokens of viewers. */
export const tokenCommandsOf = (plan: Plan): ReadonlyArray<readonly [string, ...string[]]> =>
  audiencesOf(plan).flatMap(({ tokens }) => (tokens?.command ? [tokens.command] : []));

/** One complete line per hook, for the user who allows it. */
function hookText(hook: PlanHook): string {
  return 'run' in hook
    ? `at ${hook.at}: run ${hook.run.map(quoted).join(' ')} on this machine`
    : `at ${hook.at}: send the run's figures to ${visible(maskAddresses(hook.post))}`;
}

/**
 * A quoted text in which nothing can hide: line ends, control characters and characters that change the text direction
 * are escaped.
 */
export function quoted(text: string): string {
  return visible(JSON.stringify(text));
}

function visible(text: string): string {
  return text.replace(/[\p{C}\p{Zl}\p{Zp}]|(?! )\p{Zs}/gu, (sign) =>
    sign
      .split('')
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join(''),
  );
}
