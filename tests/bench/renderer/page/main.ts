import { mount } from 'svelte';
import '../../../../src/renderer/ui/styles/fonts.css';
import '../../../../src/renderer/ui/styles/tokens.css';
import { scenarios } from '../../../scenario';
import { wide24Layout } from '../../../scenario/wide24';
import Page from './Page.svelte';
import { mountNaive } from './naive';

/**
 * Only the charts, with data of a fake run. In the address: `scenario`, `theme`, `cursor` (ms), `drawn` (`ours` or
 * `naive`), `charts` (9, or 12 with three more), `feed` (live samples).
 */
const wishes = new URLSearchParams(location.search);
document.documentElement.dataset['theme'] = wishes.get('theme') ?? 'dark';
document.body.style.background = 'var(--background)';
document.body.style.font = '12px/16px var(--font)';

const name = wishes.get('scenario') ?? 'pull742';
const make = scenarios[name];
const root = document.getElementById('root');
if (!make || !root) throw new Error(`Unknown scenario "${name}".`);
const scenario = make();
if (wishes.get('drawn') === 'naive') mountNaive(root, scenario);
else
  mount(Page, {
    target: root,
    props: {
      scenario,
      chartCount: Number(wishes.get('charts') ?? 9),
      cursorMs: wishes.has('cursor') ? Number(wishes.get('cursor')) : undefined,
      isFed: wishes.has('feed'),
      ...(name === 'wide24' && { layout: wide24Layout }),
    },
  });
document.documentElement.dataset['ready'] = 'yes';
