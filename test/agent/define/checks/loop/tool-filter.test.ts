import { defineAgent, defineTool } from 'holdfast';
import { z } from 'zod';

const tool = defineTool({ description: 'x', effect: 'read', inputSchema: z.object({}), execute: () => '' });
const define = (more: object) => () =>
  defineAgent({ name: 'test.filter', instructions: 'x', tools: { look: tool }, mcp: { files: 'f' }, ...more });

test.each([
  [{ toolFilter: true }],
  [{ toolFilter: false }],
  [{ toolFilter: {} }],
  [{ toolFilter: { top: 1, ranker: 'bm25', always: ['look', 'files.read_file', 'task_completion'] } }],
  [{ toolFilter: { always: ['read_file'] }, files: { root: '.' } }],
  [{ tools: { search_tools: tool } }],
  [{ tools: { search_tools: tool }, modelClass: 'small', toolFilter: false }],
  [{ tools: { search_tools: tool }, modelClass: 'small' }],
])('%j is accepted', (more) => {
  expect(define(more)).not.toThrow();
});

test.each<[object, RegExp]>([
  [{ toolFilter: 15 }, /toolFilter: Expected `true`, `false` or an object such as `\{ top: 15 \}`, got `15`/],
  [{ toolFilter: { tops: 3 } }, /toolFilter\.tops: Unknown field; did you mean `top`/],
  [{ toolFilter: { top: 0 } }, /toolFilter\.top: Expected a whole number from 1 to 128, got `0`/],
  [{ toolFilter: { top: 1.5 } }, /from 1 to 128, got `1.5`/],
  [{ toolFilter: { top: 129 } }, /from 1 to 128, got `129`/],
  [{ toolFilter: { ranker: '' } }, /toolFilter\.ranker: Expected `bm25`, or an alias under `embeddings`/],
  [{ toolFilter: { always: 'look' } }, /toolFilter\.always: Expected a list of names/],
  [{ toolFilter: { always: ['lok'] } }, /toolFilter\.always: The agent has no tool `lok`/],
  [{ toolFilter: { always: ['read_file'] } }, /The agent has no tool `read_file`/],
  [{ toolFilter: true, tools: { search_tools: tool } }, /has `toolFilter`, which brings a tool of this name/],
])('%j is refused', (more, problem) => {
  expect(define(more)).toThrow(problem);
});
