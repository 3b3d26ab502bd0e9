import type { AgentRecord } from '../../contract/agentSample';

/** Whether an agent of this machine had viewers, publications or streams when it ended, or was left without a console. */
export class AgentWork {
  /** It has some. */
  isOpen = false;
  private isUnattended = false;

  take(record: AgentRecord): void {
    // Without a console it disconnects all of them, and exits.
    if (record.kind === 'event') this.isUnattended ||= record.event.name === 'unattended';
    if (record.kind === 'event' || this.isUnattended) return;
    const { jobs = [], publications = [], lab } = record.sample;
    const open = [...jobs, ...publications].filter(({ state }) => state !== 'ended' && state !== 'failed');
    this.isOpen = open.length > 0 || (lab?.streams.length ?? 0) > 0;
  }
}
