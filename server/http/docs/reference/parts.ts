import { type Html, html } from '../../html.ts'
import type { OpenapiDocument, OperationObject } from '../openapi.ts'

/** An operation and how it is called. */
export interface DocumentedOperation {
  readonly method: string
  readonly path: string
  readonly operation: OperationObject
}

/** The operations of a tag, in the order of the routes. */
export function operationsOf({ paths }: OpenapiDocument, tag: string): readonly DocumentedOperation[] {
  return Object.entries(paths)
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({
        method: method.toUpperCase(),
        path,
        operation,
      })),
    )
    .filter(({ operation }) => operation.tags.includes(tag))
}

/** The address of the page of a tag. */
export function pathOfTag(tag: string): string {
  return `/docs/reference/${tag.toLowerCase().replaceAll(' ', '-')}`
}

/** A page whose names of operations, such as `POST /jobs/:id/retry` as code, are links to the reference. */
export function withOperationLinks(page: string, document: OpenapiDocument): string {
  const addresses = new Map(
    document.tags.flatMap(({ name }) =>
      operationsOf(document, name).map(({ method, path, operation }) => [
        `${method} ${path.replace(/\{(\w+)\}/g, ':$1')}`,
        `${pathOfTag(name)}#${operation.operationId}`,
      ]),
    ),
  )
  return page.replace(OPERATION_AS_CODE, (code, name) => {
    const address = addresses.get(name)
    return address === undefined ? code : html`<a href="${address}"><code>${name}</code></a>`.text
  })
}

/** With a query, if any, for which there is no link. */
const OPERATION_AS_CODE = /<code>((?:GET|POST|PATCH|DELETE) \/[^<]*)<\/code>/g

/** Links to all parts of the reference, and to the sections of the part that is shown. */
export function referenceContents(
  { tags }: OpenapiDocument,
  shown: string,
  sections: readonly ContentsLink[],
): Html {
  const parts: readonly ContentsLink[] = [
    ['/docs/reference', 'Overview'],
    ...tags.map(({ name }): ContentsLink => [pathOfTag(name), name]),
    ['/docs/reference/schemas', 'Schemas'],
    ['/docs/reference/errors', 'Errors'],
    ['/docs/reference/settings', 'Settings'],
  ]
  return html`<ul>${parts.map(([path, name]) =>
    path === shown
      ? html`<li><a href="${path}" aria-current="page">${name}</a>${linkList(sections)}</li>`
      : html`<li><a href="${path}">${name}</a></li>`,
  )}</ul>`
}

export type ContentsLink = readonly [address: string, name: string]

function linkList(links: readonly ContentsLink[]): Html {
  return links.length === 0
    ? html``
    : html`<ul>${links.map(([address, name]) => html`<li><a href="${address}">${name}</a></li>`)}</ul>`
}
