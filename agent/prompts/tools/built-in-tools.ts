/*
 * What the model reads about the tools that Holdfast brings: their descriptions, and those of their arguments.
 */

export const ASK_QUESTION = {
  description:
    'Ask the person a question and wait for the answer, which may take days. Ask only what you need to continue.',
  question: 'What the person reads',
  suggestions: 'Suggested answers; others are possible',
  answerSchema: 'JSON Schema of the answer. Default: a string',
} as const;

export const CONVERSE = {
  description: 'Say something to the person and wait for the reply.',
  message: 'What the person reads',
} as const;

export const TASK_COMPLETION = {
  description: 'Give the result when the task is done. This ends the task.',
  result: 'The complete result, for the requester',
} as const;

export const TOOL_APPROVAL = {
  description: 'Ask for permission to use tools that need it.',
  message: 'What you want to do with the tools, and why',
  tools: 'Names of the tools',
} as const;

export const HUMAN_REVIEW = {
  description: 'Ask a person. The result is their answer.',
  prompt: 'The question, with everything that the person needs to know',
} as const;

export const LIST_DIRECTORY = {
  description:
    'List a folder. Folders end in a slash, files have their size. An unusual name is shown as a JSON string: use it as shown.',
} as const;

export const READ_FILE = {
  description: 'Read a text file or an image. A long file comes in pieces: continue with `offset`, in bytes.',
} as const;

/** An argument of {@link LIST_DIRECTORY} and {@link READ_FILE}. */
export const FILE_PATH = 'Path relative to the folder that you may read';
