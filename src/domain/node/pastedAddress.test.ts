import { expect, it } from 'vitest';
import { pastedAddress } from './pastedAddress';

it.each([
  ['curl http://h:8889/cam/whep', { address: 'http://h:8889/cam/whep' }],
  [
    `curl -sk -X POST -u 'qa:p w' -H "Content-Type: application/sdp" --data-binary @o.sdp "https://h/cam/whep?x=1&y=2"`,
    { address: 'https://h/cam/whep?x=1&y=2', user: 'qa', password: 'p w', selfSigned: true },
  ],
  [
    'curl -v \\\n  -H "Authorization: Bearer abc.def" \\\n  http://h/api/whep',
    { address: 'http://h/api/whep', password: 'abc.def' },
  ],
  ['$ curl --user=a:b:c --url http://h/', { address: 'http://h/', user: 'a', password: 'b:c' }],
  ['curl -uqa:x http://h/ -o /dev/null', { address: 'http://h/', user: 'qa', password: 'x' }],
  ['curl http://u:p@h/stat', { address: 'http://h/stat', user: 'u', password: 'p' }],
  [
    'curl -ku admin:secret https://10.0.0.9/',
    { address: 'https://10.0.0.9/', user: 'admin', password: 'secret', selfSigned: true },
  ],
  [
    'curl -sku admin:1234 10.0.0.9:8443',
    { address: '10.0.0.9:8443', user: 'admin', password: '1234', selfSigned: true },
  ],
  ["curl -vu 'admin:p w' http://h/", { address: 'http://h/', user: 'admin', password: 'p w' }],
  ['curl -skuqa:x https://h/', { address: 'https://h/', user: 'qa', password: 'x', selfSigned: true }],
  ['curl -so /dev/null -w %{http_code} http://h/', { address: 'http://h/' }],
  ['curl -XPOST -sH "Authorization: Bearer abc" http://h/', { address: 'http://h/', password: 'abc' }],
  ['curl cam -k http://h/', { address: 'http://h/', selfSigned: true }],
  ['curl --us admin:secret http://h/', { address: 'http://h/' }],
  ['curl --silent --compressed h:8080/stat', { address: 'h:8080/stat' }],
  ['curl --request=POST --url=http://h/', { address: 'http://h/' }],
  ['curl -xhttp://u:p@proxy:3128 http://h/', { address: 'http://h/' }],
  ['rtmp://h/live cam?token=1', { address: 'rtmp://h/live/cam?token=1' }],
  ['Server: rtmp://h:1936/live/\nStream Key: cam', { address: 'rtmp://h:1936/live/cam' }],
  ['rtmps://h/app\r\ncam', { address: 'rtmps://h/app/cam' }],
  ['Server: rtmp://h/live Stream Key: cam', { address: 'rtmp://h/live/cam' }],
  ['https://h/whip/cam\nBearer Token: abc', { address: 'https://h/whip/cam', password: 'abc' }],
  ['srt://h:9000 publish:cam', { address: 'srt://h:9000?streamid=publish:cam' }],
  ['ffplay -fflags nobuffer rtsp://u:p@h:8554/cam', { address: 'rtsp://h:8554/cam', user: 'u', password: 'p' }],
  ['<iframe src="http://h:8889/cam/" allow="autoplay"></iframe>', { address: 'http://h:8889/cam/' }],
  ['see http://h:8080/players/whep.html.', { address: 'http://h:8080/players/whep.html' }],
])('reads %j', (text, expected) => {
  expect(pastedAddress(text)).toEqual(expected);
});

it.each([
  '10.0.0.7:8080',
  'rtmp://h/live/cam',
  'load-1 load-2',
  'http://a/1 http://b/2',
  'curl',
  'curl -k',
  'curl --us a:b',
  'curl -ku a:b',
  '',
])('is no other form of an address: %j', (text) => expect(pastedAddress(text)).toBeUndefined());
