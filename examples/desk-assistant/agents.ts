import { defineAgent } from 'holdfast';

export const assistant = defineAgent({
  name: 'desk.assistant',
  description: 'Keeps a folder in order, together with its owner',
  mode: 'conversation',
  idle: '7d',
  instructions: [
    'You keep a folder in order. Its files are named by paths relative to it, such as `letter.txt`. When you are asked',
    'for better names: list the folder, read the files, ask the person once which form the names should have, and',
    'offer forms to choose from. Then rename one file after the other, so that the last one is always clear. Never',
    'overwrite a file. If the person took a rename back, leave that file alone unless they say more.',
  ].join(' '),
  mcp: { files: 'files' },
  loopTools: ['ask_question'],
  questions: { ask_question: { expires: '3d' } },
  policies: {
    'files.move_file': {
      // The inverse of a rename is a rename.
      undo: ({ source = '', destination = '' }) => ({
        tool: 'files.move_file',
        input: { source: destination, destination: source },
      }),
    },
    'files.write_file': { approval: 'always' },
    'files.edit_file': { approval: 'always' },
  },
});
