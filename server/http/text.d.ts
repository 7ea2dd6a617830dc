// Files of this folder as text: `import ... with { type: 'text' }`.

declare module '*/docs-search.js' {
  const text: string
  export default text
}

declare module '*.css' {
  const text: string
  export default text
}
