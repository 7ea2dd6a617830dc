/** Creates HTML from a template. Strings are escaped, and values that are `Html` are not. */
export function html(
  strings: TemplateStringsArray,
  ...values: readonly (string | Html | readonly Html[])[]
): Html {
  const texts = values.map((value) =>
    typeof value === 'string'
      ? Bun.escapeHTML(value)
      : [value]
          .flat()
          .map(({ text }) => text)
          .join(''),
  )
  return { text: String.raw({ raw: strings }, ...texts) }
}

/** Text that is HTML and needs no escaping. */
export interface Html {
  readonly text: string
}
