import { useId } from 'react';
import type { JsonObject } from '../../../agent/values/json';
import { type Draft, draftOf, type Field, objectOf, type Read, readFields } from './fields';
import { FieldsForm } from './fields-form';
import { TextBox } from './text-box';

/** What a person has typed into a form for an object: as fields, or as JSON. */
export interface ObjectDraft {
  as: 'fields' | 'json';
  fields: Draft;
  json: string;
  problems: { [name: string]: string };
}

/** Under this name, `problems` has what is wrong with the JSON. */
const WHOLE = '';

export function objectDraft(fields: readonly Field[] | undefined, value: JsonObject): ObjectDraft {
  const as = fields === undefined || fields.length === 0 ? 'json' : 'fields';
  return { as, fields: draftOf(fields ?? [], value), json: JSON.stringify(value, null, 2), problems: {} };
}

/** The object that was typed, or what is wrong with it. */
export function readObject(fields: readonly Field[] | undefined, draft: ObjectDraft): Read {
  if (draft.as === 'fields') return readFields(fields ?? [], draft.fields);
  const read = objectOf(draft.json);
  return 'problem' in read ? { problems: { [WHOLE]: read.problem } } : read;
}

interface Props {
  label: string;
  fields: readonly Field[] | undefined;
  draft: ObjectDraft;
  onChange(draft: ObjectDraft): void;
}

/** A form for an object, with a switch between fields and JSON. What was typed goes along as far as it is valid. */
export function ObjectForm({ label, fields, draft, onChange }: Props) {
  const id = useId();
  const problem = draft.problems[WHOLE];
  const toJson = () => {
    const read = readFields(fields ?? [], draft.fields);
    const json = 'value' in read ? JSON.stringify(read.value, null, 2) : draft.json;
    onChange({ ...draft, as: 'json', json, problems: {} });
  };
  const toFields = () => {
    const read = objectOf(draft.json);
    if ('problem' in read) onChange({ ...draft, problems: { [WHOLE]: read.problem } });
    else onChange({ ...draft, as: 'fields', fields: draftOf(fields ?? [], read.value), problems: {} });
  };
  return (
    <fieldset className="object">
      <legend>{label}</legend>
      {fields !== undefined && fields.length > 0 && (
        <button type="button" className="quiet small" onClick={draft.as === 'json' ? toFields : toJson}>
          {draft.as === 'json' ? 'Edit as fields' : 'Edit as JSON'}
        </button>
      )}
      {draft.as === 'fields' ? (
        <FieldsForm
          fields={fields ?? []}
          draft={draft.fields}
          problems={draft.problems}
          onChange={(typed) => onChange({ ...draft, fields: typed, problems: {} })}
        />
      ) : (
        <div className="field json">
          <TextBox
            mono
            rows={4}
            aria-label={`${label} as JSON`}
            aria-describedby={id}
            aria-invalid={problem !== undefined}
            value={draft.json}
            onChange={(json) => onChange({ ...draft, json, problems: {} })}
          />
          <p id={id} className="problem">
            {problem}
          </p>
        </div>
      )}
    </fieldset>
  );
}
