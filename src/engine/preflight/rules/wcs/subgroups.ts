import { fail, onWcs, pass, type PreflightRule } from '../../rule';
import { counted, whole } from '../../text/numbers';
import { flashphoner, shown, wcsFix, wcsSetting } from '../../text/properties';

const key = 'streaming_distributor_subgroup_enabled';
/** From so many viewers of one stream on, the makers advise it. */
const manyViewers = 100;

export const subgroups: PreflightRule = {
  id: 'wcs.subgroups',
  title: 'Distributor sub-groups',
  checks: `${key}: whether the viewers of one stream are spread over CPU threads.`,
  why: 'One thread that serves all viewers of a stream falls behind at some hundred of them: frames drop while other cores are idle.',
  good: 'true from 100 viewers of one stream on',
  source: 'Flashphoner: What kind of server do you need to run a thousand WebRTC streams?',
  applies: onWcs,
  needs: [flashphoner],
  judge: (facts, { node, viewersOfOneStream: viewers }) => {
    const value = wcsSetting(facts, key);
    if (value === 'true') return pass(`${key} is true on ${node}.`);
    const read = `${shown(key, value, 'false')} on ${node}`;
    return viewers < manyViewers
      ? pass(`${read}, which does for ${counted(viewers, 'viewer')} of one stream.`)
      : fail(
          `${read}; with ${whole(viewers)} viewers of one stream true is wanted.`,
          wcsFix(
            facts,
            `${key}=true`,
            'streaming_distributor_subgroup_size=50',
            'streaming_distributor_audio_subgroup_size=500',
          ),
        );
  },
};
