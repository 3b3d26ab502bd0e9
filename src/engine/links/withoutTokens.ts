import type { AgentRecord } from '../../contract/agentSample';

/** Removes tokens (JWT) from a text, complete or truncated: LiveKit echoes a wrong one to the client. */
export function withoutTokens(text: string): string {
  return text.replace(/\beyJ[\w-]*(\.[\w-]*){0,2}/g, '(token)');
}

/** An agent's record without tokens from a server's error text. */
export function recordWithoutTokens(record: AgentRecord): AgentRecord {
  if (record.kind === 'event')
    return { ...record, event: { ...record.event, message: withoutTokens(record.event.message) } };
  const { publications } = record.sample;
  if (!publications?.some(({ problem }) => problem)) return record;
  return {
    ...record,
    sample: {
      ...record.sample,
      publications: publications.map((publication) =>
        publication.problem === undefined
          ? publication
          : { ...publication, problem: withoutTokens(publication.problem) },
      ),
    },
  };
}
