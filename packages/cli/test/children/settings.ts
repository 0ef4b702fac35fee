// Sets one setting again and again, as one of several processes that do so at once.
import { openSettings } from '../../src/settings/settings.ts';

const [user = '', key = '', values = ''] = process.argv.slice(2);
const settings = openSettings({ user, project: `${user}.none` });
for (const value of values.split(',')) await settings.change('user', { [key]: Number(value) });
