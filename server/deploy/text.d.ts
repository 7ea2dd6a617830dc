// Files of this folder as text: `import ... with { type: 'text' }`.

declare module '*.service' {
  const text: string
  export default text
}

declare module '*.conf' {
  const text: string
  export default text
}

declare module '*Dockerfile' {
  const text: string
  export default text
}

declare module '*Caddyfile' {
  const text: string
  export default text
}

declare module '*.yml' {
  const text: string
  export default text
}
