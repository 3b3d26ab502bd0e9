import { fail, onWcs, pass, warn, type PreflightRule } from '../../rule';
import { cpuFlags, cpuInfo } from '../../text/machine';
import { flashphoner, shown, wcsFix, wcsSetting } from '../../text/properties';

const key = 'webrtc_aes_crypto_provider';

export const aesProvider: PreflightRule = {
  id: 'wcs.aes-provider',
  title: 'AES provider',
  checks: `${key}: the provider that encrypts the viewers' media.`,
  why: "The default, BouncyCastle, does not use the processor's AES instructions; JCE encrypts 1.8 to 2 times as fast.",
  good: 'JCE on a processor with AES instructions',
  source: 'Flashphoner: What kind of server do you need to run a thousand WebRTC streams?',
  applies: onWcs,
  needs: [flashphoner, { file: cpuInfo }],
  judge: (facts, { node }) => {
    const value = wcsSetting(facts, key);
    if (value?.toUpperCase() === 'JCE') return pass(`${key} is JCE on ${node}.`);
    const read = `${shown(key, value, 'BouncyCastle')} on ${node}`;
    const fix = wcsFix(facts, `${key}=JCE`);
    const hasAes = facts.maybe(cpuFlags)?.includes('aes');
    if (hasAes === false) return warn(`${read}; its processor has no AES instructions, so JCE would gain little.`);
    return (hasAes ? fail : warn)(
      `${read}; recommended: JCE${hasAes ? ', since its processor has AES instructions' : ''}.`,
      fix,
    );
  },
};
