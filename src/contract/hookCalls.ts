import { z } from 'zod';
import { plan } from './planSchemas';

/** For the main process only: a page that could grant its own requests could run any program. */
export const hookShellCalls = {
  /** The user allowed this plan's hooks in a native dialog: the next start by a window may run them. */
  'hooks.grant': { input: z.strictObject({ plan }), output: z.object({ done: z.literal(true) }) },
} as const;
