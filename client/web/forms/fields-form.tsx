import { useId } from 'react';
import { visible, visibleName } from '../../../agent/values/visible';
import { choiceText, type Draft, type Field } from './fields';
import { TextBox } from './text-box';

interface Props {
  fields: readonly Field[];
  draft: Draft;
  problems: { readonly [name: string]: string };
  onChange(draft: Draft): void;
}

/** Inputs for the fields of an object, each with its problem below it. */
export function FieldsForm({ fields, draft, problems, onChange }: Props) {
  return (
    <div className="fields">
      {fields.map((field) => (
        <FieldInput
          key={field.name}
          field={field}
          typed={draft[field.name] ?? ''}
          problem={problems[field.name]}
          onChange={(typed) => onChange({ ...draft, [field.name]: typed })}
        />
      ))}
    </div>
  );
}

interface InputProps {
  field: Field;
  typed: string | boolean;
  problem: string | undefined;
  onChange(typed: string | boolean): void;
}

function FieldInput({ field, typed, problem, onChange }: InputProps) {
  const id = useId();
  const about = `${id}-about`;
  const described = { id, 'aria-describedby': about, 'aria-invalid': problem !== undefined };
  const text = typeof typed === 'string' ? typed : '';
  return (
    <div className={`field ${field.kind}`}>
      <label htmlFor={id}>
        {visibleName(field.label)}
        {!field.required && field.kind !== 'boolean' && <span className="hint"> (optional)</span>}
      </label>
      {field.kind === 'boolean' ? (
        <input {...described} type="checkbox" checked={typed === true} onChange={(e) => onChange(e.target.checked)} />
      ) : field.kind === 'choice' ? (
        <select {...described} value={text} onChange={(e) => onChange(e.target.value)}>
          <option value="">Choose …</option>
          {field.choices?.map((choice) => (
            <option key={choiceText(choice)} value={choiceText(choice)}>
              {visibleName(choiceText(choice))}
            </option>
          ))}
        </select>
      ) : field.kind === 'text' || field.kind === 'json' ? (
        <TextBox {...described} mono={field.kind === 'json'} value={text} onChange={onChange} />
      ) : (
        <input {...described} type="text" inputMode="decimal" value={text} onChange={(e) => onChange(e.target.value)} />
      )}
      <p id={about} className={problem === undefined ? 'hint' : 'problem'}>
        {problem ?? (field.description === undefined ? '' : visible(field.description))}
      </p>
    </div>
  );
}
