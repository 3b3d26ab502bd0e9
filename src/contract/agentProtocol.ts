import { z } from 'zod';
import { count, timeMs } from './agentFields';

/**
 * How an agent is started and how messages between engine and agent are wrapped; `agentCalls.ts` has the calls,
 * `agentSample.ts` what an agent reports. `docs/agent-protocol.md` describes them all. The agent's types in
 * `agent/internal/protocol` are generated from them (`npm run protocol`). Messages from an agent may contain fields
 * unknown to this engine. Messages to it are exact: an agent rejects unknown parameters.
 */

/** Must be the same on both sides. */
export const agentProtocolVersion = 3;

export const role = z.enum(['audience', 'lab']);
const processId = z.number().int().positive();
const warnings = z
  .array(z.string())
  .optional()
  .describe('Sentences about limits of the machine that are lower than recommended.');

/** The only line on standard output. */
export const agentListening = z
  .object({
    type: z.literal('listening'),
    protocol: z.number().int(),
    agent: z.string(),
    role,
    address: z.string(),
    pid: processId,
    http: z.string().optional(),
    media: z.string().optional(),
    running: z
      .boolean()
      .optional()
      .describe('Only from start: the agent was already running and keeps its own token (status prints it).'),
    warnings,
  })
  .meta({ id: 'AgentListening', description: 'The only line on standard output, printed when the agent is ready.' });
export type AgentListening = z.infer<typeof agentListening>;

export const agentState = z
  .object({
    pid: processId,
    address: z.string(),
    token: z.string(),
    instance: z.string(),
    protocol: z.number().int(),
    agent: z.string(),
    role,
    sha256: z.string().describe('The hash of the running program, to distinguish builds of one version.'),
    startedMs: timeMs,
    warnings,
  })
  .meta({
    id: 'AgentState',
    description: 'The content of agent.json: what a caller needs to find and to trust a running agent.',
  });

const statusHead = { type: z.literal('status') };

/** The only line of `fullhouse-agent status --state-dir DIR`. It contains the token: never log it. */
export const agentStatus = z
  .discriminatedUnion('alive', [
    z.object({ ...statusHead, alive: z.literal(true), ...agentState.shape }),
    z.object({
      ...statusHead,
      alive: z.literal(false),
      ...agentState.partial().shape,
      lastLogLine: z.string().optional().describe('The last log line of an agent that ended unexpectedly.'),
    }),
  ])
  .meta({ id: 'Status', description: 'The output of status. Without an agent only Type and Alive are set.' });

/** The only line of `fullhouse-agent self-test`. */
export const selfTestResult = z
  .object({
    packets: count.meta({ goType: 'int64' }),
    cpuMs: z
      .number()
      .positive()
      .optional()
      .describe('User and system time of the process; absent if the system does not report it.'),
    wallMs: z.number().positive(),
  })
  .meta({ id: 'SelfTestResult', description: 'Packets sent to itself and received, and what they cost.' });

/** `agents.json` in the folder of built agents: programs by target, e.g. `linux-x64`, `linux-arm64`. */
export const agentManifest = z.record(
  z.string(),
  z.object({
    /** Relative to the manifest. */
    file: z.string(),
    sha256: z.string(),
    bytes: count,
    version: z.string(),
  }),
);

const id = z.number().int().meta({ goType: 'int64' });

export const agentRequest = z
  .object({
    type: z.literal('request'),
    id,
    call: z.string(),
    params: z.record(z.string(), z.unknown()).optional(),
  })
  .meta({ id: 'Request', description: 'A request of the engine.' });

const responseHead = { type: z.literal('response'), id };

export const agentResponse = z
  .union([
    z.object({ ...responseHead, ok: z.literal(true), result: z.unknown().optional() }),
    z.object({
      ...responseHead,
      ok: z.literal(false),
      error: z
        .object({ code: z.string(), message: z.string() })
        .meta({ id: 'Error', description: 'A refusal with a constant code and one sentence for the user.' }),
    }),
  ])
  .meta({ id: 'AgentResponse', description: 'The response to one request.' });
export type AgentResponse = z.infer<typeof agentResponse>;
