import { aiSdk } from 'holdfast/worker';
import type { Finding } from '../../../cli/doctor/finding';
import { callModels } from '../../../cli/doctor/models';
import { hello, object } from '../../activities/model/ai-sdk/object';

it('what a provider does not take is a note of its own, and no line of a log', async () => {
  const warnings = [{ type: 'unsupported', feature: 'topP' }];
  const model = object([{ type: 'stream-start', warnings }, ...hello]);
  const found: Finding[] = [];
  const written = jest.spyOn(process.stderr, 'write');
  await callModels((finding) => found.push(finding), { one: aiSdk(model) });
  expect(found.slice(1)).toEqual([
    { state: 'note', what: 'settings of one', found: 'acme.chat ignores some of them (unsupported: topP)' },
  ]);
  expect(written).not.toHaveBeenCalled();
});
