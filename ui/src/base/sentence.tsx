import type { JSX } from 'solid-js'

/**
 * A sentence with elements in it, such as a link: each stands where the text has its name in braces. The words of the elements
 * are lines of the catalogue, too.
 *
 *     <Sentence text={copy.more} parts={{ docs: <a href="/docs">{copy.docs}</a> }} />
 */
export function Sentence(props: { text: string; parts: Readonly<Record<string, JSX.Element>> }) {
  const pieces = () => {
    // Solid makes the elements anew whenever the property is read.
    const parts = props.parts
    return props.text.split(/[{}]/).map((piece, index) => (index % 2 === 0 ? piece : parts[piece]))
  }
  return <>{pieces()}</>
}
