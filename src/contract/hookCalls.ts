import { z } from 'zod';
import { plan } from './planSchemas';

/** For the main process alone: a page that could grant itself what it asks for would run any program. */
export const hookShellCalls = {
  /** A person has allowed this plan's hooks in a native dialog: the next start of it by a window may carry them out. */
  'hooks.grant': { input: z.strictObject({ plan }), output: z.object({ done: z.literal(true) }) },
} as const;
