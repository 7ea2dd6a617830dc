/** The script of the documentation, as text. */
declare module '*/docs-search.js' {
  const text: string
  export default text
}

/** A style sheet as text: `import ... with { type: 'text' }`. */
declare module '*.css' {
  const text: string
  export default text
}
