import { defineAgent } from 'holdfast';
import { z } from 'zod';

/** The work is the same for all: only the models differ, and what the agent does about them. */
const renamer = {
  modelClass: 'small',
  instructions: [
    'Review the screenshots in the folder, extract names, and rename them. List the folder. Then, for each file whose',
    'name begins with "Screenshot": read its text, and rename it to a short name made from that text, such as',
    'Meeting_Notes.png. Say so when all of them are renamed.',
  ].join(' '),
  inputSchema: z.object({ folder: z.string() }),
  mcp: { files: 'files', ocr: 'ocr' },
} as const;

export const stopping = defineAgent({ ...renamer, name: 'desktop.stopping', model: 'stopping' });
export const refusing = defineAgent({ ...renamer, name: 'desktop.refusing', model: 'refusing' });
export const silent = defineAgent({ ...renamer, name: 'desktop.silent', model: 'silent' });
export const speechless = defineAgent({ ...renamer, name: 'desktop.speechless', model: 'speechless' });
export const repeating = defineAgent({ ...renamer, name: 'desktop.repeating', model: 'repeating' });

export const babbling = defineAgent({
  ...renamer,
  name: 'desktop.babbling',
  strategy: 'plan',
  model: 'diligent',
  models: { planner: 'babbling' },
});

export const inventing = defineAgent({
  ...renamer,
  name: 'desktop.inventing',
  strategy: 'plan',
  model: 'forgetful',
  models: { planner: 'inventing', router: 'router' },
});

export const lastOfThree = defineAgent({
  ...renamer,
  name: 'desktop.last-of-three',
  model: ['gone', 'down', 'diligent'],
});

export const allDead = defineAgent({
  ...renamer,
  name: 'desktop.all-dead',
  model: ['gone', 'down'],
  fallbackAnswer: 'No model can be reached. No file was renamed. Please try again later.',
});
