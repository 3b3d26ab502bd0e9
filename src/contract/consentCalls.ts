import { z } from 'zod';
import type { PlanConsent } from '../domain/consent/consent';
import { consentKinds } from '../domain/model/consentKind';
import { secretKinds } from '../domain/model/nodeSettings';
import { exactly } from './exactly';
import { plan } from './planSchemas';

const text = z.string().max(100_000);

export const consentItem = z.object({ kind: z.enum(consentKinds), path: text, text });

export const planConsent = exactly<PlanConsent>()(
  z.object({
    items: z.array(consentItem),
    newNodes: z.array(
      z.object({ name: text, addresses: z.array(text), secrets: z.array(z.enum(secretKinds)).optional() }),
    ),
  }),
);

/** What a start, or an inspection of a plan's nodes, is allowed to do. */
export const consentInput = {
  /** Everything that `plans.consent` lists as items; from a window this counts only after `consent.grant`. */
  allowHooks: z.boolean().optional(),
  /** Addresses of new nodes that the person has seen and allowed. */
  allowNodes: z.array(text).max(20_000).optional(),
};

export const consentCalls = {
  /**
   * What the person has to allow before the plan starts, or (`nodes`) before its nodes are inspected. Reads the
   * inventories and kubeconfigs that it names, and contacts nothing.
   */
  'plans.consent': {
    input: z.strictObject({ plan, scope: z.enum(['run', 'nodes']).optional() }),
    output: planConsent,
  },
} as const;

/** For the main process only: a page that could grant its own requests could run any program. */
export const consentShellCalls = {
  /**
   * The user allowed exactly these texts of a plan's items in a native dialog: the next start by a window may do them.
   * Refused when the plan has others by now.
   */
  'consent.grant': {
    input: z.strictObject({ plan, texts: z.array(text), scope: z.enum(['run', 'nodes']).optional() }),
    output: z.object({ done: z.literal(true) }),
  },
} as const;
