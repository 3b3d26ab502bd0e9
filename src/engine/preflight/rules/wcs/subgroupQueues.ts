import { onWcs, pass, warn, type PreflightRule } from '../../rule';
import { whole } from '../../text/numbers';
import { flashphoner, wcsFix, wcsNumber } from '../../text/properties';

const wanted = [
  ['streaming_distributor_subgroup_queue_size', 300],
  ['streaming_distributor_subgroup_queue_max_waiting_time', 5000],
  ['streaming_distributor_audio_subgroup_queue_size', 300],
  ['streaming_distributor_audio_subgroup_queue_max_waiting_time', 5000],
] as const;

export const subgroupQueues: PreflightRule = {
  id: 'wcs.subgroup-queues',
  title: 'Sub-group queues',
  checks: 'Queue sizes and max wait times of the video and audio sub-groups.',
  why: 'In a burst, a short queue drops frames that the server could have sent slightly later.',
  good: 'queue sizes of at least 300 packets, max waits of at least 5,000 ms',
  source: 'Flashphoner: What kind of server do you need to run a thousand WebRTC streams?',
  applies: onWcs,
  needs: [flashphoner],
  judge: (facts, { node }) => {
    const short = wanted.flatMap(([key, least]) => {
      const value = wcsNumber(facts, key);
      return value !== undefined && value >= least
        ? []
        : [
            {
              line: `${key}=${least}`,
              read: `${key} ${value === undefined ? 'is not set' : `is ${whole(value)}`}`,
            },
          ];
    });
    return short.length === 0
      ? pass(`All four queues on ${node} are as long as in the vendor's tests.`)
      : warn(
          `${short.map(({ read }) => read).join(', ')} on ${node}.`,
          wcsFix(facts, ...short.map(({ line }) => line)),
        );
  },
};
