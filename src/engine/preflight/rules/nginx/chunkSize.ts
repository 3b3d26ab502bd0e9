import { on, pass, unread, warn, type PreflightRule } from '../../rule';
import { find, lastNumber } from '../../text/blocks';
import { whole } from '../../text/numbers';
import { confOf, nginxConf, nginxFix } from './conf';

const usual = 4096;

export const chunkSize: PreflightRule = {
  id: 'nginx.chunk-size',
  title: 'RTMP chunk size',
  checks: 'chunk_size of the rtmp block.',
  why: 'Every chunk has a header and is a buffer of its own, for every viewer: small ones cost CPU.',
  good: 'at least 4096, which holds where it is not set',
  source: 'nginx-rtmp: Directives (chunk_size)',
  applies: on('nginx-rtmp'),
  needs: [nginxConf],
  judge: (facts, { node }) => {
    const conf = confOf(facts);
    if (!conf.some(({ name }) => name === 'rtmp') && find(conf, 'include').length > 0)
      return unread(
        `The rtmp block of ${node} is not in ${facts.config('nginx.conf').path} but in a file that it includes.`,
      );
    const size = lastNumber(conf, 'rtmp', 'chunk_size') ?? usual;
    return size >= usual
      ? pass(`Chunks of ${node} have ${whole(size)} bytes.`)
      : warn(
          `Chunks of ${node} have ${whole(size)} bytes; ${whole(usual)} or more cost less CPU.`,
          nginxFix(facts, `chunk_size ${usual};   # in rtmp { server { … } }`),
        );
  },
};
