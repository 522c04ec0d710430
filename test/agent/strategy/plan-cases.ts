/** Answers of planners, and what is read of them. */
export const READABLE: readonly [name: string, text: string, expected: object][] = [
  [
    'an object',
    '{"needs_tools":true,"steps":[{"step_number":1,"description":"Read"}]}',
    { steps: [{ step: 1, description: 'Read', after: [], critical: true }] },
  ],
  [
    'an object in a code block, with remarks',
    'Here is {my} plan:\n```json\n{"steps":[{"description":"Read"},{"description":"Write"}]}\n```\nGood luck!',
    {
      steps: [
        { step: 1, after: [] },
        { step: 2, after: [1] },
      ],
    },
  ],
  [
    'all fields',
    '{"needs_tools":true,"steps":[{"step_number":3,"description":"a","expected_server":"files","hint_params":{"path":"x"},"depends_on":[],"critical":false},{"step_number":5,"description":"b","depends_on":[3],"critical":"false"}]}',
    {
      steps: [
        { step: 3, description: 'a', server: 'files', hints: '{"path":"x"}', after: [], critical: false },
        { step: 5, after: [3], critical: false },
      ],
    },
  ],
  [
    'numbers as texts',
    '{"steps":[{"step_number":"1","description":"a"},{"step_number":"2","description":"b","depends_on":"1"}]}',
    { steps: [{ step: 1 }, { step: 2, after: [1] }] },
  ],
  [
    'a forward reference',
    '{"steps":[{"step_number":1,"description":"a","depends_on":[2]},{"step_number":2,"description":"b","depends_on":[]}]}',
    {
      steps: [
        { step: 1, after: [2] },
        { step: 2, after: [] },
      ],
    },
  ],
  ['ten steps', JSON.stringify({ steps: Array.from({ length: 10 }, () => ({ description: 'a' })) }), { type: 'plan' }],
  [
    'steps although no tool is said to be needed',
    '{"needs_tools":false,"steps":[{"description":"a"}]}',
    { type: 'plan' },
  ],
  [
    'a direct answer',
    '{"needs_tools":false,"direct_response":"Hello {you}"}',
    { type: 'direct', response: 'Hello {you}' },
  ],
  [
    'a direct answer with empty steps',
    '{"needs_tools":"false","direct_response":"Hi","steps":[]}',
    { type: 'direct', response: 'Hi' },
  ],
  [
    'lines',
    '[plan.add_step(step=1, server="ocr", description="Read \\"a\\", then stop")]\n[plan.add_step(step=2, description=\'Rename\', depends_on=[1], critical=False)]',
    {
      steps: [
        { step: 1, server: 'ocr', description: 'Read "a", then stop', after: [] },
        { step: 2, description: 'Rename', after: [1], critical: false },
      ],
    },
  ],
  [
    'lines in prose',
    'I plan: [plan.add_step(step=1, description="a")] and [plan.add_step(step=2, description="b", depends_on=[])].',
    { steps: [{ step: 1 }, { step: 2, after: [] }] },
  ],
  [
    'a bracket in a description',
    '[plan.add_step(step=1, description="a (b)] c")]',
    { steps: [{ description: 'a (b)] c' }] },
  ],
  [
    'unknown fields of a line',
    '[plan.add_step(constructor=1, step=1, priority=high, description="a")]',
    { steps: [{ step: 1, description: 'a' }] },
  ],
];

/** Unreadable answers, and the word that says why. */
export const UNREADABLE: readonly [name: string, text: string, why: string][] = [
  ['nothing', '', 'neither'],
  ['prose', 'I will read the file and then rename it.', 'neither'],
  ['an empty plan', '{"needs_tools":true,"steps":[]}', 'no steps'],
  ['steps in a text', '{"needs_tools":true,"steps":"read"}', 'not a list'],
  ['no steps at all', '{"needs_tools":true}', 'not a list'],
  ['no tool and no answer', '{"needs_tools":false}', 'direct_response'],
  ['eleven steps', JSON.stringify({ steps: Array.from({ length: 11 }, () => ({ description: 'a' })) }), '11 steps'],
  [
    '200 lines',
    Array.from({ length: 200 }, (_, i) => `[plan.add_step(step=${i + 1}, description="a")]`).join('\n'),
    '200 steps',
  ],
  ['a step without a description', '{"steps":[{"step_number":1}]}', 'description'],
  ['a step that is a text', '{"steps":["read"]}', 'not an object'],
  ['a step number of zero', '{"steps":[{"step_number":0,"description":"a"}]}', 'step_number'],
  [
    'the same number twice',
    '{"steps":[{"step_number":1,"description":"a"},{"step_number":1,"description":"b"}]}',
    'two steps 1',
  ],
  [
    'a step that waits for itself',
    '{"steps":[{"step_number":1,"description":"a","depends_on":[1]}]}',
    'wait for each other',
  ],
  [
    'a cycle of three',
    '{"steps":[{"description":"a","depends_on":[3]},{"description":"b","depends_on":[1]},{"description":"c","depends_on":[2]}]}',
    'wait for each other',
  ],
  ['a step that waits for a missing one', '{"steps":[{"description":"a","depends_on":[7]}]}', 'does not exist'],
  ['broken dependencies', '{"steps":[{"description":"a","depends_on":[{}]}]}', 'depends_on'],
  ['broken JSON', '{"needs_tools":true,"steps":[{"step_number":1,"description":"a"}', 'neither'],
  ['a line without an end', '[plan.add_step(step=1, description="a"', 'neither'],
  ['nesting without an end', '{"steps":'.repeat(3000), 'neither'],
];
