import { HoldfastError } from '../../../agent/errors/error';
import type { ErrorType } from '../../../agent/errors/error-data';

const MODEL_ERRORS = [
  'ModelUnauthorized',
  'ModelNotFound',
  'ModelRequestInvalid',
  'ModelQuotaExceeded',
  'ModelRateLimited',
  'ModelUnavailable',
  'ModelAnswerUnreadable',
  'ModelAnswerTooLarge',
  'ModelAnswerTooSlow',
] as const satisfies ErrorType[];

// Before: "The model server at a function limits the rate for `m`".
it.each(MODEL_ERRORS)('%s of a model that a function speaks with names no server and no address', (type) => {
  const data = { model: 'm', address: 'a function', problem: 'it said so', adapter: 'function' };
  const { message } = new HoldfastError(type, data);
  expect(message).toMatch(
    /^The function of the model `m` .*\(it said so\)|^The function of the model `m` .*it said so/,
  );
  expect(message).not.toMatch(/server|baseUrl|temporal\.yaml|at a function/);
});

it.each(MODEL_ERRORS)('%s of a server names its address or its setting', (type) => {
  const { message } = new HoldfastError(type, { model: 'm', address: 'https://m.example/v1', problem: 'it said so' });
  expect(message).toContain('https://m.example/v1');
});
