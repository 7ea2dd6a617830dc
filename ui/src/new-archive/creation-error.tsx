import { For, Show } from 'solid-js'
import { ApiError } from '../api/request.ts'
import { Alert } from '../base/alert.tsx'
import { inSentence, type Message, messageOf, wordsOfService } from '../base/message.ts'
import { MessageText } from '../base/message-text.tsx'
import { newArchiveCopy } from '../language/english/new-archive.ts'
import styles from './creation-error.module.css'

/** Why the archive was not created. */
export function CreationError(props: { error: Error }) {
  const issues = () => (props.error instanceof ApiError ? props.error.issues : [])
  return (
    <div class={styles.error}>
      <Alert>
        <Show when={issues().length > 0} fallback={<MessageText message={messageOf(props.error)} />}>
          {newArchiveCopy.pack.refused}
          <ul class={styles.issues}>
            <For each={issues()}>
              {(issue) => (
                <li>
                  <MessageText message={describeIssue(issue)} />
                </li>
              )}
            </For>
          </ul>
        </Show>
      </Alert>
    </div>
  )
}

/** Links are counted from 0 in the service's issues, but from 1 here. */
function describeIssue(issue: { path: string; message: string }): Message {
  const [, position] = /^(?:urls|files)\.(\d+)(?:\.|$)/.exec(issue.path) ?? []
  if (position !== undefined)
    return inSentence(wordsOfService(issue.message), (problem) =>
      newArchiveCopy.pack.linkProblem(Number(position) + 1, problem),
    )
  if (issue.path === 'zip_filename') return newArchiveCopy.pack.nameProblem
  return inSentence(wordsOfService(issue.message), (problem) =>
    newArchiveCopy.pack.problem(issue.path, problem),
  )
}
