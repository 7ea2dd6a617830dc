/** Whether a program that unpacks an entry, or follows a link, would write outside of the folder that it unpacks to. */
export function leavesFolder(path: string): boolean {
  return /^(?:[/\\]|[A-Za-z]:)/.test(path) || path.split(/[/\\]/).includes('..')
}

/** The same for a symbolic link, whose target begins in the folder of the link. */
export function linkLeavesFolder(name: string, target: string): boolean {
  if (/^(?:[/\\]|[A-Za-z]:)/.test(target)) return true
  let depth = name.split('/').length - 1
  for (const segment of target.split(/[/\\]/)) {
    if (segment === '..') depth -= 1
    else if (segment !== '' && segment !== '.') depth += 1
    if (depth < 0) return true
  }
  return false
}
