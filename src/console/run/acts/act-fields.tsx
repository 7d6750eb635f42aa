import { shownText } from '../../parts/visible.js';
import type { Field, Values } from './acts.js';

type Props = { fields: readonly Field[]; values: Values; onChange(values: Values): void };

export function ActFields({ fields, values, onChange }: Props) {
  return (
    <>
      {fields.map((field) => (
        <One
          key={field.name}
          field={field}
          value={values[field.name] ?? ''}
          onChange={(value) => onChange({ ...values, [field.name]: value })}
        />
      ))}
    </>
  );
}

function One({ field, value, onChange }: { field: Field; value: string; onChange(value: string): void }) {
  const { name, label, kind, options } = field;
  const id = `act-${name}`;
  if (kind === 'yes') {
    return (
      <label className="row">
        <input
          type="checkbox"
          checked={value === 'yes'}
          onChange={(event) => onChange(event.target.checked ? 'yes' : '')}
        />
        {label}
      </label>
    );
  }
  return (
    <div className="field">
      <label className="lab" htmlFor={id}>
        {label}
      </label>
      {options ? (
        <select id={id} value={value} onChange={(event) => onChange(event.target.value)}>
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {shownText(option.label)}
            </option>
          ))}
        </select>
      ) : kind === 'words' ? (
        <textarea id={id} rows={3} value={value} onChange={(event) => onChange(event.target.value)} />
      ) : (
        <input
          id={id}
          value={value}
          inputMode={kind === 'number' ? 'decimal' : 'text'}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </div>
  );
}
