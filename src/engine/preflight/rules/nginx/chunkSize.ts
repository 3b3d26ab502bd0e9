import { on, pass, unread, warn, type PreflightRule } from '../../rule';
import { find, lastNumber } from '../../text/blocks';
import { whole } from '../../text/numbers';
import { confOf, nginxConf, nginxFix } from './conf';

const defaultSize = 4096;

export const chunkSize: PreflightRule = {
  id: 'nginx.chunk-size',
  title: 'RTMP chunk size',
  checks: 'chunk_size of the rtmp block.',
  why: 'Every chunk has its own header and buffer, for every viewer: small ones cost CPU.',
  good: 'at least 4096, which is the default',
  source: 'nginx-rtmp: Directives (chunk_size)',
  applies: on('nginx-rtmp'),
  needs: [nginxConf],
  judge: (facts, { node }) => {
    const conf = confOf(facts);
    if (!conf.some(({ name }) => name === 'rtmp') && find(conf, 'include').length > 0)
      return unread(`The rtmp block of ${node} is in a file that ${facts.config('nginx.conf').path} includes.`);
    const size = lastNumber(conf, 'rtmp', 'chunk_size') ?? defaultSize;
    return size >= defaultSize
      ? pass(`chunk_size of ${node} is ${whole(size)} bytes.`)
      : warn(
          `chunk_size of ${node} is ${whole(size)} bytes; ${whole(defaultSize)} or more costs less CPU.`,
          nginxFix(facts, `chunk_size ${defaultSize};   # in rtmp { server { … } }`),
        );
  },
};
