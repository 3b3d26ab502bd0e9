import './client/zodWithoutEval';
import { mount } from 'svelte';
import './ui/styles/fonts.css';
import './ui/styles/tokens.css';
import './ui/styles/base.css';
import App from './App.svelte';

const target = document.getElementById('app');
if (!target) throw new Error('The page has no element "app" to draw in.');
mount(App, { target });
