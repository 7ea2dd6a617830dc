/** A curl command that downloads an archive. If it is interrupted, running it again resumes the download. */
export function curlCommand(url: string, filename: string): string {
  return `curl --fail --continue-at - --output ${shellQuote(filename)} ${shellQuote(url)}`
}

/** Quotes text for a shell. Within single quotes only the single quote itself needs escaping. */
function shellQuote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
