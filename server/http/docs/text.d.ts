// Files of this folder as text: `import ... with { type: 'text' }`.

declare module '*/search.js' {
  const text: string
  export default text
}

declare module '*/calls.js' {
  const text: string
  export default text
}

declare module '*.jsonl' {
  const text: string
  export default text
}

declare module '*/examples/client.js' {
  const text: string
  export default text
}

declare module '*.svg' {
  const text: string
  export default text
}

declare module '*.sh' {
  const text: string
  export default text
}

declare module '*.py' {
  const text: string
  export default text
}

declare module '*.css' {
  const text: string
  export default text
}
