import { dialogScreens } from '../accessibility/screens';
import { measureScreens } from './measure';

measureScreens(dialogScreens);
