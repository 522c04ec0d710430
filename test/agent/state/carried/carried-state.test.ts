import { carriedStateOf } from '../../../../agent/state/carried/carried-state';
import { FULL } from './full-run';

test('only the small fields of a state are carried', () => {
  const large = { input: {}, metadata: {}, messages: [], batch: [], effects: [], inbox: [], steers: [], notes: [] };
  const other = { version: 1, manifest: {}, context: {}, end: {}, owner: 'ann', answer: {}, above: [] };
  const strange = { newer: 1, toString: 'state', ['__proto__']: { title: 'x' } };
  expect(carriedStateOf({ ...FULL.state, ...large, ...other, ...strange })).toStrictEqual(FULL.state);
});
