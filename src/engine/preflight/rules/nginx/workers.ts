import { on, pass, warn, type PreflightRule } from '../../rule';
import { find, isOn } from '../../text/blocks';
import { confOf, nginxConf, nginxFix } from './conf';

export const workers: PreflightRule = {
  id: 'nginx.workers',
  title: 'Workers',
  checks: 'worker_processes, and rtmp_auto_push where there is more than one.',
  why: 'A stream lives in the worker that accepted its publisher; viewers on other workers see nothing unless rtmp_auto_push forwards it.',
  good: 'one worker, or rtmp_auto_push on',
  source: 'nginx-rtmp: Directives (rtmp_auto_push); SRS: Performance (worker_processes 1)',
  applies: on('nginx-rtmp'),
  needs: [nginxConf],
  judge: (facts, { node }) => {
    const conf = confOf(facts);
    const [count = '1'] = find(conf, 'worker_processes').at(-1) ?? [];
    const isPushed = find(conf, 'rtmp_auto_push').some(isOn);
    if (count === '1') return pass(`nginx on ${node} has one worker.`);
    return isPushed
      ? pass(`nginx on ${node} has ${count} workers and forwards streams to all of them.`)
      : warn(
          `nginx on ${node} has ${count} workers and does not forward streams between them: viewers on the other workers see nothing.`,
          nginxFix(facts, 'worker_processes 1;'),
        );
  },
};
