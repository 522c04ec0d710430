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
  [
    "The input (40000 tokens) is longer than the model's context length (32768 tokens).",
    { limit: 32_768, asked: 40_000 },
  ],
  [
    'The decoder prompt (length 40000) is longer than the maximum model length of 32768.',
    { limit: 32_768, asked: 40_000 },
  ],
  ['`inputs` must have less than 4096 tokens. Given: 5000', { limit: 4096, asked: 5000 }],
  ['Your request exceeded model token limit: 262144 (requested: 270000)', { limit: 262_144, asked: 270_000 }],
  ['Range of input length should be [1, 129024]', { limit: 129_024 }],
  ['prompt token count of 140533 exceeds the limit of 128000', { limit: 128_000, asked: 140_533 }],
  ['total number of tokens in the prompt cannot exceed 4081', { limit: 4081 }],
  ['input length exceeds maximum context length', {}],
])('reads the limit in: %s', (said, stated) => {
  expect(statedLimit(said)).toEqual(stated);
});
