import { fail, onWcs, pass, type PreflightRule } from '../../rule';
import { counted, whole } from '../../text/numbers';
import { flashphoner, shown, wcsFix, wcsSetting } from '../../text/properties';

const key = 'streaming_distributor_subgroup_enabled';
/** From this many viewers of one stream on, the vendor recommends it. */
const manyViewers = 100;

export const subgroups: PreflightRule = {
  id: 'wcs.subgroups',
  title: 'Distributor sub-groups',
  checks: `${key}: whether the viewers of one stream are distributed over CPU threads.`,
  why: 'A single thread for all viewers of a stream saturates at a few hundred of them: frames are dropped while other cores are idle.',
  good: 'true from 100 viewers of one stream',
  source: 'Flashphoner: What kind of server do you need to run a thousand WebRTC streams?',
  applies: onWcs,
  needs: [flashphoner],
  judge: (facts, { node, viewersOfOneStream: viewers }) => {
    const value = wcsSetting(facts, key);
    if (value === 'true') return pass(`${key} is true on ${node}.`);
    const read = `${shown(key, value, 'false')} on ${node}`;
    return viewers < manyViewers
      ? pass(`${read}, which is enough for ${counted(viewers, 'viewer')} of one stream.`)
      : fail(
          `${read}; recommended for ${whole(viewers)} viewers of one stream: true.`,
          wcsFix(
            facts,
            `${key}=true`,
            'streaming_distributor_subgroup_size=50',
            'streaming_distributor_audio_subgroup_size=500',
          ),
        );
  },
};
