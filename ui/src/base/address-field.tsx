import { Field } from './field.tsx'

export interface AddressFieldProps {
  label: string
  value: string
  placeholder?: string
  onInput: (value: string) => void
}

/** A required field for a web address, also without its scheme: a field of the type `url` would refuse that. */
export function AddressField(props: AddressFieldProps) {
  return (
    <Field label={props.label}>
      {(id) => (
        <input
          id={id}
          type="text"
          inputmode="url"
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
          required
          placeholder={props.placeholder}
          value={props.value}
          onInput={(event) => props.onInput(event.currentTarget.value)}
        />
      )}
    </Field>
  )
}
