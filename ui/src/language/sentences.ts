/**
 * What a translation has for each sentence of the service. A name in braces stands for a value: `The {plan} plan allows {max} URLs.` It
 * stays as it is, unless it has a translation of its own. `{sentence}`, at the end, needs one.
 */
export type Sentences = Readonly<Record<string, string>>

/** Returns the translation of a sentence of the service, which is in English. One that is not known as a whole stays in English. */
export function sentenceIn(sentences: Sentences, english: string): string {
  return translationOf(sentences, english) ?? english
}

function translationOf(sentences: Sentences, english: string): string | undefined {
  const known = sentences[english]
  if (known !== undefined) return known
  for (const [form, translation] of Object.entries(sentences)) {
    const values = form.includes('{') ? patternOf(form).exec(english)?.groups : undefined
    if (values === undefined) continue
    const { sentence } = values
    if (sentence !== undefined && translationOf(sentences, sentence) === undefined) continue
    return translation.replace(PLACEHOLDER, (_, name: string) => sentenceIn(sentences, values[name] ?? ''))
  }
  return undefined
}

/** A value is a part of one sentence. */
function patternOf(form: string): RegExp {
  const pattern = form
    .split(PLACEHOLDER)
    .map((part, index) => {
      if (index % 2 === 0) return part.replaceAll(/[.*+?^$()[\]{}|\\]/g, '\\$&')
      return part === 'sentence' ? '(?<sentence>.+)' : `(?<${part}>(?:(?!\\. ).)*)`
    })
    .join('')
  return new RegExp(`^${pattern}$`, 'u')
}

const PLACEHOLDER = /\{(\w+)\}/g
