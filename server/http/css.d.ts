/** A style sheet as text: `import ... with { type: 'text' }`. */
declare module '*.css' {
  const text: string
  export default text
}
