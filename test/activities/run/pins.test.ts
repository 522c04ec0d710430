import { PinStore } from '../../../activities/run/pins';
import type { RunContext } from '../../../agent/protocol/manifest';
import { hashText } from '../../../agent/values/hash';
import { TWINS } from './twins';

const context: RunContext = { system: 'Be brief.', metadata: {} };

test('returns a value by its hash', async () => {
  const pins = new PinStore(() => 'r');
  const hash = pins.put(context);
  const manifest = pins.put({ ...context, system: 'as a manifest' });
  expect((await pins.both({ manifest, context: hash })).context).toEqual(context);
});

test("a context that was built to have another one's 64-bit hash does not replace it", async () => {
  const { alice, mallory } = TWINS;
  expect(hashText(JSON.stringify(alice))).toBe(hashText(JSON.stringify(mallory)));
  let run = 'of alice';
  const asked: string[] = [];
  const pins = new PinStore(
    () => run,
    async (what) => {
      asked.push(`${run}: ${what}`);
      return run === 'of alice' ? alice : mallory;
    },
  );
  const hers = pins.put(alice);
  run = 'of mallory';
  const his = pins.put(mallory);
  expect(his).not.toBe(hers);
  run = 'of alice';
  expect((await pins.both({ manifest: hers, context: hers })).context).toEqual(alice);
  expect(asked).toEqual([]);
});

test('a run gets nothing by a hash of another run: it is asked for its own value', async () => {
  let run = 'of alice';
  const pins = new PinStore(
    () => run,
    async () => TWINS.mallory,
  );
  const hers = pins.put(TWINS.alice);
  run = 'of mallory';
  expect((await pins.both({ manifest: hers, context: hers })).context).toEqual(TWINS.mallory);
  run = 'of alice';
  expect((await pins.both({ manifest: hers, context: hers })).context).toEqual(TWINS.alice);
});
