/** Opens the documentation for programs in a tab of its own, as a link would. It is in English. */
export function openDocumentation(): void {
  window.open('/docs', '_blank', 'noopener')
}
