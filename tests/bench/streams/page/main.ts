import { mount } from 'svelte';
import { connectEngine } from '../../../../src/contract/calls';
import { engineCalls } from '../../../../src/contract/engine';
import { parseWithoutEval } from '../../../../src/renderer/client/zodWithoutEval';
import '../../../../src/renderer/ui/styles/fonts.css';
import '../../../../src/renderer/ui/styles/tokens.css';
import '../../../../src/renderer/ui/styles/base.css';
import Page from './Page.svelte';
import EngineWorker from './engineWorker?worker&inline';
import { pageNodes } from './pageNodes';
import { portWire } from './portWire';

parseWithoutEval();

/**
 * Only one node's streams. In the address: `count` (0: the six of the screenshot), `theme`, `node`, `capacity` (its
 * dialog is open), `top` (px left free above).
 */
const wishes = new URLSearchParams(location.search);
document.documentElement.dataset['theme'] = wishes.get('theme') ?? 'dark';

// Behind the real contract: schemas and copies cost too.
const { port1, port2 } = new MessageChannel();
new EngineWorker().postMessage({ count: Number(wishes.get('count') ?? 5000) }, [port2]);

const target = document.getElementById('root');
if (!target) throw new Error('The page has no #root.');
mount(Page, {
  target,
  props: {
    engine: connectEngine(portWire(port1), engineCalls),
    nodes: pageNodes,
    shown: wishes.get('node') ?? 'atom-c2550',
    showsCapacity: wishes.has('capacity'),
    topPx: Number(wishes.get('top') ?? 0),
  },
});
