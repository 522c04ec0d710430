/** A message in the form of OpenAI's chat completions, which most tools for evaluation and fine-tuning read. */
export type ChatMessage =
  | { role: 'system'; content: string }
  | { role: 'user'; content: string | ChatContent[] }
  | { role: 'assistant'; content: string | null; tool_calls?: ChatToolCall[] }
  | { role: 'tool'; tool_call_id: string; content: string };

/** A part of a user's message: a text, an image by address or as data URL, a sound in base64, or a file. */
export type ChatContent =
  | { type: 'text'; text: string }
  | { type: 'image_url'; image_url: { url: string } }
  | { type: 'input_audio'; input_audio: { data: string; format: 'wav' | 'mp3' } }
  | { type: 'file'; file: { filename: string; file_data: string } };

/** A call that the model asked for. `arguments` is JSON. */
export interface ChatToolCall {
  /** The call's id, which its result names. */
  id: string;
  /** The kind of tool. */
  type: 'function';
  /** The tool's name, as the model knows it, and the arguments. */
  function: { name: string; arguments: string };
}
