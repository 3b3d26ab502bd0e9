import type { AgentRecord } from '../../contract/agentProtocol';

/** A text without the tokens (JWT) in it, whole or cut off: LiveKit tells who comes with a wrong one what it was. */
export function withoutTokens(text: string): string {
  return text.replace(/\beyJ[\w-]*(\.[\w-]*){0,2}/g, '(token)');
}

/** An agent's record without the tokens that a server's words brought into its sentences. */
export function recordWithoutTokens(record: AgentRecord): AgentRecord {
  if (record.kind === 'event')
    return { ...record, event: { ...record.event, message: withoutTokens(record.event.message) } };
  const { publications } = record.sample;
  if (!publications?.some(({ problem }) => problem)) return record;
  return {
    ...record,
    sample: {
      ...record.sample,
      publications: publications.map((each) =>
        each.problem === undefined ? each : { ...each, problem: withoutTokens(each.problem) },
      ),
    },
  };
}
