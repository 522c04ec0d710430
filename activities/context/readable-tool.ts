import type { JsonSchema, UnnamedTool } from '../../agent/protocol/manifest';
import { withoutHidden } from '../../agent/values/visible';
import { wellFormed, wellFormedJson } from '../../agent/values/well-formed';
import { danglingRefs, withoutDangling } from '../schemas/dangling-refs';
import { changed, eachSchema } from '../schemas/walk-schema';

/** Texts of a schema that only describe. */
const TEXTS = ['title', 'description', '$comment'] as const;

/**
 * A tool as a model may read it, no matter who wrote it. Servers refuse halves of characters and references that lead
 * nowhere, and a person who approves a tool does not see what is hidden in its texts.
 */
export function readableTool<Tool extends UnnamedTool>(tool: Tool): Tool {
  const { description, inputSchema, outputSchema } = tool;
  const texts = { description: readableText(description), inputSchema: readableSchema(inputSchema) };
  return { ...tool, ...texts, ...(outputSchema === undefined ? {} : { outputSchema: readableSchema(outputSchema) }) };
}

/** The same for a schema alone, such as that of an output. */
export function readableSchema(schema: JsonSchema): JsonSchema {
  const formed = wellFormedJson(schema);
  const linked = danglingRefs(formed).length === 0 ? formed : withoutDangling(formed);
  if (!hides(linked)) return linked;
  return changed(linked, (one) => {
    for (const text of TEXTS) {
      const said = one[text];
      if (typeof said === 'string') one[text] = withoutHidden(said);
    }
  });
}

function readableText(text: string): string {
  return withoutHidden(wellFormed(text));
}

/** Most do not, and stay the same objects. */
function hides(schema: JsonSchema): boolean {
  let found = false;
  eachSchema(schema, '', (one) => {
    found ||= TEXTS.some((text) => typeof one[text] === 'string' && withoutHidden(one[text]) !== one[text]);
  });
  return found;
}
