import { told } from '../told-fact';

test('a downgrade says how the model is asked now, and why', () => {
  const why = '400 response_format is unavailable';
  const about = { type: 'model.downgraded', turn: 1, model: 'house', why } as const;
  expect(told({ ...about, from: 'schema', to: 'json_object' })).toBe(
    'house is asked for JSON by `json_object`, its server refused a schema: 400 response_format is unavailable',
  );
  expect(told({ ...about, from: 'json_object', to: 'prompt' })).toBe(
    'house is asked for JSON by the system prompt, its server refused `json_object`: 400 response_format is unavailable',
  );
});
