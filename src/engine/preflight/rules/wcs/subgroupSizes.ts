import { onWcs, pass, warn, type PreflightRule } from '../../rule';
import { whole } from '../../text/numbers';
import { flashphoner, wcsFix, wcsNumber } from '../../text/properties';

const video = 'streaming_distributor_subgroup_size';
const audio = 'streaming_distributor_audio_subgroup_size';

export const subgroupSizes: PreflightRule = {
  id: 'wcs.subgroup-sizes',
  title: 'Sub-group size',
  checks: `${video} and ${audio}: how many sessions share a thread.`,
  why: 'Groups that are too large overload their thread again.',
  good: 'max 50 video and 500 audio sessions',
  source: 'Flashphoner: What kind of server do you need to run a thousand WebRTC streams?',
  applies: onWcs,
  needs: [flashphoner],
  judge: (facts, { node }) => {
    const [videos, audios] = [wcsNumber(facts, video), wcsNumber(facts, audio)];
    const fix = wcsFix(facts, `${video}=50`, `${audio}=500`);
    if (videos === undefined || audios === undefined)
      return warn(
        `${videos === undefined ? video : audio} is not set on ${node}; the vendor's tests use 50 and 500.`,
        fix,
      );
    const read = `Sub-groups on ${node} have ${whole(videos)} video and ${whole(audios)} audio sessions`;
    return videos <= 50 && audios <= 500 ? pass(`${read}.`) : warn(`${read}; recommended: max 50 and 500.`, fix);
  },
};
