import { consoleScreens } from '../accessibility/screens';
import { measureScreens } from './measure';

measureScreens(consoleScreens);
