import { locale } from './language.ts'

/** One form for each kind of number that a language tells apart: English has `one` and `other`. `#` is the number. */
export type PluralForms = { readonly other: string } & {
  readonly [rule in Intl.LDMLPluralRule]?: string
}

const rules = new Intl.PluralRules(locale)
const wholeNumber = new Intl.NumberFormat(locale)

/** `plural(1200, { one: '# link', other: '# links' })` is "1,200 links". */
export function plural(count: number, forms: PluralForms): string {
  const form = forms[rules.select(count)] ?? forms.other
  return form.replace('#', () => wholeNumber.format(count))
}
