import { useState } from 'react';
import { partsIn } from '../../../agent/model/cut-tool-result';
import type { ContentPart, MediaPart } from '../../../agent/model/message';
import { visible } from '../../../agent/values/visible';
import { messageOf } from '../api/api-error';
import { wholeResult } from '../api/runs';
import { JsonView } from '../text/json-view';
import { valueIn } from '../text/value-in';

/** The end of a result that was cut for the model. */
const CUT = /\[cut: the first \d+ of \d+ characters are shown\]\s*$/;

/** The result of a call: JSON, text, pictures. What was cut for the model can be loaded. */
export function OutputView({ run, toolUseId, output }: { run: string; toolUseId: string; output: unknown }) {
  const [whole, setWhole] = useState<ContentPart[]>();
  const [problem, setProblem] = useState('');
  const parts = whole ?? partsIn(output);
  const cut = whole === undefined && isCut(output);
  const load = () => wholeResult(run, toolUseId).then(setWhole, (error: unknown) => setProblem(messageOf(error)));
  return (
    <>
      {parts === undefined ? (
        <JsonView value={typeof output === 'string' ? (valueIn(output) ?? output) : output} label="Result" />
      ) : (
        // biome-ignore lint/suspicious/noArrayIndexKey: parts of a result do not change.
        parts.map((part, i) => <PartView key={i} part={part} />)
      )}
      {cut && (
        <button type="button" className="quiet small" onClick={() => void load()}>
          Load the whole result
        </button>
      )}
      {problem !== '' && <p className="problem">{problem}</p>}
    </>
  );
}

function PartView({ part }: { part: ContentPart }) {
  return part.type === 'text' ? (
    <JsonView value={valueIn(part.text) ?? part.text} label="Result" />
  ) : (
    <MediaView media={part} />
  );
}

/** Media whose data is here. Nothing is fetched from other hosts. */
export function MediaView({ media }: { media: MediaPart }) {
  const { mediaType, data, url } = media;
  const name = visible(media.name ?? mediaType);
  if (data === undefined) return <p className="hint">{`${name} at ${visible(url ?? '')} (not loaded)`}</p>;
  // The type goes into an address: nothing but a plain type may.
  const type = /^[\w.+-]+\/[\w.+-]+$/.test(mediaType) ? mediaType : 'application/octet-stream';
  if (type.startsWith('image/')) return <img className="media" src={`data:${type};base64,${data}`} alt={name} />;
  return (
    <a className="button small" download={media.name ?? 'result'} href={`data:${type};base64,${data}`}>
      Save {name}
    </a>
  );
}

function isCut(output: unknown): boolean {
  const last = typeof output === 'string' ? output : partsIn(output)?.findLast((part) => part.type === 'text')?.text;
  return last !== undefined && CUT.test(last);
}
