import { fail, onWcs, pass, warn, type PreflightRule } from '../../rule';
import { heapBytes, jvmFix, optionsOf, wcsCore } from '../../text/jvm';
import { memInfo, memory } from '../../text/machine';
import { gib } from '../../text/numbers';

export const heap: PreflightRule = {
  id: 'wcs.heap',
  title: 'Heap',
  checks: '-Xmx and -Xms against the memory of the machine.',
  why: 'A small heap is collected all the time under load; a heap that grows during the test causes pauses.',
  good: '-Xmx equal to -Xms, between half and three quarters of the memory',
  source:
    'Flashphoner: What kind of server do you need to run a thousand WebRTC streams?; WCS manual: Memory management in Java',
  applies: onWcs,
  needs: [wcsCore, { file: memInfo }],
  judge: (facts, { node }) => {
    const options = optionsOf(facts);
    const total = memory(facts, 'MemTotal');
    const [most, first] = [heapBytes(options, 'Xmx'), heapBytes(options, 'Xms')];
    const wanted = Math.max(1, Math.ceil(total / 2 ** 31));
    const fix = jvmFix(facts, `-Xmx${wanted}g`, `-Xms${wanted}g`);
    if (most === undefined) return fail(`No -Xmx is set on ${node}; recommended: half of its ${gib(total)}.`, fix);
    const read = `-Xmx is ${gib(most)} of ${gib(total)} on ${node}`;
    // Memory reserved by the kernel must not make half of 16 GiB too little.
    if (most < (total / 2) * 0.97) return fail(`${read}; recommended: at least half.`, fix);
    if (most > total * 0.75)
      return warn(`${read}; more than three quarters leaves too little for the system and huge pages.`, fix);
    return first === most
      ? pass(`${read}, and -Xms is the same.`)
      : warn(`${read}, and -Xms is ${first === undefined ? 'not set' : gib(first)}; both should be the same.`, fix);
  },
};
