import type { PlanHook } from '../../domain/model/plan';
import { hooksOf } from '../../domain/plan/planHooks';
import type { RunView } from '../../domain/model/run';
import type { Clock } from '../base/clock';
import type { SecretBox } from '../secrets/secretBox';
import { postJson } from '../links/http/postJson';
import { resolvedPost, secretsForProgram } from '../secrets/resolve';
import { runProgram } from '../base/program';
import { seconds } from '../base/sentences';
import { hookValues } from './hookVariables';

/** A hook that takes longer is ended: nothing outside may delay a run. */
const patienceMs = 30_000;

/** Executes a plan's hooks. Never rejects: the result of each is one sentence for the log. */
export async function callHooks(
  at: PlanHook['at'],
  view: RunView,
  { secrets, clock }: { readonly secrets: SecretBox; readonly clock: Clock },
  say: (sentence: string) => void,
): Promise<void> {
  const due = hooksOf(view.plan).filter((hook) => hook.at === at);
  const isSecret = (value: string): boolean => secrets.mask.has(value);
  const payload = secrets.mask.value(view, ['view']);
  await Promise.all(
    due.map(async (hook) => {
      const startedMs = clock.monotonic();
      const what = 'run' in hook ? hook.run[0] : `POST to ${new URL(hook.post).host}`;
      const input = 'run' in hook ? secretsForProgram(hook.run, secrets) : undefined;
      const note = input === undefined ? '' : ' (the secrets of its arguments are on its standard input)';
      try {
        await ('run' in hook
          ? runProgram(hook.run, {
              ...{ variables: hookValues(payload), timeoutMs: patienceMs, isSecret },
              ...(input && { input }),
            })
          : post(resolvedPost(hook.post, secrets), payload, at, clock));
        say(`Hook at ${at}: ${what} done in ${seconds(clock.monotonic() - startedMs)}${note}`);
      } catch (error) {
        say(`Hook at ${at}: ${what} failed${note}: ${(error as Error).message}`);
      }
    }),
  );
}

function post(url: string, view: RunView, at: PlanHook['at'], clock: Clock): Promise<void> {
  const { id, name, state, startedMs, endedMs, figures, verdict, limit } = view;
  const run = { id, name, state, startedMs, endedMs, figures, verdict, limit };
  return postJson(url, { at, run }, { clock, timeoutMs: patienceMs });
}
