/** Requests to another thread that wait for their answers, by id: the other thread may answer them in any order. */
export class Requests<Answer> {
  readonly #waiting = new Map<number, PromiseWithResolvers<Answer>>()
  #lastId = 0

  /** @param post sends the request. Its answer must carry the id */
  send(post: (requestId: number) => void): Promise<Answer> {
    const requestId = ++this.#lastId
    const answer = Promise.withResolvers<Answer>()
    this.#waiting.set(requestId, answer)
    post(requestId)
    return answer.promise
  }

  /** The request that an answer has come for. Undefined if it waits no more. */
  take(requestId: number): PromiseWithResolvers<Answer> | undefined {
    const request = this.#waiting.get(requestId)
    this.#waiting.delete(requestId)
    return request
  }

  /** No answer will come any more. */
  rejectAll(reason: unknown): void {
    for (const { reject } of this.#waiting.values()) reject(reason)
    this.#waiting.clear()
  }
}
