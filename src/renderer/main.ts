import { parseWithoutEval } from './client/zodWithoutEval';
import { mount } from 'svelte';
import './ui/styles/fonts.css';
import './ui/styles/tokens.css';
import './ui/styles/base.css';
import App from './App.svelte';

parseWithoutEval();
const target = document.getElementById('app');
if (!target) throw new Error('The page has no element "app" to draw in.');
// Exported so that this file is an ES module whatever the type of the package, and so is all that it imports: of a script
// the bundler would wrap each module in a function, which is parsed twice.
export const app = mount(App, { target });
