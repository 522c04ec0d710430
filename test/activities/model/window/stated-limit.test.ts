import { statedLimit } from '../../../../activities/model/window/stated-limit';

it.each([
  [
    "This model's maximum context length is 8192 tokens. However, your messages resulted in 9001 tokens.",
    { limit: 8192, asked: 9001 },
  ],
  [
    "This model's maximum context length is 4096 tokens. However, you requested 5000 tokens (4000 in the messages, 1000 in the completion).",
    { limit: 4096, asked: 4000 },
  ],
  [
    'request (5012 tokens) exceeds the available context size (4096 tokens), try increasing it',
    { limit: 4096, asked: 5012 },
  ],
  ['prompt is too long: 210000 tokens > 200000 maximum', { limit: 200_000, asked: 210_000 }],
  [
    'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576)',
    { limit: 1_048_576, asked: 1_200_000 },
  ],
  [
    'Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum context length',
    { limit: 32_768, asked: 40_000 },
  ],
  [
    "This model's maximum prompt length is 131,072 but the request contains 140,000 tokens.",
    { limit: 131_072, asked: 140_000 },
  ],
  ['`inputs` tokens + `max_new_tokens` must be <= 4096. Given: 4000 `inputs` tokens', { limit: 4096, asked: 4000 }],
  ['input length exceeds maximum context length', {}],
])('reads the limit in: %s', (said, stated) => {
  expect(statedLimit(said)).toEqual(stated);
});
