import { settingsSecrets, shownSettings } from '../../../runtime/secrets/settings-secrets';

const settings = {
  topP: 0.5,
  stop: ['END'],
  extraHeaders: { 'X-Team': 'support', Authorization: 'Bearer abc-def' },
  extraBody: { user: 'ann', pin: '12', list: [{ apiKey: 'hush' }, 'sk-abcdefgh1234'], note: 'hush, ann' },
  providerOptions: { house: { region: 'eu', token: 'sesame' } },
};

it('secrets are all values of extra headers, and keys by their names or looks', () => {
  expect(new Set(settingsSecrets(settings))).toEqual(
    new Set(['support', 'Bearer abc-def', 'abc-def', '12', 'hush', 'sk-abcdefgh1234', 'sesame']),
  );
  expect(settingsSecrets({})).toEqual([]);
});

it('settings are shown without them', () => {
  expect(shownSettings({ ...settings, ...{ model: 'm', apiKey: 'k' } })).toEqual({
    topP: 0.5,
    stop: ['END'],
    extraHeaders: { 'X-Team': '***', Authorization: '***' },
    extraBody: { user: 'ann', pin: '***', list: [{ apiKey: '***' }, '***'], note: '***, ann' },
    providerOptions: { house: { region: 'eu', token: '***' } },
  });
});
