import { defaultOut } from '../defaultOut';

/** Paragraphs of `--help` and of the man page. */
export const operandsText = `PLAN.yaml is a plan, e.g. plans/pull-1000-lab.yaml; - reads it from standard input. RUN is a .fullhouse file, or the id of a run in ./${defaultOut}. TIME is ISO 8601, e.g. 2026-11-21T09:00:00Z; local time without a zone.`;
export const passwordsText =
  'Passwords are read from the environment, by the name of the node in the plan: FULLHOUSE_TESTER_1_SSH_PASSWORD (SSH_PASSPHRASE, HTTP_PASSWORD, API_SECRET).';
export const signalsText =
  'Ctrl-C disconnects all viewers and saves the run; a second Ctrl-C forces it. SIGTERM and a closed terminal do the same; a closed pipe stops nothing.';
